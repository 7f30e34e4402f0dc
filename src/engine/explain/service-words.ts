// The sentence for an item that waits in line behind a service. Pure.

import { describeDuration } from "../../kit/index.ts";
import type { Cause } from "./explanation.ts";
import type { Facts, ServiceFacts } from "./facts.ts";
import type { Phrases } from "./phrases.ts";
import type { TimeWords } from "./time-words.ts";

/** Undefined where something else keeps it. */
export function behindService(facts: Facts, cause: Cause, times: TimeWords, phrases: Phrases): string | undefined {
  const { service, run, stage, valve } = facts;
  if (service === null || run === null || !run.isDue) return undefined;
  const next = cause.until === null ? "" : ` Goes on at ${times.until(cause.until)}.`;
  const inLine = `In line for ${stage}${phrases.since}:`;
  switch (cause.reason) {
    case "service_down":
      return valve?.kind === "breaker" ? whyDown(service, cause, times, phrases) : undefined;
    case "rate_limited":
      return service.busyUntil === null
        ? `${inLine} the limit of ${service.name} (${limitOf(service)}) is used up.${next} ${phrases.attempts}`
        : `${inLine} ${service.name} asked us to wait.${next} ${phrases.attempts}`;
    case "ramping":
      return `${inLine} ${service.name} has just come back and is given ${service.ramp} at a time, ${phrases.line}.`;
    case "at_capacity":
      return `${inLine} all ${service.capacity} places at ${service.name} are taken, ${phrases.line}.`;
    default:
      return undefined;
  }
}

function whyDown(service: ServiceFacts, cause: Cause, times: TimeWords, phrases: Phrases): string {
  const since = times.since(service.changedAt);
  const why = service.message === null ? "" : `: ${service.message.replace(/[.\s]+$/, "")}`;
  const checked = cause.until === null ? "" : ` Checked again at ${times.until(cause.until)}.`;
  if (service.code === "AUTH")
    return `Waiting for ${service.name}: it has refused our credentials since ${since}${why}. Needs you: renew them.${checked}${phrases.tooLong} ${phrases.attempts}`;
  return `Waiting for ${service.name}: not answering since ${since}${why}.${checked}${phrases.tooLong} ${phrases.attempts}`;
}

function limitOf({ rate }: ServiceFacts): string {
  return rate === null ? "" : `${rate.count} in ${describeDuration(rate.perMs)}`;
}
