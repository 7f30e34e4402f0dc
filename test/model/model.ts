// The engine's rules about who may write what, as a small program that can be explored to the end.
//
//   claim, begin, send, settle, hand-off          a visit, step by step: a process may die between any two
//   lost replies, strays, unknown commits         a write may have arrived without its sender knowing, or arrive late
//   mark-dead, reclaim, notice, restart           leases of a process that died, or only seemed to
//   failover                                      a standby takes over that had not yet received a claim
//   cancel, retry                                 people, in the middle of all that
//
// Settlements are decided by the engine's own `decide`. Each planted flaw takes one rule away; the test shows which
// invariant then breaks, and so what the rule is there for.

import { checkStep, type Flaw } from "./invariants.ts";
import { copy, type Hand, type Item, isWritten, type Message, type State, type Worker } from "./state.ts";
import {
  claim,
  end,
  failOver,
  forgetJournal,
  held,
  letGo,
  release,
  renew,
  retry,
  runOf,
  settle,
  workerOf,
} from "./writes.ts";

export interface Step {
  readonly name: string;
  readonly next: State;
  /** Something went wrong or somebody intervened; without it, the engine is expected to end everything by itself. */
  readonly isTrouble: boolean;
}

type Add = (name: string, change: (next: State) => void) => void;

/** A state and a way to add what can follow from it. */
interface Scene {
  readonly state: State;
  readonly flaws: ReadonlySet<Flaw>;
  readonly step: Add;
  readonly trouble: Add;
}

export const isOver = (state: State): boolean => state.items.every((item) => item.ended !== null);

/** Everything that can happen next. */
export function steps(state: State, flaws: ReadonlySet<Flaw>): Step[] {
  const found: Step[] = [];
  const add = (name: string, change: (next: State) => void, isTrouble: boolean): void => {
    if (isTrouble && state.troubles === 0) return;
    const next = copy(state);
    if (isTrouble) next.troubles--;
    change(next);
    next.broken ??= checkStep(state, next);
    forgetJournal(next);
    found.push({ name, next, isTrouble });
  };
  const scene: Scene = {
    state,
    flaws,
    step: (name, change) => add(name, change, false),
    trouble: (name, change) => add(name, change, true),
  };
  for (const [w, worker] of state.workers.entries()) {
    lifeOf(scene, worker, w);
    for (const i of state.items.keys()) if (worker.isUp) workOn(scene, worker, w, i);
  }
  for (const [s, stray] of state.strays.entries()) arrivalOf(scene, stray, s);
  for (const [i, item] of state.items.entries()) outsideOf(scene, item, i);
  return found;
}

/** Dying, seeming to, being marked dead, finding out, starting again. */
function lifeOf({ flaws, step, trouble }: Scene, worker: Worker, w: number): void {
  const name = `worker ${w}`;
  const sweepOnce = (next: State): void => {
    if (!flaws.has("a dead worker is swept only once")) return;
    for (const { run } of next.items) if (run?.epoch === worker.epoch) release(run, true);
  };
  const markDead = (next: State): void => {
    workerOf(next, w).isAlive = false;
    sweepOnce(next);
  };
  if (worker.isUp) {
    trouble(`${name}: killed`, (next) => {
      letGo(next, w);
      workerOf(next, w).isUp = false;
    });
    if (worker.isAlive) trouble(`${name}: marked dead, though it lives`, markDead);
    if (!worker.isAlive || worker.isLate) step(`${name}: finds out, takes a new epoch`, (next) => renew(next, w));
    return;
  }
  if (worker.isAlive) step(`${name}: marked dead`, markDead);
  step(`${name}: started again`, (next) => {
    // The former process is known to be dead on this host, so its row is closed at once.
    if (worker.isAlive) sweepOnce(next);
    renew(next, w);
  });
}

/**
 * A worker and an item: claimed, or in its hands, or leased without its knowledge. A worker marked dead may still claim:
 * its statement may have looked before the mark was made.
 */
function workOn(scene: Scene, worker: Worker, w: number, i: number): void {
  const { state, flaws, step, trouble } = scene;
  const name = `worker ${w}, item ${i}`;
  const hand = worker.hands[i] ?? null;
  const run = state.items[i]?.run ?? null;
  if (hand !== null) {
    visit(scene, hand, w, i);
  } else if (run?.epoch === null && !worker.isLate) {
    step(`${name}: claim`, (next) => claim(next, w, i, true));
    trouble(`${name}: claim, the reply is lost`, (next) => claim(next, w, i, false));
  } else if (run?.epoch === worker.epoch && !flaws.has("a worker does not look for leases it does not know of")) {
    step(`${name}: hand back a lease it did not know of`, (next) => release(runOf(next, i), true));
  }
}

