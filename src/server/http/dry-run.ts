// How a dry run is done. `Routes` reads `dryRun` for every route that changes something. What is ours is done in full and rolled
// back; an action of the engine has a dry run of its own; what is left is checked, and told instead of done.

import type { Context } from "hono";
import type { Tables } from "../../engine/index.ts";
import type { Access, Rehearsed } from "../access/access.ts";
import { rehearsal } from "../rehearsal.ts";
import type { Env } from "./env.ts";

export function tablesFor(c: Context<Env>, tables: Tables): Tables {
  return c.get("isDry") ? rehearsal(tables) : tables;
}

export function accessFor(c: Context<Env>, access: Access): Rehearsed {
  return c.get("isDry") ? access.rehearsal() : access;
}

/** What a change answers that is about no single item: it is done, or what would be. */
export function toldDone(c: Context<Env>, would: string) {
  return { ok: true as const, would: c.get("isDry") ? would : null };
}

/** Everything that it may be refused for has to be looked at before. */
export async function doUnlessDry(c: Context<Env>, would: string, act: () => Promise<unknown>) {
  if (!c.get("isDry")) await act();
  return toldDone(c, would);
}
