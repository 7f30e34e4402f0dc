// What came of a document, to be read: the whole of it, its beginning, or that of several as one archive.

import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { SluiceError } from "../../../engine/index.ts";
import { type ZipEntry, zip } from "../archive/zip.ts";
import { DOCUMENT_CODES } from "../codes.ts";
import { fileAt, type Places } from "../files/places.ts";
import { resultName, SafeNames } from "../intake/names.ts";
import type { SeenDocument } from "./documents.ts";

/** In an archive, at most. */
export const ARCHIVED_MOST = 500;
const ARCHIVE_BYTES = 2 * 1_024 ** 3;
const PREVIEW_BYTES = 64 * 1_024;

export interface Readable {
  readonly name: string;
  readonly bytes: number;
  readonly file: string;
}

/** Refused with the code that says why. */
export function readableOf(document: SeenDocument, places: Places): Readable {
  const { result, status, name, sentence } = document;
  if (result !== null)
    return { name: resultName(name), bytes: result.bytes, file: fileAt(places, "result", result.sha256) };
  if (status === "expired") throw new SluiceError("EXPIRED", sentence, { field: "item" });
  if (status === "queued" || status === "processing")
    throw new SluiceError("NOT_READY", `${DOCUMENT_CODES.NOT_READY.sentence} ${sentence}`, { field: "item" });
  throw new SluiceError("NOT_READY", `nothing came of it: ${sentence}`, { field: "item" });
}

/** Opened before anything is answered: one that went in this moment is expired, and not half an answer. */
export async function openResult({ file }: Readable) {
  try {
    const handle = await open(file, "r");
    return { handle, stream: createReadStream(file, { fd: handle }) };
  } catch (error) {
    throw expiredIfGone(error);
  }
}

export async function previewOf({ file, bytes }: Readable) {
  try {
    const handle = await open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(PREVIEW_BYTES, bytes)), 0);
      // Cut where a character ends: a decoder that goes on keeps what is left of one to itself.
      const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
      return { text, bytes, isWhole: bytesRead >= bytes };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw expiredIfGone(error);
  }
}

function expiredIfGone(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return error;
  return new SluiceError("EXPIRED", DOCUMENT_CODES.EXPIRED.sentence, { field: "item", cause: error });
}

/** Of those that are complete; what is too much for one archive is refused before anything is sent. */
export function archiveOf(documents: readonly SeenDocument[], places: Places): AsyncGenerator<Uint8Array> {
  const readable = documents
    .filter(({ result }) => result !== null)
    .map((one) => ({ ...readableOf(one, places), one }));
  if (readable.length === 0) throw new SluiceError("NOT_READY", "none of them is complete", { field: "ids" });
  const bytes = readable.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > ARCHIVE_BYTES)
    throw new SluiceError("TOO_LARGE", "together they have more than 2 GB; ask for fewer at once", { field: "ids" });
  const names = new SafeNames();
  const entries = readable.map(
    ({ name, file, one }): ZipEntry => ({
      name: names.take(name),
      at: one.finishedAt ?? one.createdAt,
      open: () => createReadStream(file),
    }),
  );
  return zip(entries);
}
