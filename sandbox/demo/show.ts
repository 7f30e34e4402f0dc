// What a demo shows: a world, what happens in it while somebody looks, and what happens in it with --once.

import type { GivenAdmin } from "../../src/server/access/ensure-admin.ts";
import type { World, WorldOptions } from "../world.ts";

export interface Show<W extends World = World> {
  readonly title: string;
  /** What is being started, in words. */
  readonly parts: string;
  start(options: WorldOptions): Promise<W>;
  /** Resolves when it is told to end. */
  live(world: W, admin: GivenAdmin, over: AbortSignal): Promise<void>;
  once(world: W, options: OnceOptions): Promise<Came>;
}

export interface OnceOptions {
  /** Undefined: as many as usual. */
  readonly items: number | undefined;
  readonly folder: string;
  readonly over: AbortSignal;
}

export interface Came {
  /** The words for what was lost; none when nothing was. */
  readonly lost: readonly string[];
  /** What is said when nothing was. */
  readonly sentence: string;
}
