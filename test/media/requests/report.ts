// What a run has come to, for people; and whether it has kept the bars. Pure.

import { type Finding, isDownloaded, isSpent } from "./check.ts";
import type { Evidence, ItemFacts } from "./evidence.ts";
import type { Outcome } from "./run.ts";

const DOWNLOADED_LEAST = 0.99;
const SHOWN_FINDINGS = 20;
/** A run in which too little happened proves nothing. */
const OUTAGES_LEAST = 5;

/** Why it is not as it should be; empty when all is well. */
export function verdict(outcome: Outcome): readonly string[] {
  const { findings, fired, evidence } = outcome;
  const { downloaded, wanted } = sums(evidence);
  const { requests, unknown } = evidence;
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  const broken = [...fired.values()].reduce((sum, times) => sum + times, 0);
  // In a short run one that nobody has is more than a hundredth already.
  const least = (all: number) => Math.min(all * DOWNLOADED_LEAST, all - unknown.size);
  const fulfilled = requestsDone(evidence);
  return [
    ...[...kinds].map(([kind, all]) => `${all.length} × ${kind}`),
    ...(downloaded < least(wanted) ? [`only ${downloaded} of ${wanted} were downloaded`] : []),
    ...(fulfilled < least(requests) ? [`only ${fulfilled} of ${requests} requests were fulfilled`] : []),
    ...(broken < OUTAGES_LEAST ? [`void: only ${broken} things were broken`] : []),
    ...(wanted === 0 ? ["void: nothing was asked for"] : []),
  ];
}

function sums({ items }: Evidence) {
  const wanted = items.filter(({ asked }) => asked !== null);
  return { wanted: wanted.length, downloaded: wanted.filter(isDownloaded).length };
}

/** All that a request has asked for is there. */
function requestsDone({ items }: Evidence): number {
  const requests = [...Map.groupBy(items, ({ request }) => request).values()];
  const isThere = (item: ItemFacts) => (item.asked === null ? item.state === "done" : isDownloaded(item));
  return requests.filter((all) => all.every(isThere)).length;
}

export function details(outcome: Outcome): readonly string[] {
  const { evidence, fired, quietMs, seed, load } = outcome;
  const { items, unknown } = evidence;
  const { wanted, downloaded } = sums(evidence);
  const waiting = items.filter(({ asked, state }) => state !== "done" && asked !== null && unknown.has(asked));
  const history = items.flatMap((item) => item.history);
  const spent = history.filter(isSpent);
  const tookMs = items.flatMap(({ createdAt, finishedAt, asked }) =>
    finishedAt === null || asked === null ? [] : [finishedAt.getTime() - createdAt.getTime()],
  );
  const rows: readonly (readonly [string, string])[] = [
    ["seed", `${seed}; the machine's load was ${load.toFixed(1)}`],
    ["broken", counted(fired)],
    ["requests", `${requestsDone(evidence)} of ${evidence.requests} fulfilled, in ${wanted} films and episodes`],
    ["downloaded", `${downloaded} of ${wanted}, each by its checksum; half in ${inSeconds(middle(tookMs))}`],
    ["not there", `${waiting.length} that nobody has, waiting as not_available`],
    ["mended", `the last was there ${inSeconds(quietMs)} after everything was mended`],
    ["recovered", `${recovered(evidence)} faults, waits and stalls of items that are done, without a hand`],
    ["faults", counted(byCode(history.filter(({ outcome: how }) => how === "fault").map(({ code }) => code ?? "?")))],
    ["waits", counted(byCode(history.filter(({ outcome: how }) => how === "wait").map(({ reason }) => reason ?? "?")))],
    ["outside", counted(byCode(history.filter(({ outcome: how }) => how === "seen").map(({ code }) => code ?? "?")))],
    ["given back", `${history.filter(({ outcome: how }) => how === "back").length} releases, the next one taken`],
    ["attempts", `${spent.length} spent: ${counted(byCode(spent.map(({ code }) => code ?? "?"))) || "none"}`],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`);
}

/** Everything that went wrong on the way of what has arrived. */
function recovered({ items }: Evidence): number {
  const isTrouble = ({ outcome, code }: ItemFacts["history"][number]) =>
    outcome === "fault" || outcome === "back" || (outcome === "seen" && code !== "DONE");
  return items.filter(({ state }) => state === "done").flatMap(({ history }) => history.filter(isTrouble)).length;
}

export function lastLine({ evidence, findings, seconds, quietMs }: Outcome): string {
  const { wanted, downloaded } = sums(evidence);
  const count = (...kinds: readonly Finding["kind"][]) => findings.filter(({ kind }) => kinds.includes(kind)).length;
  return [
    `${seconds} s of faults`,
    `${requestsDone(evidence)} of ${evidence.requests} requests`,
    `${downloaded} of ${wanted} files (${((100 * downloaded) / Math.max(1, wanted)).toFixed(1)} %)`,
    `${count("stuck", "untrue reason")} stuck`,
    `${count("wrong content")} wrong content`,
    `${count("orphan")} orphan torrents`,
    `${count("attempt")} attempts spent on outages`,
    `${recovered(evidence)} faults recovered`,
    `quiet ${inSeconds(quietMs)} after the last`,
  ].join(", ");
}

/** The findings, each with the story of its item where that is known. */
export function story({ findings, evidence }: Outcome): readonly string[] {
  const shown = findings.slice(0, SHOWN_FINDINGS).flatMap(({ kind, what }) => {
    const item = evidence.items.find(({ id }) => what.startsWith(id));
    const past = item?.history.map(
      ({ ended, outcome, from, attempt, code, reason, message }) =>
        `    ${ended.toISOString().slice(11, 23)} ${[outcome, from, attempt ?? "-", code, reason, message?.slice(0, 150)].filter(Boolean).join(" ")}`,
    );
    return [`${kind}: ${what}`, ...(past ?? []).slice(-25)];
  });
  const more = findings.length - SHOWN_FINDINGS;
  return more > 0 ? [...shown, `… and ${more} more`] : shown;
}

const byCode = (codes: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));

const counted = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ");

const inSeconds = (ms: number | undefined): string => (ms === undefined ? "?" : `${(ms / 1_000).toFixed(1)} s`);

const middle = (times: readonly number[]): number | undefined =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
