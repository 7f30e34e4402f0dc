// What becomes of PDFs as they come in the world, read by either of the two: the same document, or the same refusal.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encryptedPdf } from "../../sandbox/documents/encrypted-pdf.ts";
import * as hostile from "../../sandbox/documents/hostile-pdfs.ts";
import { libraryPdf, reportPdf } from "../../sandbox/documents/pdfs.ts";
import { GatewayProcess } from "../support/gateway-process.ts";

const READERS = ["poppler", "pdfjs"] as const;
const home = mkdtempSync(join(tmpdir(), "sluice-corpus-"));
const gateways = READERS.map(
  (reader) =>
    new GatewayProcess(
      join(home, reader),
      ...["--reader", reader, "--memory", "256", "--max-pages", "3000", "--log-level", "silent"],
    ),
);

beforeAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.start()));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  rmSync(home, { recursive: true, force: true });
});

interface Document {
  readonly text: string;
  readonly pages: number | null;
  /** As others read XML. */
  readonly tree: Tree;
}

interface Tree {
  readonly document: {
    readonly "@pages": string;
    readonly metadata: Record<string, string>;
    readonly page: readonly { readonly "@width": string; readonly "@height": string; readonly text?: readonly Run[] }[];
    readonly outline?: unknown;
  };
}

interface Run {
  readonly "#text": string;
  readonly "@left": string;
  readonly "@top": string;
  readonly "@width": string;
}

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: "@", parseTagValue: false, trimValues: false },
  isArray: (name: string) => ["page", "text", "entry", "font"].includes(name),
});

let count = 0;

async function convert(gateway: GatewayProcess, pdf: Uint8Array, mapping = "layout"): Promise<Document> {
  count += 1;
  const [file, output] = [join(home, `${count}.pdf`), join(home, `${count}.xml`)];
  writeFileSync(file, pdf);
  const { pages } = await gateway.client().convert({ key: `k${count}`, file, name: "x.pdf", mapping, output });
  const text = readFileSync(output, "utf8");
  return { text, pages, tree: parser.parse(text) as Tree }; // as docs/gateway.md describes it
}

const both = (pdf: Uint8Array, mapping?: string) =>
  Promise.all(gateways.map((gateway) => convert(gateway, pdf, mapping)));

const texts = ({ tree }: Document) =>
  tree.document.page.map((page) => (page.text ?? []).map((run) => run["#text"].trim()));

describe("both make the same of it", () => {
  test("texts, fonts, sizes, outline and what it says of itself", async () => {
    const [one, other] = await both(reportPdf());
    for (const made of [one, other]) {
      expect(made?.tree.document.metadata).toMatchObject({
        ...{ title: "A report <draft> & more", author: "Ann Ärger", subject: "Sluices", keywords: "water, gates" },
        ...{ creator: "a text editor", producer: "by hand" },
        ...{ created: "2024-01-31T12:00:00+01:00", modified: "2024-02-01T08:00:00Z" },
      });
      expect(made?.pages).toBe(3);
      expect(texts(made as Document)[1]).toEqual([
        "Chapter 2",
        'All about <sluices> & "locks", part 2.',
        "The last line (with brackets).",
      ]);
      expect(made?.tree.document.page[0]).toMatchObject({ "@width": "595", "@height": "842" });
      expect(made?.text.match(/<font [^>]*>/g)).toEqual([
        '<font id="0" family="Times-Bold" size="24"/>',
        '<font id="1" family="Helvetica" size="12"/>',
      ]);
      const outline = /<outline>[\s\S]*<\/outline>/.exec(made?.text ?? "")?.[0].replaceAll("\n", "");
      expect(outline).toBe(
        '<outline><entry title="Chapter 1" page="1"><entry title="A section" page="2"/></entry><entry title="Chapter 3" page="3"/></outline>',
      );
    }
    const places = ({ tree }: Document) => tree.document.page.flatMap(({ text = [] }) => text);
    const [here, there] = [places(one as Document), places(other as Document)];
    expect(here).toHaveLength(9);
    for (const [index, run] of here.entries()) {
      const same = there[index];
      expect(Math.abs(Number(run["@left"]) - Number(same?.["@left"]))).toBeLessThan(0.5);
      expect(Math.abs(Number(run["@width"]) - Number(same?.["@width"]))).toBeLessThan(0.5);
      // Each takes the height of a line from the font as it knows it.
      expect(Math.abs(Number(run["@top"]) - Number(same?.["@top"]))).toBeLessThan(5);
    }
  });

  test("as text alone, without fonts and places", async () => {
    const [one, other] = await both(reportPdf(1), "text");
    const pages = (made?: Document) => /<page[\s\S]*<\/page>/.exec(made?.text ?? "")?.[0];
    expect(pages(one)).toBe(pages(other));
    expect(pages(one)).toBe(
      '<page number="1">\n<text>Chapter 1</text>\n<text>All about &lt;sluices&gt; &amp; &quot;locks&quot;, part 1.</text>\n<text>The last line (with brackets).</text>\n</page>',
    );
  });

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string[][]]>([
    ["written by a library, its objects packed", libraryPdf, [["Sheet 1"], ["Sheet 2"]]],
    ["locked against changes alone", () => encryptedPdf(""), [["This was a secret."]]],
    ["a page of a kilometre", hostile.hugeBoxPdf, [["Far away"]]],
    ["with files and scripts in it", hostile.embeddedFilesPdf, [["Something is attached."]]],
    ["an outline without end", hostile.endlessOutlinePdf, [["Round and round"]]],
    ["with what no XML can hold", hostile.unwritablePdf, [["]]><evil/>&unknown; <!DOCTYPE x>"]]],
  ])("%s", async (_, make, expected) => {
    for (const made of await both(await make())) {
      expect(texts(made)).toEqual(expected);
      expect(made.pages).toBe(expected.length);
      expect(Number(made.tree.document["@pages"])).toBe(expected.length);
      expect(made.text).not.toMatch(/<!DOCTYPE|<!ENTITY/);
    }
  });

  test.each([
    ["also an archive", hostile.zipPolyglot],
    ["also a web page", hostile.htmlPolyglot],
  ])("%s: what is made of it is XML and nothing else", async (_, make) => {
    for (const made of await both(make())) {
      expect(texts(made)[0]?.[0]).toBe("Chapter 1");
      expect(made.text).not.toContain("<script");
    }
  });

  test("two thousand pages, each in its place", async () => {
    for (const made of await both(hostile.manyPagesPdf())) {
      expect(made.pages).toBe(2_000);
      expect(texts(made)[1_999]).toEqual(["Leaf 2000"]);
    }
  });
});

