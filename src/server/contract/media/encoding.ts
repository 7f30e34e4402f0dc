// Encodings, encoders and what they do, on the wire to people.

import { z } from "@hono/zod-openapi";
import type { EncoderSeen, JobSeen, SetEncoding } from "../../../apps/media/index.ts";
import { itemId, time } from "../common.ts";

const codec = z.enum(["h264", "hevc", "av1"]);
const languages = z.array(z.string()).max(20);
const audio = z.object({
  keep: z.union([z.literal("all"), languages]).openapi({ description: "Or languages, as in de or eng." }),
  codec: z.enum(["copy", "aac", "opus"]),
  kbps: z.int().openapi({ description: "Of each stream that is not copied." }),
});

export const encodingView = z
  .object({
    name: z.string(),
    codec,
    crf: z.int().openapi({ description: "1–51, for AV1 1–63; lower is better and larger." }),
    preset: z.union([z.string(), z.int()]).openapi({ description: "ultrafast to veryslow; for AV1 0 to 13." }),
    container: z.enum(["mkv", "mp4"]),
    maxHeight: z.int().nullable().openapi({ description: "Higher films are made so high." }),
    audio,
    subtitles: z.union([z.enum(["all", "none"]), languages]),
    keepLarger: z.boolean().openapi({ description: "Whether what came out larger than its source is kept." }),
    isAsItCame: z.boolean().openapi({ description: "One of those that come along, unchanged; it cannot be removed." }),
  })
  .openapi("MediaEncoding");

/** What is left out is as it usually is with that codec; what is wrong is said by the field. */
export const encodingSetting = encodingView
  .omit({ name: true, isAsItCame: true, audio: true })
  .partial()
  .extend({ codec, audio: audio.partial().strict().optional() })
  .strict();

export function toEncodingView({ profile, isAsItCame }: SetEncoding): EncodingView {
  const { audio: sound, subtitles, ...rest } = profile;
  const plain = (kept: typeof subtitles) => (typeof kept === "string" ? kept : [...kept]);
  const keep = sound.keep === "all" ? ("all" as const) : [...sound.keep];
  return { ...rest, audio: { ...sound, keep }, subtitles: plain(subtitles), isAsItCame };
}

const encodeJob = z
  .object({
    item: itemId,
    title: z.string().nullable().openapi({ description: "Of the film or the episode." }),
    encoding: z.string(),
    state: z.enum(["waiting", "running", "done", "failed"]),
    encoder: z.string().nullable(),
    phase: z.enum(["fetching", "encoding", "sending"]).nullable(),
    progress: z.number().nullable().openapi({ description: "In percent." }),
    frames: z.number().nullable(),
    fps: z.number().nullable(),
    speed: z.number().nullable().openapi({ description: "Seconds of film in a second." }),
    etaMs: z.number().nullable(),
    outBytes: z.number().nullable().openapi({ description: "Of what has been made so far, or was made." }),
    sourceBytes: z.number(),
    turn: z.int().openapi({ description: "How many encoders had it, the one that has it included." }),
    since: time.openapi({ description: "When it was given to its encoder, or began to wait." }),
    endedAt: time.nullable(),
    result: z.enum(["made", "same", "larger"]).nullable(),
    reason: z.string().nullable().openapi({ description: "Why nothing was made, why it failed, or why it waits." }),
  })
  .openapi("MediaEncodeJob");

const way = z.enum(["seen", "sent"]).nullable();

export const encoderView = z
  .object({
    name: z.string(),
    where: z.enum(["local", "remote"]).openapi({ description: "`local`: a part of a server or worker." }),
    state: z.enum(["online", "offline", "stopped"]).openapi({
      description: "`offline`: not heard of for 90 s. `stopped`: it said goodbye.",
    }),
    isOn: z.boolean().openapi({ description: "Off: it ends what it has and gets no more." }),
    heardAt: time,
    addedAt: time,
    version: z.string().openapi({ description: "Of Sluice." }),
    program: z.string().openapi({ example: "ffmpeg 5.1.6" }),
    codecs: z.array(z.string()).openapi({ description: "What it has really encoded a picture with." }),
    audioCodecs: z.array(z.string()),
    hasNoNetwork: z.boolean(),
    slots: z.int().openapi({ description: "Jobs at a time." }),
    reads: way.openapi({ description: "How it last came to a source: it sees it, or it was sent." }),
    writes: way.openapi({ description: "How its last film came back." }),
    jobs: z.array(encodeJob),
  })
  .openapi("MediaEncoder");

export const encoderSetting = z.strictObject({ isOn: z.boolean() });
export const encodesOfItem = encodeJob;

export type EncodingView = z.infer<typeof encodingView>;
export type EncodingSetting = z.infer<typeof encodingSetting>;
export type EncodeJobView = z.infer<typeof encodeJob>;
export type EncoderView = z.infer<typeof encoderView>;
export type EncoderSetting = z.infer<typeof encoderSetting>;

export function toJobView({ since, endedAt, ...job }: JobSeen): EncodeJobView {
  return { ...job, since: since.toISOString(), endedAt: endedAt?.toISOString() ?? null };
}

export function toEncoderView({
  place,
  heardAt,
  addedAt,
  codecs,
  audioCodecs,
  jobs,
  ...one
}: EncoderSeen): EncoderView {
  return {
    ...one,
    where: place,
    heardAt: heardAt.toISOString(),
    addedAt: addedAt.toISOString(),
    codecs: [...codecs],
    audioCodecs: [...audioCodecs],
    jobs: jobs.map(toJobView),
  };
}
