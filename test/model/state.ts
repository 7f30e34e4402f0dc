// What the model knows at one instant: the database, the processes beside it, and the writes on their way between them.
// Names follow the schema. What is marked "ghost" exists only to check the rest; no rule may look at it.

import type { EndState } from "../../src/engine/items/codes.ts";
import type { Invariant } from "./invariants.ts";

export interface Run {
  stage: number;
  version: number;
  attempts: number;
  series: number;
  reason: string | null;
  /** Who has leased it; null: idle. */
  epoch: number | null;
  /** Ghost: which lease this is, counted over all of them; 0 while idle. */
  lease: number;
  /** Leased by a claim, not by a hand-off. */
  claimed: boolean;
}

export interface Item {
  run: Run | null;
  ended: EndState | null;
  /** Where a retry goes on from: kept when the run row is deleted. */
  last: { stage: number; version: number; series: number };
  /** Ghost: stages that succeeded, as "stage.series". */
  succeeded: string[];
  /** Ghost: faults counted in this stage and series. */
  faults: number;
}

/** A settlement as a process sends it: its fence, where the item stood, and what came of the visit. */
export interface Message {
  readonly item: number;
  readonly epoch: number;
  readonly version: number;
  /** Ghost: the lease under which the visit was made. */
  readonly lease: number;
  readonly stage: number;
  readonly attempts: number;
  readonly series: number;
  readonly reason: string | null;
  readonly outcome: "done" | "fault" | "wait" | null;
}

export interface Hand {
  readonly phase: "claimed" | "visiting" | "sent" | "unknown";
  readonly message: Message;
  /** Sent more than once: a refusal may mean that an earlier copy had arrived. */
  readonly doubted: boolean;
}

export interface Worker {
  epoch: number;
  isUp: boolean;
  /** By its row in the table of workers. */
  isAlive: boolean;
  /** Its server was replaced: a new epoch is due before the next claim. */
  isLate: boolean;
  hands: (Hand | null)[];
}

export interface State {
  items: Item[];
  workers: Worker[];
  /** Writes whose sender no longer listens; they may arrive at any time, or never. */
  strays: Message[];
  /** Journal rows by their fence, as far as anybody can still ask for them. */
  journal: { readonly item: number; readonly epoch: number; readonly version: number }[];
  counts: Record<EndState, number>;
  /** The version of each item that an operator about to cancel it has seen. */
  cancelling: (number | null)[];
  /** How much more may go wrong or be asked for. */
  troubles: number;
  begins: boolean;
  nextEpoch: number;
  nextLease: number;
  /** Ghost: the invariant that the last step broke. */
  broken: Invariant | null;
}

export const IDLE: Readonly<Run> = {
  stage: 0,
  version: 0,
  attempts: 0,
  series: 1,
  reason: null,
  epoch: null,
  lease: 0,
  claimed: false,
};

export interface Bounds {
  readonly items: number;
  readonly workers: number;
  readonly troubles: number;
  /** To begin a visit writes nothing, so a larger search may leave that step out. */
  readonly begins: boolean;
}

export function initial(bounds: Bounds): State {
  const list = <T>(length: number, make: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => make(index));
  return {
    items: list(bounds.items, () => ({
      run: { ...IDLE },
      ended: null,
      last: { stage: 0, version: 0, series: 1 },
      succeeded: [],
      faults: 0,
    })),
    workers: list(bounds.workers, (index) => ({
      epoch: index + 1,
      isUp: true,
      isAlive: true,
      isLate: false,
      hands: list(bounds.items, () => null),
    })),
    strays: [],
    journal: [],
    counts: { done: 0, failed: 0, cancelled: 0 },
    cancelling: list(bounds.items, () => null),
    troubles: bounds.troubles,
    begins: bounds.begins,
    nextEpoch: bounds.workers + 1,
    nextLease: 1,
    broken: null,
  };
}

/** Hands and messages are never changed in place, so copying their lists is enough. */
export function copy(state: State): State {
  return {
    ...state,
    items: state.items.map((item) => ({
      ...item,
      run: item.run && { ...item.run },
      succeeded: [...item.succeeded],
    })),
    workers: state.workers.map((worker) => ({ ...worker, hands: [...worker.hands] })),
    strays: [...state.strays],
    journal: [...state.journal],
    counts: { ...state.counts },
    cancelling: [...state.cancelling],
  };
}

export const isWritten = (state: State, message: Message): boolean =>
  state.journal.some((j) => j.item === message.item && j.epoch === message.epoch && j.version === message.version);

