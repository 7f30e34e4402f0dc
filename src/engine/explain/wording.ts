// The sentence for each reason: what is waited for, why, since when, what ends it, what it costs. Pure.

import { formatId } from "../../kit/index.ts";
import { KEY_TAKEN } from "../items/key-taken.sql.ts";
import { isOwnReason, type OwnReason } from "../items/reasons.ts";
import { AHEAD_MOST, type Cause } from "./explanation.ts";
import type { Facts } from "./facts.ts";
import { failureWords } from "./failures.ts";
import { goingOnOutside } from "./outside-words.ts";
import type { Phrases } from "./phrases.ts";
import { behindService } from "./service-words.ts";
import type { TimeWords } from "./time-words.ts";

interface Telling {
  readonly facts: Facts;
  readonly cause: Cause;
  readonly times: TimeWords;
  readonly phrases: Phrases;
}

export function sentenceFor(facts: Facts, cause: Cause, times: TimeWords): string {
  const telling = { facts, cause, times, phrases: phrasesFor(facts, cause, times) };
  const { reason } = cause;
  const text = isOwnReason(reason) ? SENTENCES[reason](telling) : waitingFor(telling);
  return `${text}${deadlineOf(facts, times)}`;
}

function deadlineOf({ run }: Facts, times: TimeWords): string {
  if (run === null || run.deadline === null) return "";
  return ` It has until ${times.until(run.deadline)}, and fails then.`;
}

/** Closed: a reason of the engine's own that nobody gave a sentence to does not compile. */
const SENTENCES: { readonly [Reason in OwnReason]: (telling: Telling) => string } = {
  done: ({ facts, times }) => `Done at ${times.at(endedAt(facts))}.`,
  cancelled: ({ facts, times }) => {
    const by = facts.end?.message ?? null;
    return `Cancelled in ${facts.stage} at ${times.at(endedAt(facts))}${by === null ? "" : ` by ${by}`}.`;
  },
  failed: ({ facts, times }) => failure(facts, times),
  running: ({ facts, phrases }) => inHand(facts, phrases),
  outside: ({ facts, times, phrases }) => goingOnOutside(facts, times, phrases) ?? inHand(facts, phrases),
  queued: ({ facts, phrases }) => `In line for ${facts.stage}${phrases.since}: ${phrases.line}.`,
  capped: ({ facts, phrases }) =>
    `In line for ${facts.stage}${phrases.since}: all ${facts.lane.cap} places are taken, ${phrases.line}.`,
  // Not how many are ahead: of its own key nobody is known, and others do not keep it.
  key_capped: ({ facts, phrases }) => {
    const { perKey } = facts.lane;
    const taken = perKey === 1 ? "the one place of its key is taken" : `all ${perKey} places of its key are taken`;
    return `In line for ${facts.stage}${phrases.since}: ${taken}.`;
  },
  at_capacity: (telling) => inService(telling) ?? SENTENCES.queued(telling),
  ramping: (telling) => inService(telling) ?? SENTENCES.queued(telling),
  rate_limited: (telling) => inService(telling) ?? waiting(telling, "because", "was told to slow down"),
  service_down: (telling) =>
    inService(telling) ?? held(telling, notAnswering) ?? waiting(telling, "for a service that", "needs"),
  stage_off: (telling) => held(telling, ({ stage }) => `: ${stage} is switched off`) ?? waitingFor(telling),
  paused: (telling) => held(telling, ({ stage }) => `: ${stage} is paused`) ?? waitingFor(telling),
  held: (telling) => held(telling, ({ stage }) => `: ${stage} is held`) ?? waitingFor(telling),
  no_worker: (telling) => unserved(telling) ?? waiting(telling, "for somebody who does what", "needs"),
  scheduled: ({ facts, cause, times }) =>
    `Scheduled: ${facts.stage} begins${cause.until === null ? " when it is told to" : ` at ${times.until(cause.until)}`}.`,
  again: ({ facts, phrases }) =>
    `Working in ${facts.stage}${phrases.since}; nothing to do for the moment.${phrases.checked} ${phrases.attempts}`,
  backoff: ({ facts, phrases }) =>
    `Waiting before the next try of ${facts.stage}${phrases.fault}${phrases.since}.${phrases.checked} ${capital(attemptsUsed(facts))}.`,
  disk_low: (telling) => waiting(telling, "for disk space that", "needs"),
  question: (telling) => asking(telling) ?? waitingFor(telling),
  children: (telling) => waitingFor(telling),
  parts: ({ facts, phrases }) => {
    const { ends } = waitedFor(facts.waiter);
    return `Waiting for the parts of ${facts.stage}${phrases.since}.${ends}${phrases.checked} ${phrases.attempts}`;
  },
  withdrawing: ({ facts, phrases }) =>
    `A part of ${facts.stage} failed, and what the others did is being undone${phrases.since}.${phrases.checked} ${phrases.attempts}`,
  undecodable: ({ phrases }) =>
    `Waiting for a newer release${phrases.since}: the workers that run now cannot read what was stored.${phrases.checked} ` +
    `Update them. ${phrases.attempts}`,
  unknown: ({ facts }) => `Nobody knows why this stands in ${facts.stage}. That is a bug in Sluice; please report it.`,
};

