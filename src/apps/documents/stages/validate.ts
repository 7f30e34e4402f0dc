// Before anything is asked of the gateway: it was uploaded, and its file is there as it was.

import { open } from "node:fs/promises";
import { done, type Outcome, permanent, type Visit } from "../../../engine/index.ts";
import type { Document } from "../document.ts";
import { telling } from "../faults.ts";
import { fileAt } from "../files/places.ts";
import type { DocumentPorts } from "../ports.ts";
import { ownSource, sourceGone } from "./own-source.ts";

export async function validate(visit: Visit<Document>, ports: DocumentPorts): Promise<Outcome> {
  return await telling(visit, "looking at the PDF", async () => {
    const { sha256 } = await ownSource(visit, ports);
    const { bytes } = visit.input;
    const size = await sizeOf(fileAt(ports.places, "source", sha256));
    if (size === null) throw sourceGone();
    if (size !== bytes) throw permanent("EIO", "its file is not as it was uploaded", { breaker: "none" });
    return done();
  });
}

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
