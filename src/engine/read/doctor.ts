// Does the engine keep its own rules? Each rule is a named check: what it found, what that means, what to do.

import type { Queryable } from "../db/database.ts";
import { CHECKS, type CheckName, type CheckStatement, findBroken, WINDOW } from "./checks.sql.ts";
import { type BrokenRow, knownBroken, type LookRow, whereToLook } from "./looks.sql.ts";

export interface CheckResult {
  readonly name: CheckName;
  readonly isOk: boolean;
  /** Examples of what breaks it; a few, however many there are. */
  readonly found: readonly string[];
  /** What is wrong when it is broken, and what to do then. */
  readonly wrong: string;
  readonly remedy: string;
  /** Since when it is known to be broken. */
  readonly since: Date | null;
  /** Where it was looked at, of a table that is looked at in windows. */
  readonly place: string;
}

export interface Diagnosis {
  readonly isOk: boolean;
  readonly checks: readonly CheckResult[];
}

const REPORT = "That is a bug in Sluice: please report it with what stands here.";

/** Closed: a check without words does not compile. */
export const CHECK_WORDS: { readonly [Name in CheckName]: { readonly wrong: string; readonly remedy: string } } = {
  "item-without-run": { wrong: "Items that have not ended are nowhere.", remedy: REPORT },
  "run-without-item": { wrong: "Items that have ended, or are gone, are still worked on.", remedy: REPORT },
  "run-without-place": { wrong: "Items stand in a stage or lane that does not exist.", remedy: REPORT },
  "run-out-of-range": { wrong: "Items carry numbers that mean nothing.", remedy: REPORT },
  "run-without-key": {
    wrong: "Items without a fairness key stand in a stage with a limit per key, where nobody looks for them.",
    remedy: `Replay them. ${REPORT}`,
  },
  "wait-without-reason": { wrong: "Items wait without a reason.", remedy: REPORT },
  "wait-without-end": { wrong: "Items wait for something that nothing will bring.", remedy: `Cancel them. ${REPORT}` },
  "request-counts": { wrong: "A request's counts are not those of its items.", remedy: REPORT },
  "lease-of-nobody": {
    wrong: "Items are in the hands of workers that are gone, and nobody takes them back.",
    remedy:
      "Start a worker: every worker takes back what others left. If one runs, look into its log for sweep.failed.",
  },
  "watch-of-nobody": {
    wrong: "Work goes on outside that nobody looks at.",
    remedy: "Start a worker that has the pipeline's code and a client for the service.",
  },
  "worker-not-cleared": {
    wrong: "Workers are gone, and nobody has made sure that they left nothing behind.",
    remedy: "Start a worker. If one runs, look into its log for sweep.failed.",
  },
  "key-of-ended": { wrong: "Keys are taken by requests that are over, so nobody else can have them.", remedy: REPORT },
  "question-of-ended": { wrong: "People are asked about items that have ended.", remedy: REPORT },
  "cleanup-not-begun": {
    wrong: "Something outside has to be removed, and nobody has begun to.",
    remedy: "Start a worker that has the pipeline's code.",
  },
  "cleanup-given-up": {
    wrong: "Something outside has to be removed, and its removal has ended without that.",
    remedy: "Remove it by hand, or retry its item of the pipeline cleanup.",
  },
  "weeks-ahead": {
    wrong: "The journal has no partition for the weeks to come.",
    remedy: "Start a worker, which makes them every hour. If one runs, look into its log for sweep.failed.",
  },
  "outside-all-weeks": {
    wrong: "The journal has rows of a time that no partition is for: a clock has jumped.",
    remedy:
      "Look at the database's clock. The rows are read like all others, and go when the weeks go that were written after them.",
  },
  "feed-held-back": {
    wrong: "A transaction does not end, and everybody who follows events waits for it.",
    remedy: "End that session.",
  },
  "duty-overdue": {
    wrong: "What the engine does by itself was not done for hours, although a worker runs.",
    remedy: "Look into the workers' logs for sweep.failed.",
  },
  "service-down-for-a-day": {
    wrong: "A service has been down for more than a day, and what needs it waits.",
    remedy: "Mend it, then check it; or cancel what waits for it.",
  },
};

const NAMES = Object.keys(CHECKS) as CheckName[]; // Object.keys forgets the key type of a constant

/** Cheap enough to be asked at any time: every look is bounded, however large the tables are. */
export async function examine(db: Queryable): Promise<Diagnosis> {
  const look = await whereToLook(db);
  const known = new Map((await knownBroken(db)).map((row) => [row.name, row]));
  const checks: CheckResult[] = [];
  for (const name of NAMES) checks.push(await examineOne(db, name, look, known.get(name)));
  return { isOk: checks.every((check) => check.isOk), checks };
}

async function examineOne(
  db: Queryable,
  name: CheckName,
  look: LookRow,
  known: BrokenRow | undefined,
): Promise<CheckResult> {
  const check: CheckStatement = CHECKS[name];
  const common = { name, ...CHECK_WORDS[name], since: known?.since ?? null };
  for (const place of placesFor(check, look, known)) {
    const found = await findBroken(db, check, place);
    if (found.length > 0) return { ...common, isOk: false, found, place };
  }
  return { ...common, isOk: true, found: [], since: null, place: "0" };
}

/** The newest rows, another window at every turn, and where it was broken before: else it would count as mended. */
function placesFor(check: CheckStatement, look: LookRow, known: BrokenRow | undefined): string[] {
  if (check.over === undefined) return ["0"];
  const window = BigInt(check.window ?? WINDOW);
  const highest = BigInt(look[check.over]);
  const newest = highest - window + 1n;
  const turning = (BigInt(look.turn) * window) % (highest + 1n);
  const places = [newest > 0n ? newest : 0n, turning, ...(known === undefined ? [] : [BigInt(known.place)])];
  return [...new Set(places.map(String))];
}