/** One item in a worker's hands: begin, send, settle, and find out what became of a write without a reply. */
function visit({ flaws, step, trouble }: Scene, hand: Hand, w: number, i: number): void {
  const name = `worker ${w}, item ${i}`;
  const { message } = hand;
  const set = (next: State, changed: Hand | null): void => {
    workerOf(next, w).hands[i] = changed;
  };
  switch (hand.phase) {
    case "claimed":
      step(`${name}: begin`, (next) => set(next, { ...hand, phase: "visiting" }));
      return;
    case "visiting":
      for (const outcome of ["done", "fault", "wait"] as const) {
        const sent: Hand = { ...hand, phase: "sent", message: { ...message, outcome } };
        step(`${name}: send ${outcome}`, (next) => set(next, sent));
      }
      return;
    case "sent":
      for (const handOff of handOffs(message)) {
        step(`${name}: settle ${message.outcome}${handOff ? " and go on" : ""}`, (next) => {
          if (settle(next, message, handOff, flaws)) set(next, handOff ? held(next, i) : null);
          else set(next, hand.doubted ? { ...hand, phase: "unknown" } : null);
        });
      }
      trouble(`${name}: the connection is lost`, (next) => {
        next.strays.push(message);
        set(next, { ...hand, phase: "unknown" });
      });
      return;
    case "unknown":
      step(`${name}: find out whether it had been written`, (next) => set(next, foundOut(next, hand, i, flaws)));
      return;
  }
}

/** By the journal row with its fence. A repeated wait leaves none; then the run row tells: it stands, or has moved on. */
function foundOut(next: State, { message }: Hand, i: number, flaws: ReadonlySet<Flaw>): Hand | null {
  const run = next.items[i]?.run;
  if (run?.epoch !== message.epoch) return null;
  if (flaws.has("an unknown commit is repeated blindly")) {
    const { version, lease } = run;
    return { phase: "sent", message: { ...message, version, lease }, doubted: true };
  }
  if (isWritten(next, message)) return held(next, i);
  return run.version === message.version ? { phase: "sent", message, doubted: true } : null;
}

/** Whether the next lane is open for a hand-off is the database's to say. */
const handOffs = (message: Message): readonly boolean[] =>
  message.outcome === "done" && message.stage === 0 ? [true, false] : [false];

function arrivalOf({ flaws, step }: Scene, stray: Message, s: number): void {
  const name = `a stray write about item ${stray.item}`;
  for (const handOff of handOffs(stray)) {
    step(`${name} arrives${handOff ? " and hands off" : ""}`, (next) => {
      next.strays.splice(s, 1);
      settle(next, stray, handOff, flaws);
    });
  }
  step(`${name} vanishes`, (next) => {
    next.strays.splice(s, 1);
  });
}

/** What other parties do to an item: the sweeper, a failover, people. */
function outsideOf({ state, flaws, step, trouble }: Scene, item: Item, i: number): void {
  const { run } = item;
  const seen = state.cancelling[i] ?? null;
  if (run !== null && run.epoch !== null) {
    const isHeldByLiving = state.workers.some((worker) => worker.isAlive && worker.epoch === run.epoch);
    if (!isHeldByLiving && !flaws.has("a dead worker is swept only once")) {
      step(`item ${i}: reclaimed`, (next) => {
        release(runOf(next, i), !flaws.has("reclaim leaves the version"));
        if (flaws.has("a reclaim counts an attempt")) runOf(next, i).attempts++;
      });
    }
    if (run.claimed) trouble(`failover: the claim of item ${i} never happened`, (next) => failOver(next, i, flaws));
  }
  if (run !== null && seen === null) {
    trouble(`item ${i}: somebody is about to cancel`, (next) => {
      next.cancelling[i] = run.version;
    });
  }
  if (seen !== null) {
    step(`item ${i}: cancel`, (next) => {
      next.cancelling[i] = null;
      if (run?.version === seen || flaws.has("cancel has no fence")) end(next, i, "cancelled");
    });
  }
  if (item.ended === "failed") {
    for (const stage of new Set([0, item.last.stage])) {
      trouble(`item ${i}: retried from stage ${stage}`, (next) => retry(next, i, stage, flaws));
    }
  }
}
