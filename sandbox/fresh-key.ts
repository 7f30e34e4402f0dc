// A key for a program of a world: a new one each time, in the place of the one before, for what a key was is known to nobody afterwards.

import type { Sluice } from "../src/engine/index.ts";
import { Access } from "../src/server/access/access.ts";
import type { Scope } from "../src/server/access/principal.ts";

export interface WantedKey {
  /** An admin, whose key it is. */
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lastsMs: number;
}

export async function freshKey(
  { tables }: Pick<Sluice, "tables">,
  { user, name, scopes, lastsMs }: WantedKey,
): Promise<string> {
  const access = new Access({ tables, now: () => performance.now() });
  const admin = { user, role: "admin", via: "session", scopes: null } as const;
  const old = (await access.keys(admin, { limit: 100 })).filter(
    (key) => key.account === user && key.name === name && key.revoked_at === null,
  );
  for (const { id } of old) await access.revokeKey(admin, id, null);
  return (await access.makeKey(admin, { name, scopes: [...scopes], lastsMs }, null)).key;
}
