// Whether what was encoded is still there, and whole.

import type { EncodedFile } from "../encoded.ts";
import type { MediaPorts } from "../ports.ts";
import { unreadable } from "./gates.ts";

/** Null where it is there as it was made, else a sentence. */
export async function lostOf(
  { path, bytes }: Pick<EncodedFile, "path" | "bytes">,
  { fileBytes }: Pick<MediaPorts, "fileBytes">,
): Promise<string | null> {
  const here = await fileBytes(path);
  if (here === bytes) return null;
  return here === null ? `${path} is not there any more` : `${path} has ${here} of ${bytes} bytes`;
}

/** Null where it is whole, else a sentence. */
export async function brokenIn(
  { path, durationMs }: Pick<EncodedFile, "path" | "durationMs">,
  { probe }: Pick<MediaPorts, "probe">,
  signal: AbortSignal,
): Promise<string | null> {
  const end = await probe.facts(path, signal).then(({ lastPacketMs }) => lastPacketMs, unreadable);
  if (typeof end === "string") return `${path} cannot be read: ${end}`;
  return end === null || durationMs - end > Math.max(SHORT_MS, durationMs / 50) ? `${path} ends before its end` : null;
}

const SHORT_MS = 2_000;
