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

import { checkStep, type Flaw, type Invariant } from "./invariants.ts";
import { copy, type Hand, type Item, isWritten, type State, type Worker } from "./state.ts";
import {
  claim,
  end,
  failOver,
  forgetJournal,
  held,
  itemOf,
  letGo,
  release,
  renew,
  runOf,
  settle,
  workerOf,
} from "./writes.ts";

export interface Step {
  readonly name: string;
  readonly next: State;
  /** Something went wrong or somebody intervened; without it, the engine is expected to end everything by itself. */
  readonly isTrouble: boolean;
  /** The invariant that this step breaks. */
  readonly broken: Invariant | null;
}

export const isOver = (state: State): boolean => state.items.every((item) => item.ended !== null);

// biome-ignore lint/suspicious/noConfusingVoidType: most changes have nothing to say
type Change = (next: State) => Invariant | null | void;

/** Everything that can happen next. */
export function steps(state: State, flaws: ReadonlySet<Flaw>): Step[] {
  const found: Step[] = [];
  const step = (name: string, change: Change, isTrouble = false): void => {
    if (isTrouble && state.troubles === 0) return;
    const next = copy(state);
    if (isTrouble) next.troubles--;
    const broken = change(next) ?? checkStep(state, next);
    forgetJournal(next);
    found.push({ name, next, isTrouble, broken });
  };
  const trouble: typeof step = (name, change) => step(name, change, true);

  state.workers.forEach((worker, w) => {
    lifeOf(worker, w, flaws, step, trouble);
    if (!worker.isUp) return;
    state.items.forEach((item, i) => {
      const name = `worker ${w}, item ${i}`;
      const hand = worker.hands[i] ?? null;
      if (hand !== null) visit(hand, w, i, state, flaws, step, trouble);
      else if (item.run?.epoch === null && !worker.isLate) {
        step(`${name}: claim`, (next) => claim(next, w, i, true));
        trouble(`${name}: claim, the reply is lost`, (next) => claim(next, w, i, false));
      } else if (
        item.run?.epoch === worker.epoch &&
        !flaws.has("a worker does not look for leases it does not know of")
      ) {
        step(`${name}: hand back a lease it did not know of`, (next) => release(runOf(next, i), true));
      }
    });
  });
  for (const [s, stray] of state.strays.entries()) {
    const name = `a stray write about item ${stray.item}`;
    for (const handOff of handOffs(stray)) {
      step(`${name} arrives${handOff ? " and hands off" : ""}`, (next) => {
        next.strays.splice(s, 1);
        return settle(next, stray, handOff, flaws).broken;
      });
    }
    step(`${name} vanishes`, (next) => {
      next.strays.splice(s, 1);
    });
  }
  for (const [i, item] of state.items.entries()) outsideOf(item, i, state, flaws, step, trouble);
  return found;
}

/** Whether the next lane is open for a hand-off is the database's to say. */
const handOffs = (message: Message): boolean[] =>
  message.outcome === "done" && message.stage === 0 ? [true, false] : [false];

type Add = (name: string, change: Change) => void;

/** Dying, seeming to, being marked dead, finding out, starting again. */
function lifeOf(worker: Worker, w: number, flaws: ReadonlySet<Flaw>, step: Add, trouble: Add): void {
  const sweep = (next: State): void => {
    if (!flaws.has("a dead worker is swept only once")) return;
    for (const { run } of next.items) if (run?.epoch === worker.epoch) release(run, true);
  };
  const bury = (next: State): void => {
    workerOf(next, w).isAlive = false;
    sweep(next);
  };
  if (worker.isUp) {
    trouble(`worker ${w}: killed`, (next) => {
      letGo(next, w);
      workerOf(next, w).isUp = false;
    });
    if (worker.isAlive) trouble(`worker ${w}: marked dead, though it lives`, bury);
    if (!worker.isAlive || worker.isLate)
      step(`worker ${w}: finds itself dead, takes a new epoch`, (next) => renew(next, w));
    return;
  }
  if (worker.isAlive) step(`worker ${w}: marked dead`, bury);
  step(`worker ${w}: started again`, (next) => {
    // The former process is known to be dead on this host, so its row is closed at once.
    if (worker.isAlive) sweep(next);
    renew(next, w);
  });
}

