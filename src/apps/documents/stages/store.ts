// What was made gets its place, by its hash and in one step; who it belongs to is written in the transaction that ends the item.

import { stat } from "node:fs/promises";
import { back, done, type Outcome, type Visit } from "../../../engine/index.ts";
import type { Document } from "../document.ts";
import { telling } from "../faults.ts";
import { fileAt, incomingAt } from "../files/places.ts";
import { publish } from "../files/publish.ts";
import type { DocumentPorts } from "../ports.ts";
import type { Made } from "./convert.ts";
import { uploadedAs } from "./own-source.ts";

export interface Stored {
  readonly sha256: string;
  readonly bytes: number;
  readonly pages: number | null;
}

export async function storeResult(
  visit: Visit<Document, { readonly convert?: Made }>,
  ports: DocumentPorts,
): Promise<Outcome<Stored>> {
  const { store, places } = ports;
  return await telling(visit, "saving the XML", async () => {
    await uploadedAs(visit, ports);
    // Who skips the conversion gains nothing by it.
    if (visit.out.convert === undefined) return back("convert", { because: "nothing was made of it yet" });
    const { part, sha256, bytes, pages } = visit.out.convert;
    // First: from here on it is not swept.
    await store.touchResult(sha256, bytes);
    const from = incomingAt(places, "result", part);
    const to = fileAt(places, "result", sha256);
    if ((await bytesOf(from)) === bytes) await publish(from, to);
    // A visit before this one may have got as far, and died.
    else if ((await bytesOf(to)) !== bytes) return back("convert", { because: "what was made is not there any more" });
    return done({ sha256, bytes, pages });
  });
}

async function bytesOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
