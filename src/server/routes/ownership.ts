// Which item or request a path means. Another's is as unknown as one that never was.

import type { Context } from "hono";
import { type ItemId, type RequestId, type Sluice, SluiceError } from "../../engine/index.ts";
import { ownOnly } from "../access/principal.ts";
import type { Env } from "../http/env.ts";
import { principalOf } from "../http/routes.ts";

/** Whose things may be seen and handled; undefined for everybody's. */
export function ownerFor(c: Context<Env>): string | undefined {
  return ownOnly(principalOf(c.get("principal"))) ?? undefined;
}

export async function itemMeant(sluice: Sluice, c: Context<Env>, text: string): Promise<ItemId> {
  return await sluice.itemId(text, { owner: ownerFor(c) });
}

export async function requestMeant(sluice: Sluice, c: Context<Env>, text: string): Promise<RequestId> {
  return await sluice.requestId(text, { owner: ownerFor(c) });
}

/** One that several asked for may be seen and left by each of them, and changed by none of them alone. */
export async function requestToChange(sluice: Sluice, c: Context<Env>, text: string): Promise<RequestId> {
  const owner = ownerFor(c);
  const id = await requestMeant(sluice, c, text);
  if (owner !== undefined && (await sluice.request(id, { owner })).owners.length > 1)
    throw new SluiceError("REFUSED", "others asked for the same request; only an admin may change it for all of them");
  return id;
}
