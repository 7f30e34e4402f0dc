// What a run is told to have been: a table, what was wrong with it, and the line that others read.

import { JOURNAL_KIND, journalKindName } from "../../src/engine/items/codes.ts";
import { formatId } from "../../src/kit/index.ts";
import { type Evidence, type Finding, type FindingKind, type JobFact, PLANTED } from "./evidence.ts";
import { quantile, RECOVERY_MOST_MS, RESTART_MOST_MS, type Recovery } from "./recovery.ts";
import { NEMESIS_TYPES, type NemesisType } from "./schedule.ts";
import { timeline } from "./timeline.ts";

const ENDED_LEAST = 0.9;
const SHOWN_FINDINGS = 15;
const SHOWN_SLOW = 10;

export interface Outcome {
  readonly seconds: number;
  readonly seed: number;
  readonly fired: ReadonlyMap<NemesisType, number>;
  readonly eaten: number;
  /** From the start of each worker process until it was ready. */
  readonly startsMs: readonly number[];
  /** Whether slow recoveries count against it, or are only told. */
  readonly judgesTimes: boolean;
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly recoveries: readonly Recovery[];
}

/** Why the run proves nothing or proves the opposite; empty when all is well. */
export function verdict(outcome: Outcome): string[] {
  const { findings, fired, eaten, evidence, recoveries } = outcome;
  const reasons: string[] = [];
  const [first] = findings;
  if (first !== undefined) reasons.push(`${findings.length} findings, the first: ${first.what}`);
  for (const type of NEMESIS_TYPES) if (!fired.get(type)) reasons.push(`void: no ${type} happened`);
  if (eaten === 0) reasons.push("void: no reply was swallowed");
  const ended = evidence.items.filter((item) => item.state !== 0).length;
  if (ended === 0 || ended < evidence.items.length * ENDED_LEAST)
    reasons.push("void: fewer than 90 % of the items ended");
  if (!evidence.jobs.some((job) => job.effects > 0)) reasons.push("void: the job service did nothing");
  if (!evidence.jobs.some((job) => job.removed > 0 && job.tag !== PLANTED)) reasons.push("void: no job was cancelled");
  if (evidence.explained.items === 0) reasons.push("void: nothing that waited was asked why");
  if (recoveries.length === 0) reasons.push("void: no killed worker held anything");
  if (!outcome.judgesTimes) return reasons;
  const slow = recoveries.filter((one) => one.ms > RECOVERY_MOST_MS).length;
  if (slow > 0) reasons.push(`${slow} items were begun again later than ${RECOVERY_MOST_MS / 1000} s after the kill`);
  const late = restartTimes(recoveries).filter((ms) => ms > RESTART_MOST_MS).length;
  if (late > 0)
    reasons.push(
      `${late} items were begun again later than ${RESTART_MOST_MS / 1000} s after the same worker was up again`,
    );
  return reasons;
}

