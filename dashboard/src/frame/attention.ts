// What nobody should have to look for: work that nobody does, and what somebody has to see to. Pure.

import type { Me, Overview } from "../../../src/server/contract/wire.ts";

export interface Idle {
  readonly items: number;
  /** They were not counted to the end. */
  readonly isMore: boolean;
  /** One may be there still: it is only not heard from. */
  readonly isLate: boolean;
}

/** Where items are to be worked on and no worker is there. What waits for a person waits for no worker. */
export function idleOf({ workers, pipelines }: Pick<Overview, "workers" | "pipelines">): Idle | null {
  const items = pipelines.reduce((sum, { queued, running, waiting }) => sum + queued + running + waiting, 0);
  if (workers.alive > 0 || items === 0) return null;
  return { items, isMore: pipelines.some(({ isMore }) => isMore), isLate: workers.late > 0 };
}

/** How many things ask for this person: questions they may answer, and, where they run it, that nobody works. */
export function asksOf(overview: Pick<Overview, "workers" | "pipelines" | "needsYou">, role: Me["role"]): number {
  if (role === "viewer") return 0;
  return overview.needsYou + (role === "admin" && idleOf(overview) !== null ? 1 : 0);
}
