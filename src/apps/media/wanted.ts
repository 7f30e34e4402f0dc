// What an item of the media pipeline is about: one film or one episode, as somebody asked for it.

import { z } from "zod";
import { encodingProfile } from "../../connectors/index.ts";
import { qualityProfileSchema } from "./releases/index.ts";

const id = z.number().int().positive();

/** A server it is to be delivered to, and in which encoding; none is as it was found. */
const target = z.object({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/),
  encoding: z.string().max(100).nullable().default(null),
});

const common = {
  profile: qualityProfileSchema,
  targets: z.array(target).max(50).default([]),
  /** What the targets name, whole: whatever is set later, this is what was asked for. */
  encodings: z.array(encodingProfile).max(50).default([]),
  policy: z.enum(["best-effort", "all-or-nothing"]).default("best-effort"),
};

const film = z.object({
  kind: z.literal("film"),
  tmdb: id,
  /** As whoever asked for it knows it: people read it. */
  title: z.string().max(500).nullable().default(null),
  year: z.number().int().nullable().default(null),
  ...common,
});

const episode = z.object({
  kind: z.literal("episode"),
  /** Of the series. */
  tmdb: id,
  season: z.number().int().min(0).max(10_000),
  episode: z.number().int().min(0).max(100_000),
  /** As the metadata service knew it when it was asked for: people read it. */
  series: z.string().max(500),
  name: z.string().max(500).nullable().default(null),
  airs: z.iso.date().nullable().default(null),
  /** How many of its season are wanted: a pack is worth it for several. */
  ofSeason: z.number().int().positive().default(1),
  ...common,
});

/** Every encoding that a target names is told, once, and no other. */
function areTold(asked: Pick<z.infer<typeof film>, "targets" | "encodings">): boolean {
  const named = new Set(asked.targets.flatMap(({ encoding }) => (encoding === null ? [] : [encoding])));
  const told = asked.encodings.map(({ name }) => name);
  return told.length === named.size && told.every((name) => named.has(name));
}
const TOLD = { path: ["encodings"], error: "the encodings that the targets name, each once" };

export const wanted = z.discriminatedUnion("kind", [film, episode]).refine(areTold, TOLD);

export type WantedItem = z.infer<typeof wanted>;
export type WantedFilm = z.infer<typeof film>;
export type WantedEpisode = z.infer<typeof episode>;

const series = z.object({
  tmdb: id,
  /** Absent for all of them but the specials. */
  seasons: z.array(z.number().int().min(0)).max(200).optional(),
  episodes: z
    .array(z.object({ season: z.number().int().min(0), episode: z.number().int().min(0) }))
    .max(5_000)
    .optional(),
  ...common,
});

export const seriesAsked = series.refine(areTold, TOLD);

export type SeriesAsked = z.infer<typeof seriesAsked>;

/** What is noted of the request that one of these belongs to. */
export function notedOf(input: WantedItem | SeriesAsked) {
  const { tmdb, profile, policy, encodings } = input;
  const targets = input.targets.map(({ name, encoding }) => ({
    ...{ name, encoding },
    profile: encodings.find((one) => one.name === encoding) ?? null,
  }));
  const kind = "kind" in input && input.kind === "film" ? ("film" as const) : ("series" as const);
  return { kind, tmdb, profile: profile.name, policy, targets };
}
