// What a whole torrent has to give back before it may go: what its indexer asks for, and what was set. Pure.

import type { SeenTorrent } from "../../../connectors/index.ts";
import { type NotYet, notYet } from "../../../engine/index.ts";
import { describeDuration } from "../../../kit/index.ts";

/** Met by whichever of the two comes first, as trackers count it. */
export interface SeedGoal {
  readonly ratio: number | null;
  readonly seedMs: number | null;
}

/** A ratio may be reached at any time; nobody has to know it to the minute. */
const LOOK_MS = 15 * 60_000;
const SOONEST_MS = 1_000;

/** Why the torrent may not go with this tag yet; undefined when it may, or when letting go of the tag does not remove it. */
export function keepsSeeding(
  { isOurs, tags, state, ratio, seededMs }: SeenTorrent,
  tag: string,
  goals: readonly SeedGoal[],
): NotYet | undefined {
  const open = goals.filter((goal) => isSet(goal) && !isMet(goal, ratio, seededMs));
  if (open.length === 0 || !isOurs || tags.some((other) => other !== tag)) return undefined;
  // It may be whole or not: who cannot tell must not remove it.
  if (state === "checking" || state === "moving" || state === "unknown")
    return notYet("seeding", "the download client is busy with its files, and then it is removed", "1m");
  if (state !== "complete") return undefined;
  const left = open.map(({ seedMs }) => (seedMs === null ? LOOK_MS : seedMs - seededMs));
  return notYet(
    "seeding",
    `keeps seeding until it has ${open.map(inWords).join(", and ")}; then it is removed`,
    Math.max(SOONEST_MS, Math.min(LOOK_MS, ...left)),
  );
}

const isSet = ({ ratio, seedMs }: SeedGoal): boolean => (ratio ?? 0) > 0 || (seedMs ?? 0) > 0;

const isMet = (goal: SeedGoal, ratio: number, seededMs: number): boolean =>
  (goal.ratio !== null && ratio >= goal.ratio) || (goal.seedMs !== null && seededMs >= goal.seedMs);

function inWords({ ratio, seedMs }: SeedGoal): string {
  const given = ratio === null ? [] : [`given back ${ratio} of what it got`];
  const seeded = seedMs === null ? [] : [`seeded for ${describeDuration(seedMs)}`];
  return [...given, ...seeded].join(" or ");
}