describe("both refuse it, for good and with the same code", () => {
  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ["locked with a password", () => encryptedPdf("secret"), "PASSWORD_PROTECTED"],
    ["cut off in the middle", hostile.truncatedPdf, "PARSE_ERROR"],
    ["garbage behind the first bytes", hostile.garbagePdf, "PARSE_ERROR"],
    ["a tree of pages without end", hostile.endlessPagesPdf, "PARSE_ERROR"],
    ["more pages than are read", () => hostile.manyPagesPdf(3_001), "TOO_COMPLEX"],
    ["a bomb", hostile.bombPdf, "MEMORY_ERROR"],
    ["a web page with a PDF behind it", hostile.htmlFirstPolyglot, "UNSUPPORTED_TYPE"],
    ["a picture that is called PDF", hostile.picture, "UNSUPPORTED_TYPE"],
    ["nothing at all", () => Buffer.alloc(0), "UNSUPPORTED_TYPE"],
  ])("%s", async (_, make, code) => {
    const pdf = await make();
    for (const gateway of gateways) {
      const refused = await convert(gateway, pdf).then(
        () => "converted",
        (error: unknown) => error,
      );
      expect(refused).toMatchObject({ kind: "permanent", code, breaker: "success" });
      // Neither where it lies nor what read it.
      expect(String(refused)).not.toMatch(/\/tmp|sluice-corpus|node:|\.ts\b/);
      expect(gateway.isAlive).toBe(true);
    }
  });

  test("and goes on afterwards", async () => {
    for (const made of await both(reportPdf())) expect(made.pages).toBe(3);
  });
});

describe("how much one may take", () => {
  test.each(READERS)(
    "computing and time end a conversion by %s, and only the first is the file's fault",
    async (reader) => {
      const bomb = await hostile.bombPdf();
      for (const [flags, expected] of [
        [["--cpu-time", "1s"], { kind: "permanent", code: "TOO_COMPLEX" }],
        [["--time", "300ms"], { kind: "transient", code: "GW_TIMEOUT" }],
      ] as const) {
        const gateway = new GatewayProcess(
          join(home, `slow-${reader}`),
          "--reader",
          reader,
          "--memory",
          "4096",
          ...flags,
          "--log-level",
          "silent",
        );
        await gateway.start();
        try {
          await expect(convert(gateway, bomb)).rejects.toMatchObject(expected);
        } finally {
          await gateway.stop();
        }
      }
    },
  );
});