function endedAt({ end, now }: Facts): Date {
  return end?.at ?? now;
}

const NO_RETRY = `It cannot be retried: ${KEY_TAKEN}.`;

/** What happened, what was tried, what one can do. */
function failure(facts: Facts, times: TimeWords): string {
  const { code = null, message = null, attempt = null } = facts.end ?? {};
  const known = failureWords(code);
  const told = message === null ? null : message.replace(/[.\s]+$/, "");
  const named = [code, told].filter((part) => part !== null && part !== "");
  const why = known === undefined ? named.join(", ") : `${known.what} (${named.join(": ")})`;
  const used = attempt === null ? "" : ` ${capital(usedOf(attempt, facts.attemptsMax))}.`;
  const advice = facts.end?.isKeyTaken ? NO_RETRY : (known?.advice ?? "Retry it once the cause is mended.");
  return `Failed in ${facts.stage} at ${times.at(endedAt(facts))}${why === "" ? "" : `: ${why}`}.${used} ${advice}`;
}

function inHand(facts: Facts, phrases: Phrases): string {
  const { stage, holder } = facts;
  if (holder !== null && !holder.isAlive) {
    return `Worker ${holder.name}, which had it in ${stage}, is gone; it is taken back within seconds. ${phrases.attempts}`;
  }
  return `In ${stage}${holder === null ? "" : ` on worker ${holder.name}`}${phrases.since}. ${tryOf(facts)}.`;
}

function inService({ facts, cause, times, phrases }: Telling): string | undefined {
  return behindService(facts, cause, times, phrases);
}

/** In line, and nobody claims from it; undefined where it was visited, and nobody could do what it needs. */
function unserved({ facts, phrases }: Telling): string | undefined {
  if (facts.run?.isDue === false) return undefined;
  return (
    `Waiting for a worker${phrases.since}: none that is running serves ${facts.stage} of ${facts.pipeline} ` +
    `version ${facts.version}${clientFor(facts)}. Start one that does. ${phrases.attempts}`
  );
}

function clientFor({ service }: Facts): string {
  return service === null ? "" : ` with a client for ${service.name}`;
}

/** Behind a closed valve; undefined where none holds it. */
function held({ facts, cause, times, phrases }: Telling, what: (facts: Facts) => string): string | undefined {
  const { valve, run } = facts;
  if (valve === null || run === null || !run.isDue) return undefined;
  const note = valve.note === null ? "" : ` (${valve.note})`;
  const more = valve.count === 1 ? "" : ` ${count(valve.count - 1, "more valve holds", "more valves hold")} it.`;
  const until = cause.until === null ? "" : ` Until ${times.until(cause.until)}.`;
  return `Waiting${what(facts)}${note}${phrases.since}.${more}${until} It goes on from here once that ends. ${phrases.attempts}`;
}

function notAnswering({ valve }: Facts): string {
  const service = valve?.service ?? null;
  return ` for ${service === null ? "a service" : `service ${service}`}: not answering`;
}

