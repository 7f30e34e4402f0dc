// One message for a cause: what is only a consequence of another cause is told with that one. Pure.
//
//   consequence                     is told with
//   backlog, error-rate, stalled,   service-down of a service it goes through
//     stuck, unavailable, idle
//   idle, backlog, stuck            worker-offline of one that had the pipeline's code
//   backlog, stuck                  idle of the same pipeline
//   more than ten of one rule       one message for all of them
//
// A breaker is open from its first second, and a worker gone: what follows from them is folded before they are told of.

import { type Cause, few, many } from "./cause.ts";
import { RULES, type RuleName } from "./rule.ts";

export interface Folded {
  /** To be told. */
  readonly own: readonly Cause[];
  /** Keys of the others, each with the key that it is told with. */
  readonly into: ReadonlyMap<string, string>;
}

const BEHIND_SERVICE: ReadonlySet<RuleName> = new Set([
  "backlog",
  "error-rate",
  "stalled",
  "stuck",
  "unavailable",
  "idle",
]);
const BEHIND_WORKER: ReadonlySet<RuleName> = new Set(["idle", "backlog", "stuck"]);
const BEHIND_IDLE: ReadonlySet<RuleName> = new Set(["backlog", "stuck"]);
/** More at once have something in common, and nobody reads them one by one. */
const ALONE_MOST = 10;

export function fold(causes: readonly Cause[]): Folded {
  const into = new Map<string, string>();
  for (const cause of causes) {
    const target = consequenceOf(cause, causes);
    if (target !== undefined) into.set(cause.key, target);
  }
  const left = causes.filter(({ key }) => !into.has(key));
  const crowds = crowdsOf(left);
  for (const cause of left) {
    const crowd = crowds.get(cause.rule);
    if (crowd !== undefined) into.set(cause.key, crowd.key);
  }
  return { own: [...left.filter(({ key }) => !into.has(key)), ...crowds.values()], into };
}

function consequenceOf(cause: Cause, causes: readonly Cause[]): string | undefined {
  const { rule, services = [], pipelines = [] } = cause;
  const shares = (other: Cause) => (other.pipelines ?? []).some((one) => pipelines.includes(one));
  const of = (name: RuleName) => causes.filter((other) => other.rule === name);
  if (BEHIND_SERVICE.has(rule)) {
    const down = of("service-down").find((other) => (other.services ?? []).some((one) => services.includes(one)));
    if (down !== undefined) return down.key;
  }
  if (BEHIND_WORKER.has(rule)) {
    const gone = of("worker-offline").find(shares);
    if (gone !== undefined) return gone.key;
  }
  return BEHIND_IDLE.has(rule) ? of("idle").find(shares)?.key : undefined;
}

function crowdsOf(causes: readonly Cause[]): Map<RuleName, Cause> {
  const crowds = new Map<RuleName, Cause>();
  for (const rule of new Set(causes.map((cause) => cause.rule))) {
    const own = causes.filter((cause) => cause.rule === rule);
    if (own.length > ALONE_MOST) crowds.set(rule, crowdOf(rule, own));
  }
  return crowds;
}

function crowdOf(rule: RuleName, causes: readonly Cause[]): Cause {
  const count = causes.length;
  return {
    rule,
    key: `${rule}/many`,
    count,
    title: `${RULES[rule].title}: ${count} times`,
    sentence:
      `${many(count, "case")} at once, so they may have something in common. ${causes[0]?.sentence ?? ""}`.trim(),
    byItself: causes[0]?.byItself ?? "",
    since: null,
    examples: few(causes).map(({ title }) => title),
    pipelines: [...new Set(causes.flatMap(({ pipelines = [] }) => pipelines))],
    services: [...new Set(causes.flatMap(({ services = [] }) => services))],
  };
}
