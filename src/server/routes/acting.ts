// Every action of a person or a program on items and requests: done, or refused with what would work instead.

import type { Context } from "hono";
import type { ActionResult, ItemId, Sluice } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import { toActed } from "../contract/acted.ts";
import { offeredTo } from "../contract/explanation.ts";
import type { Env } from "../http/env.ts";
import { TellingError } from "../http/problem.ts";
import { principalOf } from "../http/routes.ts";

export interface Acting {
  /** As it stands in the audit: `item.retry`. */
  readonly action: string;
  /** The id of what it is done to. */
  readonly subject: string;
  readonly detail?: unknown;
  /** Whose other actions are told where this one is refused. */
  readonly item?: ItemId;
}

export interface ByWhom {
  readonly by: string;
  readonly dryRun: boolean;
  /** Members act as owners of what is theirs. */
  readonly asOwner: string | undefined;
}

export async function act(
  sluice: Sluice,
  c: Context<Env>,
  { action, subject, detail, item }: Acting,
  work: (options: ByWhom) => Promise<ActionResult>,
) {
  const principal = principalOf(c.get("principal"));
  const dryRun = c.get("isDry");
  const result = await work({ by: principal.user, dryRun, asOwner: ownOnly(principal) ?? undefined });
  if (!result.ok) {
    const actions = item === undefined ? undefined : offeredTo(principal, await sluice.explain(item));
    throw new TellingError("REFUSED", result.reason, actions === undefined ? {} : { actions });
  }
  c.set("deed", { action, subject, detail });
  return toActed(result);
}
