// The statements of the engine, each as one atomic change of the state.

import type { EndState } from "../../src/engine/items/codes.ts";
import { decide } from "../../src/engine/items/decide.ts";
import type { Rules } from "../../src/engine/items/standing.ts";
import type { Transition } from "../../src/engine/items/transition.ts";
import { transient } from "../../src/engine/pipeline/fault.ts";
import { done, wait } from "../../src/engine/pipeline/outcome.ts";
import { ATTEMPTS_MAX, type Flaw, INVARIANT } from "./invariants.ts";
import { type Hand, IDLE, type Item, isWritten, type Message, type Run, type State, type Worker } from "./state.ts";

const backoff = { baseMs: 1, capMs: 1, jitterMs: 0, jitterShare: 0 };
const rules: Rules = { stages: ["first", "last"].map((name) => ({ name, attemptsMax: ATTEMPTS_MAX, backoff })) };
const results = {
  done: { outcome: done() },
  wait: { outcome: wait("pausing", { again: 1 }) },
  fault: { fault: transient("BROKEN", "broken") },
};

export function claim(next: State, w: number, i: number, isHeard: boolean): void {
  const run = runOf(next, i);
  const worker = workerOf(next, w);
  run.version++;
  run.epoch = worker.epoch;
  run.lease = next.nextLease++;
  run.claimed = true;
  if (isHeard) worker.hands[i] = held(next, i);
}

/** What a process has in its hands after a claim or a hand-off. */
export function held(state: State, item: number): Hand {
  const { epoch, version, lease, stage, attempts, series, reason } = runOf(state, item);
  if (epoch === null) throw new Error("an idle item is in nobody's hands");
  const message = { item, epoch, version, lease, stage, attempts, series, reason, outcome: null };
  return { phase: state.begins ? "claimed" : "visiting", message, doubted: false };
}

export function release(run: Run, raiseVersion: boolean): void {
  run.epoch = null;
  run.lease = 0;
  run.claimed = false;
  if (raiseVersion) run.version++;
}

/** Item, attempt, output, counts and journal in one commit; or a refusal, and false. */
export function settle(next: State, message: Message, handOff: boolean, flaws: ReadonlySet<Flaw>): boolean {
  const { run } = itemOf(next, message.item);
  const transition = decide(rules, { ...message, backs: 0, waits: 0 }, results[message.outcome ?? "wait"], 0);
  const fits =
    run !== null &&
    (run.version === message.version || flaws.has("the fence lacks the version")) &&
    (run.epoch === message.epoch || flaws.has("the fence lacks the epoch"));
  if (!fits) {
    if (flaws.has("counts are raised outside the fence") && "end" in transition.to) next.counts[transition.to.end]++;
    // A copy of what was written already is no news, and so leaves no row that speaks of a refusal.
    if (flaws.has("a repeat of what was written is called refused") && isWritten(next, message)) {
      next.broken = INVARIANT.refusals;
    }
    return false;
  }
  if (run.lease !== message.lease) next.broken = INVARIANT.oneOwner;
  else if (run.stage !== message.stage || run.series !== message.series) next.broken = INVARIANT.legalPath;
  if (transition.journal) next.journal.push({ item: message.item, epoch: message.epoch, version: message.version });
  apply(next, message.item, run, transition, handOff);
  return true;
}

function apply(next: State, i: number, run: Run, transition: Transition, handOff: boolean): void {
  const item = itemOf(next, i);
  if (transition.kind === "done") {
    const success = `${run.stage}.${run.series}`;
    if (item.succeeded.includes(success)) next.broken ??= INVARIANT.once;
    item.succeeded.push(success);
    item.faults = 0;
  }
  if (transition.attempt !== null && transition.kind === "fault") item.faults++;
  if ("end" in transition.to) {
    end(next, i, transition.to.end);
    return;
  }
  const { epoch } = run;
  run.stage = transition.to.stage;
  run.attempts = transition.attempts;
  run.reason = transition.reason;
  release(run, true);
  if (handOff) {
    run.epoch = epoch;
    run.lease = next.nextLease++;
  }
}

export function end(next: State, i: number, how: EndState): void {
  const item = itemOf(next, i);
  if (item.run === null) next.broken ??= INVARIANT.final;
  else item.last = { stage: item.run.stage, version: item.run.version + 1, series: item.run.series };
  item.run = null;
  item.ended = how;
  next.counts[how]++;
}

/** From where it failed or from an earlier stage. A new series; the version goes on, so nothing sent before can fit. */
export function retry(next: State, i: number, stage: number, flaws: ReadonlySet<Flaw>): void {
  const item = itemOf(next, i);
  const version = flaws.has("a retry starts at version 0") ? 0 : item.last.version + 1;
  const series = flaws.has("a retry keeps the series") ? item.last.series : item.last.series + 1;
  item.run = { ...IDLE, stage, series, version };
  item.ended = null;
  item.faults = 0;
  next.counts.failed--;
}

/** A process lets go of everything; what it has sent may still arrive. */
export function letGo(next: State, w: number): void {
  const { hands } = workerOf(next, w);
  for (const [i, hand] of hands.entries()) {
    if (hand?.phase === "sent") next.strays.push(hand.message);
    hands[i] = null;
  }
}

export function renew(next: State, w: number): void {
  letGo(next, w);
  Object.assign(workerOf(next, w), { epoch: next.nextEpoch++, isUp: true, isAlive: true, isLate: false });
}

/** A standby takes over that never received this claim: its version will be given out again. Every connection breaks. */
export function failOver(next: State, i: number, flaws: ReadonlySet<Flaw>): void {
  const run = runOf(next, i);
  release(run, false);
  run.version--;
  next.strays = [];
  for (const worker of next.workers) {
    worker.isLate = !flaws.has("a worker keeps its epoch after a failover");
    worker.hands = worker.hands.map((hand) => (hand?.phase === "sent" ? { ...hand, phase: "unknown" } : hand));
  }
}

/** Nobody asks for a journal row by its fence any more once no copy of the write is left. */
export function forgetJournal(next: State): void {
  if (next.journal.length === 0) return;
  const open = [...next.strays];
  for (const worker of next.workers) for (const hand of worker.hands) if (hand !== null) open.push(hand.message);
  next.journal = next.journal.filter((row) =>
    open.some((one) => one.item === row.item && one.epoch === row.epoch && one.version === row.version),
  );
}

export function itemOf(state: State, i: number): Item {
  return present(state.items[i]);
}

export function workerOf(state: State, w: number): Worker {
  return present(state.workers[w]);
}

export function runOf(state: State, i: number): Run {
  return present(itemOf(state, i).run);
}

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("the model looked for something that is not there");
  return value;
}
