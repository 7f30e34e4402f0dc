// The order of the files. Whoever comes last and takes long runs alone, and half of the machine waits for it. Vitest knows
// how long each took only after it ran here once; before, it begins with the largest, which says little.

import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** What takes about twenty seconds or more on an idle machine, the longest first; those in memory are a group of their own, and come last. */
export const LONGEST: readonly string[] = [
  "test/dashboard/delivery.test.ts",
  "test/media/encoding.test.ts",
  "test/media/delivering-real.test.ts",
  "test/dashboard/documents.test.ts",
  "test/sandbox/media-world.test.ts",
  "test/sandbox/documents-world.test.ts",
  "test/documents/scripted.test.ts",
  "test/documents/up.test.ts",
  "test/documents/queue.test.ts",
  "test/documents/docling.test.ts",
  "test/dashboard/looks.test.ts",
  "test/media/embedded-torrents.test.ts",
  "test/media/qbittorrent.test.ts",
  "test/media/downloaded.test.ts",
  "test/media/up.test.ts",
  "test/documents/corpus.test.ts",
  "test/documents/gateway.test.ts",
  "test/postgres/embedded.test.ts",
  "test/sandbox/world.test.ts",
  "test/functional/embedded-18.test.ts",
  "test/functional/pgbouncer.test.ts",
  "test/dashboard/tasks.test.ts",
  "test/postgres/embedded-places.test.ts",
  "test/interleavings/items.test.ts",
  "test/docs/examples.test.ts",
  "test/dashboard/sandbox.test.ts",
  "test/interleavings/surroundings.test.ts",
  "test/server/cli.test.ts",
  "test/functional/postgres-15.test.ts",
  "test/postgres/switches.test.ts",
  "test/dashboard/many.test.ts",
  "test/postgres/watch.test.ts",
  "test/server/cli-bulk.test.ts",
  "test/server/feed-load.test.ts",
  "test/postgres/breaker.test.ts",
  "test/postgres/suspects.test.ts",
  "test/server/log-lines.test.ts",
  "test/postgres/durability.test.ts",
  "test/package/pack.test.ts",
  "test/server/alerts.test.ts",
  "test/behaviour/stall-reactions.test.ts",
  "test/behaviour/rollout.test.ts",
  "test/simulation/planted-actions.test.ts",
  "test/behaviour/turns.test.ts",
  "test/simulation/simulation.test.ts",
  "test/behaviour/deadlines.test.ts",
  "test/behaviour/explain-claim.test.ts",
];

/** Where a file is, and of which project. */
export interface Placed {
  readonly path: string;
  readonly project: string;
}

/**
 * Those that are named come first, in this order. The others stay as they were, project by project: a process that files share
 * is ended as soon as the next file is of another project.
 */
export function longestFirst<Spec>(specs: readonly Spec[], placeOf: (spec: Spec) => Placed): Spec[] {
  const projects = [...new Set(specs.map((spec) => placeOf(spec).project))].toSorted();
  const rank = (spec: Spec): number => {
    const { path, project } = placeOf(spec);
    const at = LONGEST.indexOf(path);
    return at === -1 ? LONGEST.length + projects.indexOf(project) : at;
  };
  return [...specs].sort((a, b) => rank(a) - rank(b));
}

export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const placeOf = ({ moduleId, project }: TestSpecification) => ({
      path: relative(root, moduleId),
      project: project.name,
    });
    return longestFirst(await super.sort(specs), placeOf);
  }
}
