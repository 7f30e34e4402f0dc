// One item's way through its pipeline, rebuilt from the journal. Every row has to follow from the rows before it.

import { JOURNAL_KIND, journalKindName } from "../../src/engine/items/codes.ts";
import type { Counts } from "./counts.ts";
import type { JournalEntry, Snapshot } from "./snapshot.sql.ts";
import { type Invariant, Violation } from "./violation.ts";

export interface Path {
  readonly stage: number;
  readonly ended: number;
  readonly attempts: number;
  readonly series: number;
  /** Stage and series of every success. */
  readonly successes: ReadonlySet<string>;
}

export interface Surroundings {
  readonly stages: number;
  readonly attemptsMax: number;
  readonly workers: Snapshot["workers"];
  /** Who had to watch which lane. */
  readonly watches: Snapshot["watches"];
  /** It lives in one stage only, and ends with it. */
  readonly isPart: boolean;
  readonly counts: Counts;
}

const K = JOURNAL_KIND;
const BY_HOLDER: ReadonlySet<number> = new Set([
  ...[K.done, K.skip, K.again, K.wait, K.back, K.ask, K.spawn, K.fault, K.started, K.chosen],
]);
/** Refusals of our own: nobody was even asked. */
const NEVER_COUNTED: ReadonlySet<string | null> = new Set(["SERVICE_DOWN", "RATE_LIMITED", "NO_CLIENT"]);
/** The other side is down or busy, in the words of the simulated services. */
const UNAVAILABLE: ReadonlySet<string | null> = new Set(["REFUSED", "BUSY", "AUTH"]);
/** So many waits in a row are an item's own doing, where others are served meanwhile. */
const WAITS_BEFORE = 4;
const WHILE_IDLE: ReadonlySet<number> = new Set([K.answered, K.signalled, K.joined, K.rescheduled, K["let-through"]]);

export function follow(
  path: Path | undefined,
  entry: JournalEntry,
  was: Snapshot["runs"][number] | undefined,
  around: Surroundings,
): Path {
  const [, item, epoch, version, kind, stage, toStage, ended, attempt, series, code] = entry;
  const { counts } = around;
  const require = (condition: boolean, invariant: Invariant, what: string) => {
    if (!condition)
      throw new Violation(
        invariant,
        `item ${item}, ${journalKindName(kind)}: ${what}; ${JSON.stringify({ entry, path: { ...path, successes: [...(path?.successes ?? [])] }, was })}`,
      );
  };
  const owned = was !== undefined && was[6] === 1 && was[2] === epoch && was[3] === version;
  if (kind === K.accepted) {
    require(path === undefined &&
      (around.isPart ? toStage !== null : toStage === 0), "legal path", "it was there before");
    return { stage: toStage ?? 0, ended: 0, attempts: 0, series: 1, successes: new Set() };
  }
  if (path === undefined) throw new Violation("legal path", `item ${item} has history before it was accepted`);
  if (kind === K.refused) {
    require(!owned, "one owner", "its owner was refused");
    counts.add("stale write refused");
    return path;
  }
  counts.add("checked: legal path");
  require(stage === path.stage, "legal path", "it was in another stage");
  require(toStage !== null || ended !== 0, "legal path", "it leads nowhere");
  if (kind === K.retried) {
    require(path.ended === 2 &&
      series === path.series + 1, "legal path", "only what failed is retried, in a new series");
    return { ...path, ended: 0, attempts: 0, series: path.series + 1 };
  }
  if (kind === K.replayed) {
    require(series === path.series + 1 &&
      toStage !== null &&
      toStage <= path.stage, "legal path", "a replay begins a new series, no later than it had come");
    counts.add("replayed");
    return { ...path, ended: 0, stage: toStage ?? 0, attempts: 0, series: path.series + 1 };
  }
  require(path.ended === 0, "legal path", "it had ended");
  // What ended badly outside is begun anew under another key.
  const givesUp = kind === K.fault && ended === 0 && was?.[12] != null && series === path.series + 1;
  require(givesUp || series === path.series + (kind === K.back ? 1 : 0), "legal path", "it is of another series");
  // Somebody left it out by hand, or it was copied from another: nobody held it.
  const isByHand = kind === K.skip && epoch === null;
  const isByTime = kind === K.fault && code === "DEADLINE";
  if (isByHand) require(was === undefined || was[6] === 0, "one owner", "somebody was busy with it");
  else if (isByTime) require(ended === 2 && attempt === null, "legal path", "a deadline ends it and counts nothing");
  else if (BY_HOLDER.has(kind)) require(owned, "one owner", "its writer did not own it");
  if (WHILE_IDLE.has(kind)) require(was?.[6] === 0, "one owner", "somebody was busy with it");
  if (kind === K.seen) checkSeen(entry, was, around, require);
  if (kind === K.fault && attempt !== null) {
    require(!NEVER_COUNTED.has(code), "attempts", "nobody was asked, and it was counted");
    require(!UNAVAILABLE.has(code) || (was?.[13] ?? 0) >= WAITS_BEFORE, "attempts", "an outage was counted");
  } else if (NEVER_COUNTED.has(code) || UNAVAILABLE.has(code)) counts.add("checked: outages");
  if (kind === K["taken-back"]) require(was?.[6] === 1, "one owner", "nobody held it");
  if (kind === K.reclaimed) {
    const isGone = around.workers.some(([one, state]) => one === epoch && state !== 0);
    require(isGone && was?.[2] === epoch, "one owner", "it was taken from a worker that lives");
    counts.add("reclaimed");
  }
  return { ...advance(path, entry, around, require, code, attempt), ...(givesUp ? { series: path.series + 1 } : {}) };
}

