// The sentence for each reason: what is waited for, why, since when, what ends it, what it costs. Pure.

import { formatId } from "../../kit/index.ts";
import { AHEAD_MOST, type Cause } from "./explanation.ts";
import type { Facts } from "./facts.ts";
import { goingOnOutside } from "./outside-words.ts";
import type { Phrases } from "./phrases.ts";
import { behindService } from "./service-words.ts";
import type { TimeWords } from "./time-words.ts";

export function sentenceFor(facts: Facts, cause: Cause, times: TimeWords): string {
  const { reason } = cause;
  const phrases = phrasesFor(facts, cause, times);
  const text =
    ended(facts, reason, times) ??
    goingOnOutside(facts, times, phrases) ??
    behindService(facts, cause, times, phrases) ??
    moving(facts, reason, phrases) ??
    held(facts, reason, phrases, cause, times);
  return `${text ?? waiting(facts, reason, phrases, cause, times)}${deadlineOf(facts, times)}`;
}

function deadlineOf({ run }: Facts, times: TimeWords): string {
  if (run === null || run.deadline === null) return "";
  return ` It has until ${times.until(run.deadline)}, and fails then.`;
}

function ended(facts: Facts, reason: string, times: TimeWords): string | undefined {
  const { end, stage } = facts;
  if (end === null) return undefined;
  const at = times.at(end.at);
  switch (reason) {
    case "done":
      return `Done at ${at}.`;
    case "cancelled":
      return `Cancelled in ${stage} at ${at}${end.message === null ? "" : ` by ${end.message}`}.`;
    default: {
      const used = end.attempt === null ? "" : ` ${capital(usedOf(end.attempt, facts.attemptsMax))}.`;
      return `Failed in ${stage} at ${at}: ${[end.code, end.message].filter((part) => part !== null).join(", ")}.${used}`;
    }
  }
}

function moving(facts: Facts, reason: string, phrases: Phrases): string | undefined {
  const { stage, holder } = facts;
  switch (reason) {
    case "running":
      if (holder !== null && !holder.isAlive) {
        return `Worker ${holder.name}, which had it in ${stage}, is gone; it is taken back within seconds. ${phrases.attempts}`;
      }
      return `In ${stage}${holder === null ? "" : ` on worker ${holder.name}`}${phrases.since}. ${tryOf(facts)}.`;
    case "queued":
      return `In line for ${stage}${phrases.since}: ${phrases.line}.`;
    case "capped":
      return `In line for ${stage}${phrases.since}: all ${facts.lane.cap} places are taken, ${phrases.line}.`;
    case "no_worker":
      return (
        `Waiting for a worker${phrases.since}: none that is running has the code of ${facts.pipeline} version ` +
        `${facts.version}${clientFor(facts)}. Start one that has. ${phrases.attempts}`
      );
    default:
      return undefined;
  }
}

function clientFor({ service }: Facts): string {
  return service === null ? "" : ` and a client for ${service.name}`;
}

/** Behind a closed valve. */
function held(facts: Facts, reason: string, phrases: Phrases, cause: Cause, times: TimeWords): string | undefined {
  const { valve, run, stage } = facts;
  if (valve === null || run === null || !run.isDue) return undefined;
  const what = {
    stage_off: `Waiting: ${stage} is switched off`,
    paused: `Waiting: ${stage} is paused`,
    service_down: `Waiting for ${valve.service === null ? "a service" : `service ${valve.service}`}: not answering`,
    held: `Waiting: ${stage} is held`,
  }[reason];
  const note = valve.note === null ? "" : ` (${valve.note})`;
  const more = valve.count === 1 ? "" : ` ${count(valve.count - 1, "more valve holds", "more valves hold")} it.`;
  const until = cause.until === null ? "" : ` Until ${times.until(cause.until)}.`;
  return `${what ?? "Waiting"}${note}${phrases.since}.${more}${until} It goes on from here once that ends. ${phrases.attempts}`;
}

function waiting(facts: Facts, reason: string, phrases: Phrases, cause: Cause, times: TimeWords): string {
  const { stage, question, waiter } = facts;
  const { since, checked, attempts, fault } = phrases;
  switch (reason) {
    case "scheduled":
      return `Scheduled: ${stage} begins${cause.until === null ? " when it is told to" : ` at ${times.until(cause.until)}`}.`;
    case "again":
      return `Working in ${stage}${since}; nothing to do for the moment.${checked} ${attempts}`;
    case "backoff":
      return `Waiting before the next try of ${stage}${fault}${since}.${checked} ${capital(attemptsUsed(facts))}.`;
    case "service_down":
      return `Waiting for a service that ${stage} needs${fault}${since}.${checked} ${attempts}`;
    case "rate_limited":
      return `Waiting because ${stage} was told to slow down${fault}${since}.${checked} ${attempts}`;
    case "disk_low":
      return `Waiting for disk space that ${stage} needs${fault}${since}.${checked} ${attempts}`;
    case "undecodable":
      return (
        `Waiting for a newer release${since}: the workers that run now cannot read what was stored.${checked} ` +
        `Update them. ${attempts}`
      );
    case "unknown":
      return `Nobody knows why this stands in ${stage}. That is a bug in Sluice; please report it.`;
    case "question":
      if (question !== null) return asking(question.text, question.options, phrases, cause, times);
      break;
  }
  const { what, ends } = waitedFor(waiter);
  const why = reason === "children" && waiter?.kind === "children" ? "" : ` ${reason.replaceAll("_", " ")}`;
  return `Waiting${what === "" ? ":" : ` for ${what}${why === "" ? "" : ":"}`}${why}${since}.${ends}${checked} ${attempts}`;
}

function asking(
  text: string,
  options: readonly string[] | null,
  phrases: Phrases,
  cause: Cause,
  times: TimeWords,
): string {
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
    attempts: `No attempt used (${attemptsUsed(facts, false)}).`,
    fault: told === null ? "" : `: ${told.replace(/[.\s]+$/, "")},`,
    line: lineOf(facts.lane.ahead),
  };
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
