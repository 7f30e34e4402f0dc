// What an encoder on another machine says and is told, on the wire. For programs; people have `encoding.ts`.

import { z } from "@hono/zod-openapi";
import { text } from "../common.ts";
import { mediaName } from "./settings.ts";

const count = z.number().nonnegative();
const jobName = { key: text.max(300), turn: z.int().min(1) };
const codecs = z.array(text.max(40)).max(50);

const self = z.object({
  program: text,
  version: text.max(200),
  codecs,
  audioCodecs: codecs,
  hasNoNetwork: z.boolean(),
});

const way = z.enum(["seen", "sent"]).nullable();
const jobReport = z.object({
  ...jobName,
  progress: z.object({
    phase: z.enum(["fetching", "encoding", "sending"]),
    marks: z.record(text.max(40), count),
    percent: z.number().nullable(),
    frames: count.nullable(),
    fps: count.nullable(),
    speed: count.nullable(),
    etaMs: count.nullable(),
    outBytes: count.nullable(),
  }),
  reads: way,
  writes: way,
  result: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("made"), bytes: count, durationMs: count, width: count, height: count }),
      z.object({ kind: z.literal("larger"), reason: text }),
    ])
    .nullable(),
  failure: z
    .object({
      kind: z.enum(["permanent", "transient", "unavailable"]),
      code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
      message: text.max(2_000),
    })
    .nullable(),
});

export const encoderWord = z
  .strictObject({
    life: text.min(1).max(100).openapi({ description: "Of this start of it; another one takes its place." }),
    isFirst: z.boolean(),
    isLast: z.boolean().openapi({ description: "It ends; others have its jobs from now on." }),
    version: text.max(100),
    self,
    slots: z.int().min(1).max(1_000),
    jobs: z.array(jobReport).max(2_000),
    tried: z
      .object({ trial: text.max(100), self: self.nullable(), sees: z.boolean(), failure: text.nullable() })
      .nullable(),
  })
  .openapi("MediaEncoderWord");

export const boardAnswer = z
  .object({
    begin: z.array(
      z.object({
        ...jobName,
        profile: z.looseObject({ name: z.string(), codec: z.string(), container: z.enum(["mkv", "mp4"]) }),
        source: z
          .object({ path: z.string(), bytes: count, at: count, length: count, sha256: z.string() })
          .openapi({ description: "Whoever finds bytes of that hash there sees the same file." }),
        output: z.object({ path: z.string(), markerPath: z.string(), marker: z.string() }),
      }),
    ),
    drop: z.array(z.object(jobName)),
    taken: z.array(z.object(jobName)),
    trial: z.object({ trial: z.string(), path: z.string(), marker: z.string() }).nullable(),
    againMs: count,
  })
  .openapi("MediaBoardAnswer");

export const encoderJobParam = z.object({
  name: mediaName,
  key: text.min(1).max(300),
  turn: z.coerce.number().int().min(1).max(1_000_000),
});

export const arrivedBytes = z
  .object({ bytes: count.openapi({ description: "How much of the film is here." }) })
  .openapi("MediaFilmArrived");
export const sourceHash = z.object({ sha256: z.string() }).openapi("MediaSourceHash");
export const encoderHas = z.strictObject({
  jobs: z.array(z.object(jobName)).max(2_000).openapi({ description: "What it has, as it knows it." }),
});
export const encoderNews = z
  .object({ isNews: z.boolean().openapi({ description: "It is to speak: it would be told something." }) })
  .openapi("MediaEncoderNews");
export const filmWhole = z.strictObject({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
export const filmOffset = z.object({
  "upload-offset": z.string().regex(/^\d{1,15}$/, "how many bytes come before it"),
});