/** Whoever brings the end of an outside job is the one who watches, or the service itself calls. */
function checkSeen(
  [, , epoch, version]: JournalEntry,
  was: Snapshot["runs"][number] | undefined,
  { watches, counts }: Surroundings,
  require: (condition: boolean, invariant: Invariant, what: string) => void,
): void {
  require(was?.[6] === 2 && version === was[3] + 1, "watched", "nobody watched it");
  const watcher = watches.find(([duty]) => duty === `watch:${was?.[4]}`)?.[1];
  require(epoch === null || epoch === watcher, "watched", `it is watched by ${watcher}`);
  counts.add(epoch === null ? "seen: told by the service" : "checked: seen");
}

function advance(
  path: Path,
  entry: JournalEntry,
  around: Surroundings,
  require: (condition: boolean, invariant: Invariant, what: string) => void,
  code: string | null,
  attempt: number | null,
): Path {
  const [, , , , kind, , toStage, ended] = entry;
  switch (kind) {
    case K.done:
    case K.skip: {
      const success = `${path.stage}/${path.series}`;
      require(!path.successes.has(success), "one success", "it had succeeded there in this series");
      const isByHand = kind === K.skip && entry[2] === null;
      require(attempt === (isByHand ? null : path.attempts + 1), "attempts", "the attempt is miscounted");
      const isLast = around.isPart || path.stage === around.stages - 1;
      require(isLast
        ? ended === 1
        : ended === 0 && toStage === path.stage + 1, "legal path", "success leads to the next stage");
      around.counts.add("checked: one success");
      around.counts.add("checked: no gap");
      return {
        ...path,
        stage: toStage ?? path.stage,
        ended,
        attempts: 0,
        successes: new Set([...path.successes, success]),
      };
    }
    case K.back:
      require(toStage !== null && toStage < path.stage, "legal path", "back leads to an earlier stage");
      return { ...path, stage: toStage ?? 0, attempts: 0, series: path.series + 1 };
    case K.fault: {
      require(code !== "STOPPING" && code !== "TAKEN", "attempts", "a worker that stops is nobody's fault");
      require(ended === 2 || (ended === 0 && toStage === path.stage), "legal path", "a fault stays or fails");
      if (attempt === null) return { ...path, ended };
      require(attempt === path.attempts + 1 && attempt <= around.attemptsMax, "attempts", "the attempt is miscounted");
      require(ended === 2 || attempt < around.attemptsMax, "attempts", "the last attempt fails");
      around.counts.add("checked: attempts");
      return { ...path, ended, attempts: ended === 0 ? attempt : path.attempts };
    }
    case K.cancelled:
      require(ended === 3, "legal path", "cancelled is an end");
      return { ...path, ended };
    default:
      require(ended === 0 && toStage === path.stage, "legal path", "it stays where it is");
      return path;
  }
}
