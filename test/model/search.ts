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
  /** Who reaches this state by a step that needs no further trouble. */
  const reachedFrom: number[][] = [];
  const goals: number[] = [];
  let transitions = 0;

  const add = (state: State, parent: number, name: string): number | undefined => {
    const key = keyOf(state);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(key, number);
    parents.push(parent);
    names.push(name);
    reachedFrom.push([]);
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
        if (step.broken !== null) {
          const told = [...story(number), step.name];
          return { states: numbers.size, transitions, broken: { invariant: step.broken, story: told } };
        }
        const before = numbers.size;
        const reached = add(step.next, number, step.name);
        if (reached === undefined) continue;
        if (reached === before) next.push({ state: step.next, number: reached });
        if (!step.isTrouble) reachedFrom[reached]?.push(number);
      }
    }
    frontier = next;
  }
  const lost = firstThatCannotEnd(goals, reachedFrom);
  const broken = lost === undefined ? null : { invariant: INVARIANT.nothingForgotten, story: story(lost) };
  return { states: numbers.size, transitions, broken };
}

function firstThatCannotEnd(goals: readonly number[], reachedFrom: readonly (readonly number[])[]): number | undefined {
  const canEnd = new Uint8Array(reachedFrom.length);
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
