// All that is wrong by the rules that are on, and for how long each has to hold before anybody is told. Pure.

import type { Cause, Facts } from "./cause.ts";
import {
  backlogCauses,
  errorRateCauses,
  idleCauses,
  stalledCauses,
  stuckCauses,
  unavailableCauses,
  unknownCauses,
} from "./flow-causes.ts";
import { channelCauses, diskCauses, encoderCauses, serviceCauses, workerCauses } from "./outside-causes.ts";
import { type AllSettings, RULE_NAMES, type RuleName, type RuleSettings, settingOf } from "./rule.ts";

const FIND: { readonly [Rule in RuleName]: (facts: Facts, settings: RuleSettings) => readonly Cause[] } = {
  stuck: stuckCauses,
  unavailable: unavailableCauses,
  "error-rate": errorRateCauses,
  idle: idleCauses,
  backlog: backlogCauses,
  "worker-offline": workerCauses,
  "encoder-offline": encoderCauses,
  stalled: stalledCauses,
  "service-down": serviceCauses,
  "disk-low": diskCauses,
  "unknown-reason": unknownCauses,
  "channel-failing": channelCauses,
};

export function findCauses(facts: Facts, settings: AllSettings): Cause[] {
  return RULE_NAMES.filter((rule) => settings[rule].on).flatMap((rule) => [...FIND[rule](facts, settings[rule])]);
}

export interface Hold {
  /** Counted from what the facts say, or from when it was first seen: by facts alone an end that lies a second back would not show. */
  readonly from: "since" | "seen";
  readonly ms: number;
}

/** What comes and goes within a minute was never worth a message. */
const SEEN: Hold = { from: "seen", ms: 60_000 };
const AT_ONCE: Hold = { from: "seen", ms: 0 };

export function holdOf(rule: RuleName, settings: RuleSettings): Hold {
  const ms = settingOf(settings, "forSeconds") * 1_000;
  switch (rule) {
    case "service-down":
    case "worker-offline":
    case "encoder-offline":
    case "channel-failing":
      return { from: "since", ms };
    case "backlog":
      return { from: "seen", ms };
    case "stuck":
    case "unavailable":
    case "idle":
    case "error-rate":
    case "disk-low":
      return SEEN;
    case "stalled":
    case "unknown-reason":
      return AT_ONCE;
  }
}
