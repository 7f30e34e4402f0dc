// What is asked for when, what is wrong with which release, and what is broken when: drawn from the seed before anything starts. Pure.

import type { Catalogue } from "../../../sandbox/media/catalogue.ts";
import { ENCODERS } from "../../../sandbox/media/encoder-thing.ts";
import { INDEXERS, type Trouble } from "../../../sandbox/media/releases.ts";
import type { Random } from "../../../src/kit/index.ts";

export interface Outage {
  readonly thing: string;
  readonly fault: string;
  readonly atMs: number;
  readonly ms: number;
}

/** One request: a film, or some of a series. */
export interface PlannedRequest {
  readonly atMs: number;
  readonly kind: "film" | "series";
  readonly tmdb: number;
  readonly seasons?: readonly number[];
  readonly episodes?: readonly { readonly season: number; readonly episode: number }[];
  /** Somebody else has added its best release to the download client just before. */
  readonly isThere: boolean;
}

/** How many of the requests are for a season, or for some episodes. */
const SERIES_SHARE = 0.04;
/** Of the films: what is wrong with their best release. The next one is always good. */
const SHARES: readonly (readonly [Trouble, number])[] = [
  ["dead", 0.05],
  ["cut", 0.03],
  ["other", 0.02],
  ["unknown", 0.004],
];
const THERE_SHARE = 0.03;
/** The last request comes while things are still being broken. */
const ASKED_WITHIN = 0.9;

export interface Sizes {
  readonly films: number;
  readonly series: number;
}

export function sizesOf(requests: number): Sizes {
  const series = Math.max(1, Math.round(requests * SERIES_SHARE));
  return { films: requests - series, series };
}

/** By the film's place in the catalogue. */
export function planTroubles({ films }: Sizes, random: Random): readonly Trouble[] {
  const all = SHARES.flatMap(([trouble, share]) =>
    Array<Trouble>(Math.max(1, Math.round(films * share))).fill(trouble),
  );
  return shuffled([...all, ...Array<Trouble>(films - all.length).fill("none")], random);
}

export function planRequests(
  { films, series }: Catalogue,
  troubles: readonly Trouble[],
  seconds: number,
  random: Random,
): readonly PlannedRequest[] {
  const wanted = [
    ...films.map(({ tmdb }, index) => ({
      ...{ kind: "film" as const, tmdb },
      isThere: troubles[index] === "none" && random.fraction() < THERE_SHARE,
    })),
    ...series.map(({ tmdb }, index) => ({ kind: "series" as const, tmdb, ...partOf(index), isThere: false })),
  ];
  const everyMs = (seconds * 1_000 * ASKED_WITHIN) / wanted.length;
  return shuffled(wanted, random).map((one, index) => ({ ...one, atMs: Math.round(index * everyMs) }));
}

/** A season that there is a pack of, the other one, or two episodes. */
function partOf(index: number): Pick<PlannedRequest, "seasons" | "episodes"> {
  const episodes = [1, 2].map((season) => ({ season, episode: 3 }));
  return [{ seasons: [1] }, { seasons: [2] }, { episodes }][index % 3] ?? {};
}

/** How a thing is broken: in turn, for so long, and so long apart, in seconds. */
interface Habit {
  readonly thing: string;
  readonly faults: readonly string[];
  readonly lasts: readonly [number, number];
  readonly apart: readonly [number, number];
}

const HABITS: readonly Habit[] = [
  ...INDEXERS.map((thing) => ({
    thing,
    faults: ["stop", "limit", "nonsense"],
    ...{ lasts: [4, 15] as const, apart: [8, 25] as const },
  })),
  { thing: "metadata", faults: ["stop", "nonsense"], lasts: [3, 8], apart: [20, 45] },
  { thing: "tracker", faults: ["stop"], lasts: [3, 8], apart: [30, 60] },
  { thing: "seeder", faults: ["stop", "stall"], lasts: [4, 12], apart: [25, 50] },
  ...["attic", "cabin"].map((thing) => ({
    ...{ thing, faults: ["stop", "cut", "full"] },
    ...{ lasts: [3, 8] as const, apart: [15, 35] as const },
  })),
  { thing: "vault", faults: ["stop", "cut"], lasts: [3, 8], apart: [15, 35] },
  { thing: "jellyfin", faults: ["stop", "nonsense"], lasts: [3, 8], apart: [20, 45] },
  ...ENCODERS.map((thing) => ({
    ...{ thing, faults: ["kill", "freeze", "stall", "partition"] },
    ...{ lasts: [5, 20] as const, apart: [15, 35] as const },
  })),
  { thing: "client", faults: ["kill", "delete"], lasts: [2, 6], apart: [20, 40] },
  { thing: "worker", faults: ["kill"], lasts: [1, 4], apart: [20, 40] },
];

export function planOutages(seconds: number, random: Random): readonly Outage[] {
  // In a short run each happens early on, and at least once.
  const scale = Math.min(1, seconds / 90);
  return HABITS.flatMap((habit) => outagesOf(habit, seconds, scale, random)).sort((a, b) => a.atMs - b.atMs);
}

function outagesOf({ thing, faults, lasts, apart }: Habit, seconds: number, scale: number, random: Random): Outage[] {
  const between = ([least, most]: readonly [number, number]) => (least + random.fraction() * (most - least)) * scale;
  const all: Outage[] = [];
  const first = Math.floor(random.fraction() * faults.length);
  for (let at = between([2, apart[1]]); at < seconds; at += between(apart)) {
    const fault = faults[(first + all.length) % faults.length] ?? "stop";
    const lasted = between(lasts);
    all.push({ thing, fault, atMs: Math.round(at * 1_000), ms: Math.round(lasted * 1_000) });
    at += lasted;
  }
  return all;
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((value) => ({ value, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
