// How somebody comes in: an account that is made for the demo, and a key for the command line. The password is another for each
// folder, because who may use this machine need not be who started the demo.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sluice } from "../../src/engine/index.ts";
import { Access } from "../../src/server/access/access.ts";
import type { GivenAdmin } from "../../src/server/access/ensure-admin.ts";
import { SCOPES } from "../../src/server/access/principal.ts";

const NAME = "demo";
const KEY_NAME = "command line";
const KEY_MS = 7 * 24 * 3_600_000;

/** The same again in the same folder. */
export function demoAdmin(folder: string): GivenAdmin {
  const file = join(folder, "password");
  if (!existsSync(file)) writeFileSync(file, `film-${words()}`, { mode: 0o600 });
  return { name: NAME, password: readFileSync(file, "utf8").trim() };
}

/** Three groups of four, to be typed. */
const words = () => (randomBytes(6).toString("hex").match(/.{4}/g) ?? []).join("-");

/** A new one each time, in the place of the one before: what a key was is known to nobody afterwards. */
export async function demoKey(sluice: Pick<Sluice, "tables">, user = NAME): Promise<string> {
  const access = new Access({ tables: sluice.tables, now: () => performance.now() });
  const admin = { user, role: "admin", via: "session", scopes: null } as const;
  const old = (await access.keys(admin, { limit: 100 })).filter(
    ({ account, name, revoked_at }) => account === user && name === KEY_NAME && revoked_at === null,
  );
  for (const { id } of old) await access.revokeKey(admin, id, null);
  return (await access.makeKey(admin, { name: KEY_NAME, scopes: [...SCOPES], lastsMs: KEY_MS }, null)).key;
}
