// PDFs as nobody should send them: damaged, misleading, or made to exhaust whoever reads them.

import { createDeflate, deflateSync } from "node:zlib";
import { PdfWriter, pdfString, ref } from "./pdf-writer.ts";
import { makePdf, reportPdf } from "./pdfs.ts";

export const truncatedPdf = (): Buffer => {
  const whole = reportPdf(20);
  return whole.subarray(0, Math.floor(whole.length / 2));
};

/** Begins as a PDF, and goes on as anything. */
export const garbagePdf = (): Buffer =>
  Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 73) & 255)),
  ]);

export const manyPagesPdf = (pages = 2_000): Buffer =>
  makePdf({
    pages: Array.from({ length: pages }, (_, index) => [{ text: `Leaf ${index + 1}`, x: 50, y: 700, size: 10 }]),
  });

/** A page of a kilometre. */
export const hugeBoxPdf = (): Buffer =>
  makePdf({
    pages: [[{ text: "Far away", x: 2_000_000, y: 2_000_000, size: 12 }]],
    mediaBox: "[0 0 2834645 2834645]",
  });

export const embeddedFilesPdf = (): Buffer =>
  makePdf({
    pages: [[{ text: "Something is attached.", x: 50, y: 700, size: 12 }]],
    catalogue(pdf) {
      const file = pdf.stream(Buffer.from("#!/bin/sh\nrm -rf /\n"), "/Type /EmbeddedFile");
      const spec = pdf.add(`<< /Type /Filespec /F (../../run.sh) /EF << /F ${ref(file)} >> >>`);
      const script = "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>";
      return `/Names << /EmbeddedFiles << /Names [(run.sh) ${ref(spec)}] >> >> ${script}`;
    },
  });

/** Small, and without end when it is unpacked: texts upon texts, packed twice. */
export async function bombPdf(megabytes = 400): Promise<Buffer> {
  const line = "BT /F0 12 Tf 50 700 Td (AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA) Tj ET\n";
  const piece = Buffer.from(line.repeat(Math.ceil((1024 * 1024) / line.length)));
  const packer = createDeflate({ level: 1 });
  const packed: Buffer[] = [];
  packer.on("data", (chunk: Buffer) => packed.push(chunk));
  for (let i = 0; i < megabytes; i += 1)
    if (!packer.write(piece)) await new Promise((resolve) => packer.once("drain", resolve));
  await new Promise((resolve) => {
    packer.once("end", resolve);
    packer.end();
  });
  const content = { data: deflateSync(Buffer.concat(packed)), entries: "/Filter [/FlateDecode /FlateDecode]" };
  return makePdf({ pages: [[]], content });
}

/** Also an archive, to whoever looks at its end. */
export const zipPolyglot = (): Buffer => {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  return Buffer.concat([reportPdf(1), end]);
};

/** Also a web page, to whoever looks for tags. */
export const htmlPolyglot = (): Buffer =>
  Buffer.concat([Buffer.from("%PDF-1.7\n%<html><body><script>alert(1)</script></body></html>\n"), reportPdf(1)]);

/** A web page first, and a PDF behind it. */
export const htmlFirstPolyglot = (): Buffer =>
  Buffer.concat([Buffer.from("<html><body><script>alert(1)</script></body></html>\n"), reportPdf(1)]);

/** Texts that no XML can hold, and texts that look like XML. */
export const unwritablePdf = (): Buffer =>
  makePdf({
    pages: [[{ text: "]]><evil/>&unknown; <!DOCTYPE x>", x: 50, y: 700, size: 12 }]],
    info: { Title: `nul \u0001 and \uFFFE, half \uD800, "quotes" & <tags>\nPages: 7` },
  });

/** An outline whose entry follows itself. */
export function endlessOutlinePdf(): Buffer {
  return makePdf({
    pages: [[{ text: "Round and round", x: 50, y: 700, size: 12 }]],
    catalogue(pdf) {
      const [root, entry] = [pdf.reserve(), pdf.reserve()];
      const title = pdfString("again");
      pdf.set(
        entry,
        `<< /Title ${title} /Parent ${ref(root)} /Next ${ref(entry)} /First ${ref(entry)} /Last ${ref(entry)} >>`,
      );
      pdf.set(root, `<< /Type /Outlines /First ${ref(entry)} /Last ${ref(entry)} /Count 1 >>`);
      return `/Outlines ${ref(root)}`;
    },
  });
}

/** A tree of pages that is its own branch. */
export function endlessPagesPdf(): Buffer {
  const pdf = new PdfWriter();
  const [root, tree] = [pdf.reserve(), pdf.reserve()];
  pdf.set(tree, `<< /Type /Pages /Count 5 /Kids [${ref(tree)} ${ref(tree)}] /MediaBox [0 0 100 100] >>`);
  pdf.set(root, `<< /Type /Catalog /Pages ${ref(tree)} >>`);
  return pdf.bytes(`/Root ${ref(root)}`);
}

/** Right by its name alone. */
export const picture = (): Buffer =>
  Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de", "hex");

export const HOSTILE_NAMES: readonly string[] = [
  "../../etc/passwd",
  "C:\\Windows\\system32\\x.pdf",
  'quote".pdf\r\nX-Injected: yes',
  "nul\u0000byte.pdf",
  "\u202Efdp.exe",
  ".".repeat(40),
  "",
  "a".repeat(5_000),
  "$(reboot) `id` ; rm -rf .pdf",
  "--upload-file.pdf",
];