/**
 * One text for all states that behave alike. Versions and leases count only as far as they equal the run row's, epochs
 * only as far as they equal each other; of a write that can never fit again nothing counts but whether it is in the
 * journal; and which item or worker is called first does not matter.
 */
export function keyOf(state: State): string {
  const names = state.items.map((item, i) => itemName(state, item, state.cancelling[i] ?? null));
  let least: string | undefined;
  for (const items of orders(names)) {
    // Sorting by what can be told without comparing epochs leaves few orders to try: half the time of the search.
    const looks = state.workers.map((worker) => {
      let look = (worker.isUp ? 1 : 0) + (worker.isAlive ? 2 : 0) + (worker.isLate ? 4 : 0);
      for (const i of items)
        look = look * 8 + PHASES.indexOf(worker.hands[i]?.phase ?? "claimed") + (worker.hands[i] ? 1 : 0);
      return look;
    });
    for (const workers of orders(looks)) {
      const key = textOf(state, items, workers, names);
      if (least === undefined || key < least) least = key;
    }
  }
  return least ?? "";
}

/** The orders of one or two things that sort them by name: one, or both where the names are equal. */
function orders<Name extends string | number>(names: readonly Name[]): readonly (readonly number[])[] {
  const [first, second] = names;
  if (first === undefined || second === undefined) return ALONE;
  if (first === second) return EITHER;
  return first < second ? FORTH : BACK;
}
const PHASES: readonly Hand["phase"][] = ["claimed", "visiting", "sent", "unknown"];
const ALONE = [[0]];
const FORTH = [[0, 1]];
const BACK = [[1, 0]];
const EITHER = [...FORTH, ...BACK];

function textOf(state: State, items: readonly number[], workers: readonly number[], names: readonly string[]): string {
  const epochs: number[] = [];
  const epochName = (epoch: number): number => {
    const known = epochs.indexOf(epoch);
    return known >= 0 ? known : epochs.push(epoch) - 1;
  };
  const messageName = (message: Message): string => {
    const item = state.items[message.item];
    const age = (item?.run?.version ?? item?.last.version ?? 0) - message.version;
    const lookup = isWritten(state, message) ? "w" : "n";
    if (age > 0) return lookup;
    const isOwner = message.lease === item?.run?.lease ? "o" : "x";
    const standing = `${message.stage}${message.attempts}${message.series}${message.reason === "pausing" ? "p" : ""}`;
    return `${epochName(message.epoch)}${age}${isOwner}${lookup}${standing}${message.outcome?.[0] ?? "-"}`;
  };
  const handName = (hand: Hand): string => {
    const name = messageName(hand.message);
    // A visit whose result can no longer fit is all the same before it begins, during it, and when it has been sent.
    if (name === "n" && !hand.doubted && hand.phase !== "unknown") return "late";
    return `${hand.phase[0]}${hand.doubted ? "?" : ""}${name}`;
  };
  let text = `${state.troubles}`;
  for (const w of workers) {
    const worker = state.workers[w] as Worker; // w is an index of it
    text += `|${epochName(worker.epoch)}${worker.isUp ? "u" : "d"}${worker.isAlive ? "a" : "x"}${worker.isLate ? "l" : ""}`;
    for (const i of items) {
      const hand = worker.hands[i];
      text += hand ? `;${handName(hand)}` : ";";
    }
  }
  for (const i of items) {
    const item = state.items[i] as Item; // i is an index of it
    text += `/${names[i]}`;
    if (item.run !== null) text += item.run.epoch === null ? "-" : epochName(item.run.epoch);
    if (state.strays.length === 0) continue;
    const strays = state.strays.filter((stray) => stray.item === i).map(messageName);
    text += `~${strays.sort().join("~")}`;
  }
  return text;
}

// The counts are left out: they equal a recount in every state that is explored further.
function itemName(state: State, item: Item, seen: number | null): string {
  const { run, ended, succeeded, faults, last } = item;
  const cancel = seen === null ? "" : (run?.version ?? last.version) === seen ? "c" : "C";
  if (run === null)
    return `${cancel}${ended === "failed" && state.troubles > 0 ? `f${last.stage}${last.series}` : "e"}`;
  const successes = succeeded.filter((success) => success.endsWith(`.${run.series}`)).length;
  const claimed = run.claimed && state.troubles > 0 ? "c" : "";
  return `${cancel}${run.stage}${run.attempts}${run.series}${run.reason === "pausing" ? "p" : ""}${claimed}${successes}${faults}`;
}