/** One item in a worker's hands. */
function visit(
  hand: Hand,
  w: number,
  i: number,
  state: State,
  flaws: ReadonlySet<Flaw>,
  step: Add,
  trouble: Add,
): void {
  const name = `worker ${w}, item ${i}`;
  const { message } = hand;
  const set = (next: State, changed: Hand | null): void => void (workerOf(next, w).hands[i] = changed);
  switch (hand.phase) {
    case "claimed":
      return step(`${name}: begin`, (next) => set(next, { ...hand, phase: "visiting" }));
    case "visiting":
      for (const outcome of ["done", "fault", "wait"] as const) {
        step(`${name}: send ${outcome}`, (next) =>
          set(next, { ...hand, phase: "sent", message: { ...message, outcome } }),
        );
      }
      return;
    case "sent": {
      for (const handOff of handOffs(message)) {
        step(`${name}: settle ${message.outcome}${handOff ? " and go on" : ""}`, (next) => {
          const { written, broken } = settle(next, message, handOff, flaws);
          if (written) set(next, handOff ? held(next, i) : null);
          else set(next, hand.doubted ? { ...hand, phase: "unknown" } : null);
          return broken;
        });
      }
      return trouble(`${name}: the connection is lost`, (next) => {
        next.strays.push(message);
        set(next, { ...hand, phase: "unknown" });
      });
    }
    case "unknown":
      return step(`${name}: find out whether it had been written`, (next) => {
        const run = state.items[i]?.run;
        const isMine = run?.epoch === message.epoch;
        if (flaws.has("an unknown commit is repeated blindly")) {
          const again = { ...message, version: run?.version ?? 0, lease: run?.lease ?? 0 };
          return set(next, isMine ? { phase: "sent", message: again, doubted: true } : null);
        }
        if (isWritten(state, message)) return set(next, isMine ? held(next, i) : null);
        // A repeated wait leaves no journal row; then the run row tells: it still stands as it was, or has moved on.
        const stands = isMine && run.version === message.version;
        set(next, stands ? { phase: "sent", message, doubted: true } : null);
      });
  }
}

/** What other parties do to an item: the sweeper, a failover, people. */
function outsideOf(item: Item, i: number, state: State, flaws: ReadonlySet<Flaw>, step: Add, trouble: Add): void {
  const { run } = item;
  const seen = state.cancelling[i] ?? null;
  const isHeldByDead = !state.workers.some((worker) => worker.isAlive && worker.epoch === run?.epoch);
  if (run !== null && run.epoch !== null) {
    if (isHeldByDead && !flaws.has("a dead worker is swept only once")) {
      step(`item ${i}: reclaimed`, (next) => release(runOf(next, i), !flaws.has("reclaim leaves the version")));
    }
    if (run.claimed) trouble(`failover: the claim of item ${i} never happened`, (next) => failOver(next, i, flaws));
  }
  if (run !== null && seen === null) {
    trouble(`item ${i}: somebody is about to cancel`, (next) => void (next.cancelling[i] = run.version));
  }
  if (seen !== null) {
    step(`item ${i}: cancel`, (next) => {
      next.cancelling[i] = null;
      if (run?.version === seen) return end(next, i, "cancelled");
      return flaws.has("cancel has no fence") ? end(next, i, "cancelled") : null;
    });
  }
  if (item.ended === "failed") {
    trouble(`item ${i}: retried`, (next) => {
      const { stage, version, series } = item.last;
      const first = flaws.has("a retry starts at version 0") ? 0 : version + 1;
      const fresh = {
        stage,
        version: first,
        attempts: 0,
        series: series + 1,
        reason: null,
        epoch: null,
        lease: 0,
        claimed: false,
      };
      next.items[i] = { ...itemOf(next, i), run: fresh, ended: null, faults: 0 };
      next.counts.failed--;
    });
  }
}
