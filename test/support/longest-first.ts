// The order of the files. Whoever comes last and takes long runs alone, and half of the machine waits for it. Vitest knows
// how long each took only after it ran here once; before, it begins with the largest, which says little.

import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** What takes longer than twenty seconds on an idle machine, the longest first. */
export const LONGEST: readonly string[] = [
  "test/sandbox/world.test.ts",
  "test/dashboard/looks.test.ts",
  "test/media/embedded-torrents.test.ts",
  "test/dashboard/sandbox.test.ts",
  "test/media/qbittorrent.test.ts",
  "test/postgres/embedded.test.ts",
  "test/server/alerts.test.ts",
  "test/dashboard/many.test.ts",
  "test/interleavings/items.test.ts",
  "test/interleavings/surroundings.test.ts",
  "test/simulation/planted-outside.test.ts",
  "test/simulation/planted-actions.test.ts",
  "test/simulation/planted.test.ts",
  "test/package/pack.test.ts",
  "test/server/cli.test.ts",
  "test/behaviour/stall-reactions.test.ts",
  "test/simulation/simulation.test.ts",
  "test/postgres/switches.test.ts",
  "test/postgres/watch.test.ts",
  "test/postgres/durability.test.ts",
  "test/behaviour/outside.test.ts",
  "test/behaviour/turns.test.ts",
  "test/behaviour/finders.test.ts",
  "test/postgres/suspects.test.ts",
];

/** Those that are named come first, in this order; the others stay as they were. */
export function longestFirst<Spec>(specs: readonly Spec[], pathOf: (spec: Spec) => string): Spec[] {
  const rank = (spec: Spec): number => {
    const at = LONGEST.indexOf(pathOf(spec));
    return at === -1 ? LONGEST.length : at;
  };
  return [...specs].sort((a, b) => rank(a) - rank(b));
}

export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    return longestFirst(await super.sort(specs), ({ moduleId }) => relative(root, moduleId));
  }
}
