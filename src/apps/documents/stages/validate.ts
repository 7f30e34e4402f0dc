// Before anything is asked of the gateway: it was uploaded, and its file is there as it was.

import { open } from "node:fs/promises";
import { done, type Outcome, permanent, type Visit } from "../../../engine/index.ts";
import type { Document } from "../document.ts";
import { telling } from "../faults.ts";
import { fileAt } from "../files/places.ts";
import type { DocumentPorts } from "../ports.ts";

/** Of an item that somebody handed in by its hash: what nobody uploaded here is nobody's to convert. */
const NOT_UPLOADED = "NOT_UPLOADED";

export async function validate(visit: Visit<Document>, { store, places }: DocumentPorts): Promise<Outcome> {
  return await telling(visit, "looking at the PDF", async () => {
    const row = await store.source(visit.item.id);
    const { sha256, bytes } = visit.input;
    if (row === undefined || row.sha256 !== sha256)
      throw permanent(NOT_UPLOADED, "it was not uploaded", { breaker: "none" });
    if (row.source_gone_at !== null) throw gone();
    const size = await sizeOf(fileAt(places, "source", sha256));
    if (size === null) throw gone();
    if (size !== bytes) throw permanent("EIO", "its file is not as it was uploaded", { breaker: "none" });
    return done();
  });
}

const gone = () => permanent("SOURCE_GONE", "its file was removed", { breaker: "none" });

async function sizeOf(file: string): Promise<number | null> {
  try {
    const handle = await open(file, "r");
    try {
      return (await handle.stat()).size;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