function waiting({ facts, phrases }: Telling, before: string, after: string): string {
  const { since, checked, attempts, fault, tooLong } = phrases;
  return `Waiting ${before} ${facts.stage} ${after}${fault}${since}.${checked}${tooLong} ${attempts}`;
}

/** By a word of the stage's own, and by whatever would end it. */
function waitingFor({ facts, cause, phrases }: Telling): string {
  const { reason } = cause;
  const { waiter, note } = facts;
  const { what, ends } = waitedFor(waiter);
  const isPlain = reason === "children" && waiter?.kind === "children";
  const why = isPlain ? "" : ` ${note === null ? reason.replaceAll("_", " ") : `${note.replace(/[.\s]+$/, "")},`}`;
  const { since, checked, attempts } = phrases;
  return `Waiting${what === "" ? ":" : ` for ${what}${why === "" ? "" : ":"}`}${why}${since}.${ends}${checked} ${attempts}`;
}

function asking({ facts, cause, times, phrases }: Telling): string | undefined {
  if (facts.question === null) return undefined;
  const { text, options } = facts.question;
  const choice = options === null ? "" : ` (${options.join(", ")})`;
  const fallback =
    cause.until === null ? "" : ` Without an answer it decides by itself at ${times.until(cause.until)}.`;
  return `Needs your answer${phrases.since}: ${text}${choice}${fallback}${/[.?!)]$/.test(`${text}${choice}${fallback}`) ? "" : "."}`;
}

function waitedFor(waiter: Facts["waiter"]): { readonly what: string; readonly ends: string } {
  if (waiter === null) return { what: "", ends: "" };
  switch (waiter.kind) {
    case "signal":
      return { what: `the signal ${waiter.key}`, ends: "" };
    case "item":
      return { what: `item ${formatId("item", waiter.key)}`, ends: "" };
    case "children": {
      const { total = 0, ended = 0 } = waiter.children ?? {};
      return { what: "the items it made", ends: ` ${ended} of ${total} have ended.` };
    }
  }
}

function phrasesFor(facts: Facts, cause: Cause, times: TimeWords): Phrases {
  const { fault } = facts;
  const told = fault?.message ?? fault?.code ?? null;
  return {
    since: cause.since === null ? "" : ` since ${times.since(cause.since)}`,
    checked: cause.until === null ? "" : ` Checked again at ${times.until(cause.until)}.`,
    attempts: `That costs no attempt (${attemptsUsed(facts, false)}).`,
    fault: told === null ? "" : `: ${told.replace(/[.\s]+$/, "")},`,
    line: lineOf(facts.lane.ahead),
    tooLong: lastsTooLong(facts, cause) ? " That is more than a day: somebody should look." : "",
  };
}

const DAY_MS = 86_400_000;

/** An outage never fails an item by itself; so that it is not silent either, it asks for somebody after a day. */
function lastsTooLong(facts: Facts, { since }: Cause): boolean {
  const began = facts.service?.isOpen === true ? facts.service.changedAt : since;
  return began !== null && facts.now.getTime() - began.getTime() >= DAY_MS;
}

function lineOf(ahead: number): string {
  if (ahead === 0) return "next in line";
  return ahead > AHEAD_MOST ? `more than ${AHEAD_MOST} are ahead` : count(ahead, "is ahead", "are ahead");
}

function tryOf(facts: Facts): string {
  const next = (facts.run?.attempts ?? 0) + 1;
  return facts.attemptsMax === null ? `Attempt ${next}` : `Attempt ${next} of ${facts.attemptsMax}`;
}

function attemptsUsed(facts: Facts, named = true): string {
  const used = facts.run?.attempts ?? 0;
  return named
    ? usedOf(used, facts.attemptsMax)
    : `${used}${facts.attemptsMax === null ? "" : ` of ${facts.attemptsMax}`} used`;
}

function usedOf(used: number, max: number | null): string {
  return max === null
    ? `${count(used, "attempt", "attempts")} used`
    : `${used} of ${count(max, "attempt", "attempts")} used`;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
