// What a run has come to, for people; and whether it has kept the bars. Pure.

import { type Finding, isCompleted, isSpent } from "./check.ts";
import type { Evidence } from "./evidence.ts";
import type { Outcome } from "./run.ts";
import { fulfilled, recovery } from "./sums.ts";

const COMPLETED_LEAST = 0.99;
const RECOVERED_LEAST = 0.95;
/** Of what the services outside take by themselves. */
const WALL_MOST = 2;
/** Of each kind. */
const SHOWN_FINDINGS = 8;
/** A run in which too little happened proves nothing. */
const OUTAGES_LEAST = 5;
/** Of what is asked for, and one in any run: what nobody has can never be completed, and proves nothing else. */
const UNKNOWN_MOST = 0.005;

/** Why it is not as it should be; empty when all is well. */
export function verdict(outcome: Outcome): readonly string[] {
  const { findings, fired, evidence } = outcome;
  const { completed, wanted } = sums(evidence);
  const { requests, unknown } = evidence;
  const { recovered, troubles } = recovery(evidence);
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  const broken = [...fired.values()].reduce((sum, times) => sum + times, 0);
  // In a short run one that nobody has is more than a hundredth already.
  const least = (all: number) => Math.min(all * COMPLETED_LEAST, all - unknown.size);
  const done = fulfilled(evidence);
  return [
    ...[...kinds].map(([kind, all]) => `${all.length} × ${kind}`),
    ...(completed < least(wanted) ? [`only ${completed} of ${wanted} were completed`] : []),
    ...(done < least(requests) ? [`only ${done} of ${requests} requests were fulfilled`] : []),
    ...(recovered < troubles * RECOVERED_LEAST ? [`only ${recovered} of ${troubles} faults were got over`] : []),
    ...(outcome.judgesTimes && share(evidence) > WALL_MOST
      ? [`it took ${share(evidence).toFixed(2)} times what the services take by themselves`]
      : []),
    ...(broken < OUTAGES_LEAST ? [`void: only ${broken} things were broken`] : []),
    ...(unknown.size > Math.max(1, requests * UNKNOWN_MOST) ? [`void: ${unknown.size} that nobody has`] : []),
    ...(wanted === 0 ? ["void: nothing was asked for"] : []),
  ];
}

function sums({ items }: Evidence) {
  const wanted = items.filter(({ asked }) => asked !== null);
  return { wanted: wanted.length, completed: wanted.filter(isCompleted).length };
}

const ownMs = ({ ownTimes }: Evidence): number => ownTimes.reduce((sum, { ms }) => sum + ms, 0);

/** The wall time, as so many times the sum of the services' own. */
const share = (evidence: Evidence): number => evidence.wallMs / Math.max(1, ownMs(evidence));

export function details(outcome: Outcome): readonly string[] {
  const { evidence, fired, quietMs, seed, load } = outcome;
  const { items, unknown, transitions, versions } = evidence;
  const { wanted, completed } = sums(evidence);
  const { recovered, troubles } = recovery(evidence);
  const waiting = items.filter(({ asked, state }) => state !== "done" && asked !== null && unknown.has(asked));
  const history = items.flatMap((item) => item.history);
  const spent = history.filter(isSpent);
  const tookMs = items.flatMap(({ createdAt, finishedAt, asked }) =>
    finishedAt === null || asked === null ? [] : [finishedAt.getTime() - createdAt.getTime()],
  );
  const rows: readonly (readonly [string, string])[] = [
    ["seed", `${seed}; the machine's load was ${load.toFixed(1)}`],
    ["broken", counted(fired)],
    ["requests", `${fulfilled(evidence)} of ${evidence.requests} fulfilled, in ${wanted} films and episodes`],
    ["completed", `${completed} of ${wanted}, each compared at every server; half in ${inSeconds(middle(tookMs))}`],
    ["not there", `${waiting.length} that nobody has, waiting as not_available`],
    ["mended", `the last was there ${inSeconds(quietMs)} after everything was mended`],
    ["recovered", `${recovered} of ${troubles} faults and stalls, without a hand`],
    ["seen", `${versions.length} files under their names, each whole from the first moment it was seen`],
    ["transitions", `${transitions.recorded} recorded, ${transitions.events} events, ${transitions.lines} lines`],
    ["own times", evidence.ownTimes.map(({ service, ms }) => `${service} ${inSeconds(ms)}`).join(", ")],
    ["wall time", `${inSeconds(evidence.wallMs)}, ${share(evidence).toFixed(2)} times their sum`],
    ["faults", counted(byCode(history.filter(({ outcome: how }) => how === "fault").map(({ code }) => code ?? "?")))],
    ["waits", counted(byCode(history.filter(({ outcome: how }) => how === "wait").map(({ reason }) => reason ?? "?")))],
    ["outside", counted(byCode(history.filter(({ outcome: how }) => how === "seen").map(({ code }) => code ?? "?")))],
    ["given back", `${history.filter(({ outcome: how }) => how === "back").length} releases, the next one taken`],
    ["attempts", `${spent.length} spent: ${counted(byCode(spent.map(({ code }) => code ?? "?"))) || "none"}`],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`);
}

export function lastLine({ evidence, findings, seconds, quietMs }: Outcome): string {
  const { wanted, completed } = sums(evidence);
  const { recovered, troubles } = recovery(evidence);
  const count = (...kinds: readonly Finding["kind"][]) => findings.filter(({ kind }) => kinds.includes(kind)).length;
  return [
    `${seconds} s of faults`,
    `${fulfilled(evidence)} of ${evidence.requests} requests`,
    `${completed} of ${wanted} completed (${((100 * completed) / Math.max(1, wanted)).toFixed(1)} %)`,
    `${count("stuck", "untrue reason")} stuck`,
    `${count("wrong content")} wrong content`,
    `${count("half a file")} half-written`,
    `${count("orphan")} orphan torrents`,
    `${count("process")} orphan processes`,
    `${count("left behind")} left behind`,
    `${count("attempt")} attempts spent on outages`,
    `${recovered} of ${troubles} faults recovered`,
    `wall time ${share(evidence).toFixed(2)} × the services' own`,
    `quiet ${inSeconds(quietMs)} after the last`,
  ].join(", ");
}

/** The findings, each with the story of its item where that is known. */
export function story({ findings, evidence }: Outcome): readonly string[] {
  const some = [...Map.groupBy(findings, ({ kind }) => kind).values()].flatMap((all) => all.slice(0, SHOWN_FINDINGS));
  const shown = some.flatMap(({ kind, what }) => {
    const item = evidence.items.find(({ id }) => what.startsWith(id));
    const past = item?.history.map(
      ({ ended, outcome, from, attempt, code, reason, message }) =>
        `    ${ended.toISOString().slice(11, 23)} ${[outcome, from, attempt ?? "-", code, reason, message?.slice(0, 150)].filter(Boolean).join(" ")}`,
    );
    return [`${kind}: ${what}`, ...(past ?? []).slice(-25)];
  });
  const more = findings.length - some.length;
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
