// How somebody comes in: an account that is made for the demo, and a key for the command line. The password is another for each
// folder, because who may use this machine need not be who started the demo.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sluice } from "../../src/engine/index.ts";
import type { GivenAdmin } from "../../src/server/access/ensure-admin.ts";
import { freshKey } from "../fresh-key.ts";

const NAME = "demo";
const KEY_NAME = "command line";
const COMMANDS = ["read", "submit", "operate", "admin"] as const;
const KEY_MS = 7 * 24 * 3_600_000;

/** The same again in the same folder. */
export function demoAdmin(folder: string): GivenAdmin {
  const file = join(folder, "password");
  if (!existsSync(file)) writeFileSync(file, `film-${words()}`, { mode: 0o600 });
  return { name: NAME, password: readFileSync(file, "utf8").trim() };
}

/** Three groups of four, to be typed. */
const words = () => (randomBytes(6).toString("hex").match(/.{4}/g) ?? []).join("-");

export const demoKey = (sluice: Pick<Sluice, "tables">, user = NAME): Promise<string> =>
  freshKey(sluice, { user, name: KEY_NAME, scopes: COMMANDS, lastsMs: KEY_MS });
