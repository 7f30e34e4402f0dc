// Reads a PDF with PDF.js, where poppler is not there.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { OutlineEntry } from "../format.ts";
import type { DocumentWriter } from "./document-writer.ts";
import { HANDED, Refused } from "./job.ts";
import { fontFamily, metadataOf } from "./metadata.ts";
import { OutlineBuilder } from "./outline.ts";
import { type Item, isItem, runsOf } from "./pdfjs-runs.ts";

type Document = Awaited<ReturnType<typeof getDocument>["promise"]>;
type Page = Awaited<ReturnType<Document["getPage"]>>;
type Outline = Awaited<ReturnType<Document["getOutline"]>>;

export async function readWithPdfjs(_: unknown, writer: DocumentWriter): Promise<void> {
  const folder = path.dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const loading = getDocument({
    data: new Uint8Array(readFileSync(HANDED.pdf)),
    // Errors alone, and none of its own words.
    verbosity: 0,
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    // Names of fonts; their outlines are not drawn.
    fontExtraProperties: true,
    disableFontFace: true,
    // No picture is decoded: nobody asks for any.
    maxImageSize: 1,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
  });
  try {
    const document = await loading.promise;
    const { info } = await document.getMetadata();
    const said = new Map(Object.entries(info));
    if (document.numPages === 0) throw new Refused("NO_CONTENT", "it has no pages");
    writer.begin(
      document.numPages,
      metadataOf((name) => said.get(name)),
    );
    const fonts = new Map<string, string>();
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      await readPage(page, writer, fonts);
      page.cleanup();
    }
    writer.end(await outlineOf(document));
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await loading.destroy();
  }
}

/** By the names that it gives its errors. */
function refusalOf(error: unknown): unknown {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return new Refused("PASSWORD_PROTECTED", "it cannot be opened without a password");
  // Of what stands in the file; FormatError and others come as an "unknown" one from its worker.
  if (["InvalidPDFException", "FormatError", "UnknownErrorException", "XRefEntryException"].includes(name))
    return new Refused("PARSE_ERROR", "it cannot be read as a PDF: it is damaged");
  return error;
}

async function readPage(page: Page, writer: DocumentWriter, fonts: Map<string, string>): Promise<void> {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  writer.page({ number: page.pageNumber, width, height });
  const { items, styles } = await page.getTextContent();
  const texts = items.flatMap((item): Item[] => (isItem(item) ? [item] : []));
  if (texts.some(({ fontName }) => !fonts.has(fontName))) await learnFonts(page, texts, fonts);
  const ascent = (name: string) => styles[name]?.ascent;
  for (const each of runsOf(texts, transform, (name) => fonts.get(name) ?? "unknown", ascent)) writer.text(each);
  writer.endPage();
}

/** It tells their names only to whoever asks how the page is drawn. */
async function learnFonts(page: Page, items: readonly Item[], fonts: Map<string, string>): Promise<void> {
  await page.getOperatorList();
  for (const { fontName } of items) {
    if (fonts.has(fontName)) continue;
    const known: unknown = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined;
    const name: unknown = typeof known === "object" && known !== null && "name" in known ? known.name : undefined;
    fonts.set(fontName, fontFamily(typeof name === "string" ? name : ""));
  }
}

async function outlineOf(document: Document): Promise<readonly OutlineEntry[]> {
  const built = new OutlineBuilder();
  const walk = async (items: Outline, below: OutlineEntry | undefined, depth: number): Promise<void> => {
    for (const { title, dest, items: more } of items ?? []) {
      const entry = built.add(below, depth, title, await pageOf(document, dest));
      if (entry !== undefined && more.length > 0) await walk(more, entry, depth + 1);
    }
  };
  await walk(await document.getOutline(), undefined, 0);
  return built.roots;
}

async function pageOf(document: Document, dest: unknown): Promise<number | undefined> {
  try {
    const target: unknown = typeof dest === "string" ? await document.getDestination(dest) : dest;
    const first: unknown = Array.isArray(target) ? target[0] : undefined;
    if (typeof first === "number") return first + 1;
    if (typeof first !== "object" || first === null || !("num" in first) || !("gen" in first)) return undefined;
    return (await document.getPageIndex({ num: Number(first.num), gen: Number(first.gen) })) + 1;
  } catch {
    // It leads to a page that is not there: an entry without one.
    return undefined;
  }
}
