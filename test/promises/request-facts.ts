// What requests under faults came to, in figures. Pure.

import { ENCODERS } from "../../sandbox/media/encoder-thing.ts";
import { type Finding, isCompleted, isSpent } from "../media/requests/check.ts";
import type { Evidence, ItemFacts } from "../media/requests/evidence.ts";
import type { Outcome } from "../media/requests/run.ts";
import { fulfilled, recovery } from "../media/requests/sums.ts";
import type { RequestFacts } from "./facts.ts";

type Happened = ItemFacts["history"][number];

/** What only people do to an item. */
const BY_HAND = new Set<Happened["outcome"]>([
  "retried",
  "replayed",
  "taken-back",
  "let-through",
  "answered",
  "priority",
]);

export function requestFacts(outcome: Outcome): RequestFacts {
  const { evidence, findings, fired, quietMs } = outcome;
  const { items, broken, transitions, wallMs, ownTimes } = evidence;
  const films = items.filter(({ asked }) => asked !== null);
  const history = items.flatMap((item) => item.history);
  const count = (...kinds: readonly Finding["kind"][]) => findings.filter(({ kind }) => kinds.includes(kind)).length;
  const killed = (...things: readonly string[]) => sum(things.map((thing) => fired.get(`${thing} kill`) ?? 0));
  return {
    ...{ requests: evidence.requests, fulfilled: fulfilled(evidence), unknown: evidence.unknown.size },
    ...{ films: films.length, completed: films.filter(isCompleted).length },
    ...recovery(evidence),
    stalls: history.filter(({ code }) => code === "STALLED").length,
    stuck: count("stuck", "untrue reason"),
    longestMs: Math.max(
      0,
      ...films.map(({ createdAt, finishedAt }) => Number(finishedAt ?? createdAt) - Number(createdAt)),
    ),
    quietMs,
    outages: broken.length,
    outagesMs: sum(broken.map(({ from, to }) => to.getTime() - from.getTime())),
    meanwhile: history.filter(({ outcome: how, ended }) => how === "done" && broken.some(isAt(ended))).length,
    attempts: history.filter(isSpent).length,
    attemptsInVain: count("attempt"),
    kills: { worker: killed("worker"), client: killed("client"), encoders: killed(...ENCODERS) },
    hands: history.filter(({ outcome: how }) => BY_HAND.has(how)).length,
    ...{ wrong: count("wrong content"), halves: count("half a file"), rules: count("rules") },
    orphans: count("orphan", "left behind", "process"),
    ...{ transitions, wallMs, ownMs: sum(ownTimes.map(({ ms }) => ms)), findings: kinds(findings) },
  };
}

const isAt =
  (at: Date) =>
  ({ from, to }: Evidence["broken"][number]): boolean =>
    from <= at && at <= to;

const kinds = (findings: readonly Finding[]): string[] =>
  [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, all]) => `${all.length} × ${kind}: ${all[0]?.what}`);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
