// How a film is to be encoded, as a person sets it.

import { z } from "zod";

export const X_PRESETS = [
  "ultrafast",
  "superfast",
  "veryfast",
  "faster",
  "fast",
  "medium",
  "slow",
  "slower",
  "veryslow",
] as const;

const language = z.string().regex(/^[a-z]{2,3}$/, "a language is two or three small letters, as in de or eng");
const languages = z.array(language).min(1).max(20);

const audio = z.strictObject({
  /** All of it, or these languages and what does not say which it is. The first stays where none of them is there. */
  keep: z.union([z.literal("all"), languages]).default("all"),
  /** What the container cannot hold is made aac, also where it is to be copied. */
  codec: z.enum(["copy", "aac", "opus"]).default("copy"),
  /** Of each stream that is not copied. */
  kbps: z.int().min(32).max(512).default(160),
});

const common = {
  name: z.string().trim().min(1).max(60),
  container: z.enum(["mkv", "mp4"]).default("mkv"),
  /** Higher films are made so high; lower ones stay as they are. */
  maxHeight: z.int().min(144).max(4_320).multipleOf(2).nullable().default(null),
  audio: audio.prefault({}),
  /** Text becomes what the container holds; pictures are left out of mp4, which holds none. */
  subtitles: z.union([z.literal("all"), z.literal("none"), languages]).default("all"),
  /** Whether what came out larger than its source is kept. */
  keepLarger: z.boolean().default(false),
};
// 0 would be lossless, in a kind of H.264 that players do not take.
const crf = z.int().min(1).max(51);
const preset = z.enum(X_PRESETS).default("medium");

export const encodingProfile = z.discriminatedUnion("codec", [
  z.strictObject({ ...common, codec: z.literal("h264"), crf: crf.default(21), preset }),
  z.strictObject({ ...common, codec: z.literal("hevc"), crf: crf.default(24), preset }),
  z.strictObject({
    ...common,
    codec: z.literal("av1"),
    crf: z.int().min(1).max(63).default(30),
    /** Of SVT-AV1: 0 is the slowest. */
    preset: z.int().min(0).max(13).default(8),
  }),
]);

export type EncodingProfile = z.output<typeof encodingProfile>;
export type EncodingProfileInput = z.input<typeof encodingProfile>;
export type VideoCodec = EncodingProfile["codec"];
