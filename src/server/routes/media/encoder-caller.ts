import type { Context } from "hono";
import type { Caller } from "../../../apps/media/index.ts";
import type { Env } from "../../http/env.ts";

/** An encoder on another machine, by what it was let in with. A person who tries it out has no key, and may speak as any. */
export function callerOf(c: Context<Env>, name: string): Caller {
  return { name, place: "remote", key: c.get("principal")?.key ?? null };
}
