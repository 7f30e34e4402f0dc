// A folder of PDFs as an office has them: most can be read, one is locked, one is only half there. Made by code, so that it is known of
// each what has to come of it.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentsApp } from "../../src/apps/documents/index.ts";
import { encryptedPdf } from "./encrypted-pdf.ts";
import { truncatedPdf } from "./hostile-pdfs.ts";
import { makePdf } from "./pdfs.ts";

export interface DrawerFile {
  readonly name: string;
  readonly file: string;
  /** What its XML has to say; null for one that nobody can read. */
  readonly holds: { readonly title: string; readonly pages: number } | null;
}

const KINDS = ["Report", "Minutes", "Invoice", "Survey", "Contract", "Letter"] as const;
const SUBJECTS = ["the upper gate", "the lower gate", "the tow path", "the pump house", "the weir", "the reservoir"];
/** Early enough to be seen, and each after one that is well. */
const [LOCKED_AT, HALF_AT] = [1, 3];
const MOST_PAGES = 12;

/** Beside what is uploaded. */
export const drawerOf = ({ places }: Pick<DocumentsApp, "places">): string => join(places.uploads, "../drawer");

/** The same each time, in the order in which they are uploaded. */
export async function fillDrawer(folder: string, count: number): Promise<DrawerFile[]> {
  await mkdir(folder, { recursive: true });
  const files: DrawerFile[] = [];
  for (let place = 0; place < count; place += 1) {
    const { name, pdf, holds } = paper(place);
    const file = join(folder, name);
    await writeFile(file, pdf);
    files.push({ name, file, holds });
  }
  return files;
}

export async function* contentOf({ file }: DrawerFile): AsyncGenerator<Uint8Array> {
  yield await readFile(file);
}

/** Pure. */
function paper(place: number): Pick<DrawerFile, "name" | "holds"> & { readonly pdf: Buffer } {
  if (place === LOCKED_AT) return { name: "Salaries, locked.pdf", pdf: encryptedPdf("a secret"), holds: null };
  if (place === HALF_AT) return { name: "Yearbook, half of it.pdf", pdf: truncatedPdf(), holds: null };
  const kind = KINDS[place % KINDS.length];
  const subject = SUBJECTS[Math.floor(place / KINDS.length) % SUBJECTS.length];
  const title = `${kind} on ${subject}, no. ${place + 1}`;
  const pages = 1 + ((place * 5) % MOST_PAGES);
  const texts = Array.from({ length: pages }, (_, page) => [
    { text: title, x: 50, y: 780, size: 20, font: "Times-Bold" as const },
    { text: `Page ${page + 1} of ${pages}: what there is to say of ${subject}.`, x: 50, y: 720, size: 12 },
  ]);
  const pdf = makePdf({ pages: texts, info: { Title: title, Author: "The lock keeper" }, outline: [title] });
  return { name: `${title}.pdf`, pdf, holds: { title, pages } };
}
