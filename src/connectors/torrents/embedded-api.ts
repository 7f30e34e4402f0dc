// What is said between a stage's process and the one that downloads: the interface of torrents.ts, over HTTP on this machine.
//
//   GET    about
//   POST   torrents                              {infohash, magnet or file (base 64), tag, folder}   → {wasThere}
//   GET    torrents                              → {torrents}
//   GET    torrents/<infohash>/files             → {files}
//   POST   torrents/<infohash>/nudge
//   DELETE torrents/<infohash>/tags/<tag>?withFiles=true
//
// And what a person may do besides: tag null adds one that is not ours, GET torrents?all=true, POST torrents/<infohash>/pause,
// DELETE torrents/<infohash>?withFiles=true. What is refused for good is a 422 whose text begins with a code.

import { z } from "zod";

const Bytes = z.number().nonnegative();
const Infohash = z.string().regex(/^[0-9a-f]{40}$/, "infohash must be 40 hex digits in lower case");
export const isInfohash = (text: string): boolean => Infohash.safeParse(text).success;

export const AddBody = z.object({
  infohash: Infohash,
  magnet: z.string().max(20_000).optional(),
  file: z.base64().optional(),
  /** Null: it is not ours, and stays when our tags go. */
  tag: z.string().max(200).nullable(),
  folder: z.string().min(1).max(2_000),
});

export const AddAnswer = z.object({ wasThere: z.boolean() });

export const AboutAnswer = z.object({
  client: z.string(),
  version: z.string(),
  folder: z.string(),
  freeBytes: Bytes.nullable(),
  isConnected: z.boolean().nullable(),
});

const Seen = z.object({
  infohash: Infohash,
  name: z.string(),
  state: z.enum([
    "metadata",
    "checking",
    "queued",
    "paused",
    "downloading",
    "moving",
    "complete",
    "failed",
    "missing-files",
    "unknown",
  ]),
  clientState: z.string(),
  tags: z.array(z.string()),
  isOurs: z.boolean(),
  doneBytes: Bytes,
  wantedBytes: Bytes.nullable(),
  receivedBytes: Bytes,
  seeds: z.number().nullable(),
  ratio: z.number(),
  seededMs: z.number(),
  path: z.string().nullable(),
  folder: z.string().nullable(),
  problem: z.string().nullable(),
});

export const LookAnswer = z.object({ torrents: z.array(Seen) });

export const FilesAnswer = z.object({
  files: z.array(z.object({ index: z.number(), path: z.string(), bytes: Bytes, doneBytes: Bytes })),
});
