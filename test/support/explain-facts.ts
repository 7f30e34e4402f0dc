// Facts about an item in stage "encode", at 14:01, for explanations to be made from.

import type { Facts, Run, ServiceFacts, Valve } from "../../src/engine/explain/facts.ts";
import { RUN_STATE } from "../../src/engine/items/codes.ts";

export const at = (time: string) => new Date(`2026-11-15T${time}:00Z`);
export const now = at("14:01");

export const run: Run = {
  state: RUN_STATE.idle,
  reason: null,
  since: at("11:20"),
  readyAt: at("11:20"),
  isDue: true,
  deadline: null,
  attempts: 1,
};
export const valve: Valve = {
  kind: "switch",
  service: null,
  note: null,
  changedAt: at("12:00"),
  until: null,
  count: 1,
  isPassable: true,
};

/** A service that is well, and has room. */
export const qbittorrent: ServiceFacts = {
  name: "qbittorrent",
  isOpen: false,
  changedAt: at("09:00"),
  probeAt: null,
  busyUntil: null,
  code: null,
  message: null,
  capacity: null,
  ramp: null,
  rate: null,
};

export const base: Facts = {
  now,
  pipeline: "media",
  version: 2,
  stage: "encode",
  attemptsMax: 5,
  end: null,
  run,
  outside: null,
  service: null,
  valve: null,
  lane: { cap: null, inside: 0, perKey: null, ahead: 0, liveWorkers: 1 },
  waiter: null,
  question: null,
  note: null,
  fault: null,
  holder: null,
};

export const waits = (reason: string, change: Partial<Run> = {}): Run => ({
  ...run,
  reason,
  readyAt: at("14:05"),
  isDue: false,
  ...change,
});
export const leased: Run = { ...run, state: RUN_STATE.leased };
export const ended = (state: "done" | "failed" | "cancelled", change = {}) => ({
  run: null,
  end: { state, at: at("11:20"), attempt: null, code: null, message: null, isKeyTaken: false, ...change },
});
export const fault = { code: "REFUSED", message: "connection refused" };
