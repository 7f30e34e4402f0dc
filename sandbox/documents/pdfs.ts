// PDFs as people have them: pages with texts in fonts, an outline, and what they say of themselves.

import { type Encrypt, PdfWriter, pdfString, type Ref, ref } from "./pdf-writer.ts";

export interface PdfLine {
  readonly text: string;
  readonly x: number;
  /** From below. */
  readonly y: number;
  readonly size: number;
  readonly font?: "Helvetica" | "Times-Bold";
}

export interface PdfOptions {
  readonly pages: readonly (readonly PdfLine[])[];
  readonly info?: Readonly<Record<string, string>>;
  /** An entry for each page, and one below the first. */
  readonly outline?: readonly string[];
  readonly mediaBox?: string;
  readonly encrypt?: { readonly bytes: Encrypt; readonly dictionary: string; readonly id: string };
  /** More in the catalogue. */
  readonly catalogue?: (pdf: PdfWriter) => string;
  /** The content of all pages, instead of their lines. */
  readonly content?: { readonly data: Uint8Array; readonly entries: string };
}

export function makePdf(options: PdfOptions): Buffer {
  const { mediaBox = "[0 0 595 842]", encrypt } = options;
  const pdf = new PdfWriter(encrypt?.bytes);
  const text = (at: Ref, value: string) =>
    encrypt === undefined ? pdfString(value) : `<${encrypt.bytes(at, Buffer.from(value, "latin1")).toString("hex")}>`;
  const [root, tree, info] = [pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const fonts = ["Helvetica", "Times-Bold"].map((name) =>
    pdf.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
  );
  const resources = `<< /Font << /F0 ${ref(fonts[0] ?? 0)} /F1 ${ref(fonts[1] ?? 0)} >> >>`;
  const kids = options.pages.map((lines) => {
    const { data, entries } = options.content ?? { data: Buffer.from(contentOf(lines), "latin1"), entries: "" };
    const content = pdf.stream(data, entries);
    return pdf.add(`<< /Type /Page /Parent ${ref(tree)} /Resources ${resources} /Contents ${ref(content)} >>`);
  });
  pdf.set(tree, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map(ref).join(" ")}] /MediaBox ${mediaBox} >>`);
  const said = Object.entries(options.info ?? {}).map(([name, value]) => `/${name} ${text(info, value)}`);
  pdf.set(info, `<< ${said.join(" ")} >>`);
  const outline = options.outline === undefined ? "" : `/Outlines ${ref(outlineOf(pdf, options.outline, kids))}`;
  pdf.set(root, `<< /Type /Catalog /Pages ${ref(tree)} ${outline} ${options.catalogue?.(pdf) ?? ""} >>`);
  const secret =
    encrypt === undefined ? "" : `/Encrypt ${ref(pdf.add(encrypt.dictionary))} /ID [<${encrypt.id}> <${encrypt.id}>]`;
  return pdf.bytes(`/Root ${ref(root)} /Info ${ref(info)} ${secret}`);
}

function contentOf(lines: readonly PdfLine[]): string {
  const shown = lines.map(
    ({ text, x, y, size, font }) =>
      `BT /${font === "Times-Bold" ? "F1" : "F0"} ${size} Tf ${x} ${y} Td ${pdfString(text)} Tj ET`,
  );
  return shown.join("\n");
}

/** The first title has the second below it; the others follow it. Each leads to the page of its place in the list. */
function outlineOf(pdf: PdfWriter, titles: readonly string[], kids: readonly Ref[]): Ref {
  const root = pdf.reserve();
  const refs = titles.map(() => pdf.reserve());
  const [first = root, below] = refs;
  const top = refs.filter((each) => each !== below);
  titles.forEach((title, index) => {
    const self = refs[index] ?? root;
    const at = top.indexOf(self);
    const before = at > 0 ? `/Prev ${ref(top[at - 1] ?? root)}` : "";
    const next = at !== -1 && at < top.length - 1 ? `/Next ${ref(top[at + 1] ?? root)}` : "";
    const children = self === first && below !== undefined ? `/First ${ref(below)} /Last ${ref(below)} /Count 1` : "";
    const place = `/Dest [${ref(kids[index] ?? kids[0] ?? 0)} /Fit]`;
    const parent = self === below ? first : root;
    pdf.set(self, `<< /Title ${pdfString(title)} /Parent ${ref(parent)} ${before} ${next} ${children} ${place} >>`);
  });
  return pdf.set(
    root,
    `<< /Type /Outlines /First ${ref(first)} /Last ${ref(top.at(-1) ?? first)} /Count ${titles.length} >>`,
  );
}

/** What a report looks like. */
export function reportPdf(pages = 3): Buffer {
  const body = Array.from({ length: pages }, (_, index) => [
    { text: `Chapter ${index + 1}`, x: 50, y: 780, size: 24, font: "Times-Bold" as const },
    { text: `All about <sluices> & "locks", part ${index + 1}.`, x: 50, y: 700, size: 12 },
    { text: "The last line (with brackets).", x: 50, y: 60, size: 12 },
  ]);
  return makePdf({
    pages: body,
    info: {
      ...{ Title: "A report <draft> & more", Author: "Ann Ärger", Subject: "Sluices", Keywords: "water, gates" },
      ...{
        Creator: "a text editor",
        Producer: "by hand",
        CreationDate: "D:20240131120000+01'00'",
        ModDate: "D:20240201080000Z",
      },
    },
    outline: ["Chapter 1", "A section", "Chapter 3"].slice(0, pages),
  });
}

/** The same as a library writes it, with its objects packed into streams. */
export async function libraryPdf(): Promise<Buffer> {
  const { PDFDocument, StandardFonts } = await import("pdf-lib");
  const made = await PDFDocument.create();
  made.setTitle("Made by a library");
  made.setCreationDate(new Date("2024-05-06T07:08:09Z"));
  made.setModificationDate(new Date("2024-05-06T07:08:09Z"));
  const font = await made.embedFont(StandardFonts.CourierBold);
  for (const number of [1, 2]) made.addPage([300, 400]).drawText(`Sheet ${number}`, { x: 20, y: 350, size: 18, font });
  return Buffer.from(await made.save({ useObjectStreams: true }));
}
