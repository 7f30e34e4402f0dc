// Breadth-first over everything that can happen. What is broken on the way is reported with the shortest story of how;
// what can no longer end is found afterwards, by walking back from the states in which all has ended.

import { type Flaw, INVARIANT, type Invariant } from "./invariants.ts";
import { isOver, steps } from "./model.ts";
import { type Bounds, initial, keyOf, type State } from "./state.ts";

export interface Found {
  readonly states: number;
  readonly transitions: number;
  readonly broken: { readonly invariant: Invariant; readonly story: readonly string[] } | null;
}

export function explore(bounds: Bounds, flaws: readonly Flaw[] = []): Found {
  const planted = new Set(flaws);
  const numbers = new Map<string, number>();
  const parents: number[] = [];
  const names: string[] = [];
  /** Pairs of states, from and to: the steps that need no further trouble. Flat, for there are a million. */
  const edges: number[] = [];
  const goals: number[] = [];
  let transitions = 0;

  const add = (state: State, parent: number, name: string): number => {
    const key = keyOf(state);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(key, number);
    parents.push(parent);
    names.push(name);
    if (isOver(state)) goals.push(number);
    return number;
  };
  const story = (at: number): string[] => {
    const told: string[] = [];
    for (let n = at; n > 0; n = parents[n] ?? 0) told.unshift(names[n] ?? "");
    return told;
  };

  const first = initial(bounds);
  add(first, 0, "");
  let frontier: { state: State; number: number }[] = [{ state: first, number: 0 }];
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { state, number } of frontier) {
      for (const step of steps(state, planted)) {
        transitions++;
        if (step.next.broken !== null) {
          const told = [...story(number), step.name];
          return { states: numbers.size, transitions, broken: { invariant: step.next.broken, story: told } };
        }
        const before = numbers.size;
        const reached = add(step.next, number, step.name);
        if (reached === before) next.push({ state: step.next, number: reached });
        if (!step.isTrouble && reached !== number) edges.push(number, reached);
      }
    }
    frontier = next;
  }
  const lost = firstThatCannotEnd(numbers.size, goals, edges);
  const broken = lost === undefined ? null : { invariant: INVARIANT.nothingForgotten, story: story(lost) };
  return { states: numbers.size, transitions, broken };
}

function firstThatCannotEnd(states: number, goals: readonly number[], edges: readonly number[]): number | undefined {
  const reachedFrom: number[][] = Array.from({ length: states }, () => []);
  for (let e = 0; e < edges.length; e += 2) reachedFrom[edges[e + 1] ?? 0]?.push(edges[e] ?? 0);
  const canEnd = new Uint8Array(states);
  const open = [...goals];
  for (const goal of goals) canEnd[goal] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const from of reachedFrom[at] ?? []) {
      if (canEnd[from] === 1) continue;
      canEnd[from] = 1;
      open.push(from);
    }
  }
  const lost = canEnd.indexOf(0);
  return lost < 0 ? undefined : lost;
}
