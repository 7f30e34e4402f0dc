// Uploading what is in the drawer, and whether what came of it is what it has to be.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileAt } from "../../src/apps/documents/files/places.ts";
import { arrive, type DocumentsApp, enterAll, oneDocument, type SeenDocument } from "../../src/apps/documents/index.ts";
import type { ItemId, Sluice } from "../../src/engine/index.ts";
import { contentOf, type DrawerFile } from "./drawer.ts";

export interface Converting {
  readonly sluice: Sluice;
  readonly documents: DocumentsApp;
}

/** Of a world that may have none. */
export function convertingIn({
  sluice,
  documents,
}: {
  sluice: Sluice;
  documents: DocumentsApp | undefined;
}): Converting {
  if (documents === undefined) throw new Error("nothing is converted in this world");
  return { sluice, documents };
}

export async function upload({ sluice, documents }: Converting, one: DrawerFile, owner: string): Promise<ItemId> {
  const { limits, pipeline } = documents;
  const sent = async function* () {
    yield { name: one.name, content: contentOf(one) };
  };
  const arrived = await arrive({ ...documents, tables: sluice.tables }, sent(), false);
  const by = { owner, mapping: limits.mapping, dryRun: false };
  const [came] = await enterAll({ sluice, pipeline }, arrived, by);
  if (came === undefined || "refused" in came || came.entered.item === null)
    throw new Error(`${one.name} was not taken: ${JSON.stringify(came)}`);
  return came.entered.item;
}

export async function read({ sluice, documents }: Converting, id: ItemId): Promise<SeenDocument> {
  return await oneDocument({ sluice, limits: documents.limits }, id, { owner: null });
}

/** What is wrong with what came of it, in words; null where nothing is. */
export async function judge({ documents }: Converting, { name, holds }: DrawerFile, seen: SeenDocument) {
  const { status, error, result, attemptCount, sentence } = seen;
  if (holds === null) {
    const isRefused = status === "failed" && error?.code === "GW_4XX" && attemptCount === 1;
    return isRefused ? null : `${name} was to be refused at once, and is ${status}: ${sentence}`;
  }
  if (status !== "complete" || result === null) return `${name} is ${status}: ${sentence}`;
  const xml = await readFile(fileAt(documents.places, "result", result.sha256));
  if (createHash("sha256").update(xml).digest("hex") !== result.sha256) return `the XML of ${name} is not as it was`;
  const says = [`pages="${holds.pages}"`, `<title>${holds.title}</title>`, "</document>"];
  const missing = says.find((text) => !xml.includes(text));
  return missing === undefined ? null : `the XML of ${name} has no ${missing}`;
}
