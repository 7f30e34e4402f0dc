// What is wrong with how work flows: stuck, failing, idle, piled up, stalled, unexplained. Each rule is a function from the facts
// to causes. Pure.

import { type LanePulse, type StagePulse, type StallSeen, type StuckItem, timeWords } from "../../engine/index.ts";
import { describeDuration } from "../../kit/index.ts";
import { type Cause, earliest, type Facts, few, laneName, latest, many, secondsSince } from "./cause.ts";
import { type RuleSettings, settingOf } from "./rule.ts";

const stageName = ({ pipeline, stage }: { readonly pipeline: string; readonly stage: string }) =>
  `${pipeline}/${stage}`;

/** The services that a stage's lanes go through. */
function servicesOf(facts: Facts, stage: { readonly pipeline: string; readonly stage: string }): string[] {
  const own = facts.lanes.filter((lane) => stageName(lane) === stageName(stage));
  return [...new Set(own.flatMap(({ service }) => (service === null ? [] : [service])))];
}

/** When a service of the stage last came back: until then its items had a reason to wait. */
function backSince(facts: Facts, services: readonly string[]): Date | null {
  return latest(facts.services.filter(({ name }) => services.includes(name)).map(({ since }) => since));
}

export function stuckCauses(facts: Facts, settings: RuleSettings): Cause[] {
  const lasting = facts.stuck.flatMap((item) => {
    const services = servicesOf(facts, item);
    const since = latest([item.explanation.since, backSince(facts, services)]);
    const isLong = since === null || secondsSince(facts.now, since) >= settingOf(settings, "forSeconds");
    return isLong ? [{ ...item, since, services }] : [];
  });
  return [...Map.groupBy(lasting, stageName)].map(([name, items]) => ({
    rule: "stuck",
    key: `stuck/${name}`,
    count: items.length,
    title: `${many(items.length, "item")} stuck in ${name}`,
    sentence: `${stuckSentence(items)} ${items[0]?.explanation.sentence ?? ""}`.trim(),
    byItself: "Nothing: they stay where they are until somebody looks.",
    since: earliest(items.map(({ since }) => since)),
    examples: few(items).map(({ item }) => item),
    pipelines: [items[0]?.pipeline ?? ""],
    services: items[0]?.services ?? [],
  }));
}

function stuckSentence(items: readonly StuckItem[]): string {
  const [first] = items;
  return `${many(items.length, "item")} of ${first?.pipeline} ${items.length === 1 ? "stands" : "stand"} still in ${first?.stage}.`;
}

export function unavailableCauses({ longAway, now }: Facts): Cause[] {
  return [...Map.groupBy(longAway, stageName)].map(([name, items]) => ({
    rule: "unavailable",
    key: `unavailable/${name}`,
    count: items.length,
    title: `${many(items.length, "item")} of ${name} ${items.length === 1 ? "has" : "have"} waited for a day`,
    sentence: `What ${name} needs does not answer, or has no room; the first has waited since ${timeWords(now).since(items[0]?.since ?? now)}.`,
    byItself: "They are tried again every half hour and never fail by that: see to what they wait for, or cancel them.",
    since: items[0]?.since ?? null,
    examples: few(items).map(({ item }) => item),
    pipelines: [items[0]?.pipeline ?? ""],
    services: [...new Set(items.flatMap(({ service }) => (service === null ? [] : [service])))],
  }));
}

export function errorRateCauses(facts: Facts, settings: RuleSettings): Cause[] {
  const isTooMany = ({ attempts, faults }: StagePulse) =>
    attempts >= settingOf(settings, "samples") && faults > (attempts * settingOf(settings, "abovePercent")) / 100;
  return facts.stages.filter(isTooMany).map((stage) => {
    const { attempts, faults, code, faulty } = stage;
    const share = Math.round((faults / attempts) * 100);
    return {
      rule: "error-rate",
      key: `error-rate/${stageName(stage)}`,
      count: faults,
      title: `${share} % of attempts fail in ${stageName(stage)}`,
      sentence: `${faults} of ${many(attempts, "attempt")} failed in the last 15 min${code === null ? "" : `, most with ${code}`}.`,
      byItself:
        "What may pass is tried again until its attempts are used up; what cannot pass fails at once. What has failed waits for a retry by hand.",
      since: null,
      examples: few(faulty),
      pipelines: [stage.pipeline],
      services: servicesOf(facts, stage),
    };
  });
}

/** Reasons that are nobody's intention: it should have been taken. */
const SHOULD_RUN: ReadonlySet<string> = new Set(["queued", "no_worker", "unknown"]);

export function idleCauses(facts: Facts, settings: RuleSettings): Cause[] {
  const limit = settingOf(settings, "forSeconds");
  if (isTooBusyToTell(facts, limit)) return [];
  return [...Map.groupBy(facts.lanes, ({ pipeline }) => pipeline)].flatMap(([pipeline, lanes]) => {
    const due = lanes.filter((lane) => isNeglected(facts, lane));
    const oldest = earliest(due.map(({ oldestAt }) => oldestAt));
    const visited = facts.stages.filter((stage) => stage.pipeline === pipeline).map(({ visitedAt }) => visitedAt);
    const since = latest([oldest, ...visited, ...lanes.map(({ claimedAt }) => claimedAt)]);
    if (oldest === null || since === null || secondsSince(facts.now, since) < limit) return [];
    return [idleCause(facts, pipeline, due, since)];
  });
}