function restartTimes(recoveries: readonly Recovery[]): number[] {
  return recoveries.flatMap(({ sinceReadyMs }) => (sinceReadyMs === null ? [] : [sinceReadyMs]));
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const spread = (times: readonly number[]) =>
  `p50 ${inSeconds(quantile(times, 0.5))} p99 ${inSeconds(quantile(times, 0.99))} max ${inSeconds(quantile(times, 1))}`;

export function lastLine({ seconds, fired, evidence, findings, recoveries }: Outcome): string {
  const count = (kind: FindingKind) => findings.filter((finding) => finding.kind === kind).length;
  const times = recoveries.map((one) => one.ms);
  return [
    `${seconds} s`,
    `${fired.get("kill") ?? 0} SIGKILL`,
    `${fired.get("pause") ?? 0} SIGSTOP`,
    `${fired.get("crash") ?? 0} database crashes`,
    `${evidence.items.length} items`,
    `${count("lost")} lost`,
    `${count("recorded twice")} recorded twice`,
    `${count("effect twice")} effects twice`,
    `${count("blameless failure")} blameless failures`,
    `recovery p50 ${inSeconds(quantile(times, 0.5))} max ${inSeconds(quantile(times, 1))}`,
  ].join(", ");
}

/** What was done to the job service, and what it remembers. */
export function jobsLine({ fired, evidence }: Outcome): string {
  const { jobs, webhooks } = evidence;
  const sum = (count: (job: JobFact) => number) => jobs.reduce((total, job) => total + count(job), 0);
  return [
    `${fired.get("service kill") ?? 0} service kills`,
    `${fired.get("partition") ?? 0} partitions`,
    `${fired.get("refusal") ?? 0} refusals`,
    `${sum((job) => job.made)} jobs started ${sum((job) => job.starts)} times`,
    `${sum((job) => job.effects)} done`,
    `${sum((job) => job.removed)} removed`,
    `${jobs.filter((job) => job.isAlive).length} orphans`,
    `${webhooks.length} webhooks of which ${webhooks.filter((one) => one.isNews).length} were news`,
  ].join(", ");
}

export function details(outcome: Outcome): string[] {
  const { evidence, fired, recoveries } = outcome;
  const { removals } = evidence;
  const kinds = Map.groupBy(evidence.journal, (row) => journalKindName(row.kind));
  const states = Map.groupBy(evidence.items, (item) => item.state);
  const answers = Map.groupBy(evidence.operations, (one) =>
    one.op === "result" ? "result" : `${one.op} ${one.answer}`,
  );
  const sizes = (groups: Map<unknown, readonly unknown[]>) =>
    [...groups].map(([name, all]) => `${name} ${all.length}`).join(", ");
  const faults = Map.groupBy(
    evidence.journal.filter((row) => row.kind === JOURNAL_KIND.fault),
    (row) => row.code,
  );
  const already = evidence.calls.filter((call) => !call.applied).length;
  const restarts = restartTimes(recoveries);
  const struckAgain = recoveries.flatMap(({ struckAgainMs }) => (struckAgainMs === null ? [] : [struckAgainMs]));
  const pairs: readonly (readonly [string, string])[] = [
    ["seed", String(outcome.seed)],
    ["nemeses", [...fired].map(([name, times]) => `${name} ${times}`).join(", ")],
    ["replies swallowed", String(outcome.eaten)],
    ["client", sizes(answers)],
    [
      "items",
      ["live", "done", "failed", "cancelled"]
        .map((name, state) => `${name} ${states.get(state)?.length ?? 0}`)
        .join(", "),
    ],
    ["journal", sizes(kinds)],
    ["calls outside", `${evidence.calls.length}, of which ${already} were repeats that the key made harmless`],
    ["faults", sizes(faults)],
    ["removals outside", `${removals.total}, of which ${removals.waiting} wait for what may never have been started`],
    ["explained", explainedLine(evidence.explained)],
    ["capped stage", `at most ${evidence.capped.most} of ${evidence.capped.cap}`],
    [
      "worker starts",
      `${outcome.startsMs.length}, p50 ${inSeconds(quantile(outcome.startsMs, 0.5))} max ${inSeconds(quantile(outcome.startsMs, 1))}`,
    ],
    [
      "recovery",
      `${recoveries.length} items, p50 ${inSeconds(
        quantile(
          recoveries.map((one) => one.ms),
          0.5,
        ),
      )}`,
    ],
    ["restarted at once", `${restarts.length} items, since it was up ${spread(restarts)}`],
    ["and struck again", `${struckAgain.length} items, not judged by that, ${spread(struckAgain)}`],
  ];
  return pairs.map(([name, value]) => `  ${name.padEnd(18)} ${value}`);
}

function explainedLine({ looks, missed, items, reasons, wrong }: Evidence["explained"]): string {
  const told = [...reasons]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ");
  return `${items} waiting items in ${looks} looks (${missed} missed), ${wrong.length} not as the claim decides: ${told}`;
}

/** The findings, the gravest kinds first, and the slowest recoveries, each with the story of its item. */
export function story({ evidence, findings, recoveries }: Outcome): string[] {
  const sorted = [...findings].sort((a, b) => Number(a.kind === "other") - Number(b.kind === "other"));
  const lines = sorted
    .slice(0, SHOWN_FINDINGS)
    .flatMap((finding) => [
      `${finding.kind}: ${finding.item === undefined ? "" : `item ${finding.item} `}${finding.what}`,
      ...(finding.item === undefined ? [] : itemStory(evidence, finding.item)),
    ]);
  const more = findings.length - SHOWN_FINDINGS;
  if (more > 0) lines.push(`… and ${more} more`);
  const worst = [...recoveries].sort((a, b) => b.ms - a.ms).slice(0, 1);
  const slow = recoveries.filter(
    (one) => worst.includes(one) || one.ms > RECOVERY_MOST_MS || (one.sinceReadyMs ?? 0) > RESTART_MOST_MS,
  );
  // One for each kill: what one worker held was slow for one reason.
  const slowest = [...Map.groupBy(slow, (one) => one.kill.pid).values()].flatMap((all) => all.slice(0, 1));
  for (const one of slowest.sort((a, b) => b.ms - a.ms).slice(0, SHOWN_SLOW)) {
    const { item, ms, sinceReadyMs, kill } = one;
    const since = sinceReadyMs === null ? "" : `, ${inSeconds(sinceReadyMs)} after the same worker was up again`;
    lines.push(`slow: item ${item}, ${inSeconds(ms)} after ${kill.pid} was killed at ${clockTime(kill.at)}${since}`);
    lines.push(...timeline(evidence, one).map(({ at, what }) => `    ${clockTime(at)} ${what}`));
  }
  return lines;
}

const clockTime = (at: number) => new Date(at).toISOString().slice(11, 23);

function itemStory(evidence: Evidence, id: string): string[] {
  const names = new Map(evidence.lives.map((life) => [life.epoch, `${life.name}/${life.pid}`]));
  const item = evidence.items.find((one) => one.id === id);
  const rows = evidence.journal
    .filter((row) => row.item === id)
    .map((row) => {
      const by = names.get(row.epoch ?? "") ?? "";
      const where = `${row.stage ?? "-"}→${row.ended === 0 ? (row.toStage ?? "-") : "end"}`;
      const text = `${journalKindName(row.kind)} v${row.version} ${where} series ${row.series} ${row.code ?? ""} ${by}`;
      return { at: row.at, text };
    });
  const outside = formatId("item", id);
  const visits = evidence.visits
    .filter((one) => one.item === outside)
    .map((one) => ({ at: one.at, text: `  ${one.what} ${one.stage} ${one.step} by ${one.pid} of ${one.ppid}` }));
  const head = `    ${item?.pipeline} ${JSON.stringify(item?.input)}`;
  const lines = [...rows, ...visits].sort((a, b) => a.at - b.at);
  return [head, ...lines.map(({ at, text }) => `    ${clockTime(at)} ${text}`)];
}
