// What was down for how it was set is looked at now, instead of when its time comes.

import type { Context } from "hono";
import type { Sluice } from "../../../engine/index.ts";
import type { Env } from "../../http/env.ts";
import { principalOf } from "../../http/routes.ts";

/** Nothing happens where it is not down. */
export async function lookAgain(c: Context<Env>, sluice: Sluice, service: string): Promise<void> {
  if (!c.get("isDry")) await sluice.checkService(service, principalOf(c.get("principal")).user);
}