/** A journal so busy that its newest rows do not reach back far enough; `stuck` will tell, later. */
function isTooBusyToTell({ now, readSince }: Facts, limit: number): boolean {
  return readSince !== null && secondsSince(now, readSince) < limit;
}

/** Pipelines of which nobody can say this time that they are not idle: what was told of them stands. */
export function idleOrNot(facts: Facts, settings: RuleSettings): Set<string> {
  const isBusy = isTooBusyToTell(facts, settingOf(settings, "forSeconds"));
  const unsure = facts.lanes.filter((lane) => isBusy || facts.heads.get(laneName(lane)) === null);
  return new Set(unsure.map(({ pipeline }) => `idle/${pipeline}`));
}

function isNeglected(facts: Facts, lane: LanePulse): boolean {
  const head = facts.heads.get(laneName(lane)) ?? undefined;
  return lane.due > 0 && lane.closedBy.length === 0 && head !== undefined && SHOULD_RUN.has(head.reason);
}

function idleCause(facts: Facts, pipeline: string, due: readonly LanePulse[], since: Date): Cause {
  const count = due.reduce((sum, lane) => sum + lane.due, 0);
  const heads = due.flatMap((lane) => facts.heads.get(laneName(lane)) ?? []);
  const isAlone = heads.every(({ reason }) => reason === "no_worker");
  return {
    rule: "idle",
    key: `idle/${pipeline}`,
    count,
    title: isAlone ? `No worker for ${pipeline}` : `Nothing of ${pipeline} is processed`,
    sentence:
      `${many(count, "item")} of ${pipeline} ${count === 1 ? "is" : "are"} due, and nothing was processed for ${describeDuration(facts.now.getTime() - since.getTime())}. ${heads[0]?.sentence ?? ""}`.trim(),
    byItself: isAlone ? "They go on when a worker with its code starts." : "They go on as soon as a worker takes them.",
    since,
    examples: few(due.flatMap(({ oldest }) => oldest)),
    pipelines: [pipeline],
  };
}

/** What waits behind something that a person or a breaker has closed waits for that, and is no backlog. */
export function backlogCauses(facts: Facts, settings: RuleSettings): Cause[] {
  const open = facts.lanes.filter(({ closedBy }) => closedBy.length === 0);
  return [...Map.groupBy(open, stageName)].flatMap(([name, lanes]) => {
    const count = lanes.reduce((sum, lane) => sum + lane.fresh, 0);
    const above = settings.stages[name] ?? settingOf(settings, "above");
    if (count <= above) return [];
    const cause: Cause = {
      rule: "backlog",
      key: `backlog/${name}`,
      count,
      title: `${many(count, "item")} wait for ${name}`,
      sentence: `${many(count, "item")} wait for ${name}; more than ${above.toLocaleString("en-US")} are told of.`,
      byItself: "They are taken in turn; how fast depends on workers and limits.",
      since: null,
      examples: few(lanes.flatMap(({ oldest }) => oldest)),
      pipelines: [lanes[0]?.pipeline ?? ""],
      services: lanes.flatMap(({ service }) => (service === null ? [] : [service])),
    };
    return [cause];
  });
}

export function stalledCauses(facts: Facts, settings: RuleSettings): Cause[] {
  const place = (stall: StallSeen) => `${stageName(stall)}${stall.service === null ? "" : ` at ${stall.service}`}`;
  return [...Map.groupBy(facts.stalls, place)].flatMap(([name, stalls]) => {
    if (stalls.length < settingOf(settings, "atLeast")) return [];
    const cause: Cause = {
      rule: "stalled",
      key: `stalled/${name}`,
      count: stalls.length,
      title: `Work stalled in ${name}`,
      sentence:
        `${many(stalls.length, "item")} stopped moving in ${name} within 15 min. ${stalls[0]?.message ?? ""}`.trim(),
      byItself: "Each was given up there and is tried again; that counts one attempt.",
      since: earliest(stalls.map(({ at }) => at)),
      examples: few(stalls).map(({ item }) => item),
      pipelines: [stalls[0]?.pipeline ?? ""],
      services: stalls.flatMap(({ service }) => (service === null ? [] : [service])).slice(0, 1),
    };
    return [cause];
  });
}

export function unknownCauses({ unknown }: Facts): Cause[] {
  if (unknown.length === 0) return [];
  return [
    {
      rule: "unknown-reason",
      key: "unknown-reason",
      count: unknown.length,
      title: "Items wait and nobody can say why",
      sentence: `${many(unknown.length, "item")} of those looked at ${unknown.length === 1 ? "waits" : "wait"} for no reason that is known. That is a bug in Sluice: please report it with what the doctor says.`,
      byItself: "Nothing: cancel them, or replay them.",
      since: null,
      examples: few(unknown),
    },
  ];
}
