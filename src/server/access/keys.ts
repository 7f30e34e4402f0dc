// Keys for programs: made and revoked by people who are signed in.

import { InputError, SluiceError, type Tables } from "../../engine/index.ts";
import { noteAudit } from "./audit.sql.ts";
import { addKey, revokeKey as endKey, type KeyRow } from "./keys.sql.ts";
import { isAllowed, type Principal, SCOPES, type Scope } from "./principal.ts";
import { newToken, tokenHash } from "./token.ts";

export interface AskedKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** For ever, where it is not said. */
  readonly lastsMs?: number | undefined;
}

export interface MadeKey {
  readonly key: string;
  readonly row: KeyRow;
}

export async function makeKey(
  tables: Tables,
  by: Principal,
  { name, scopes, lastsMs }: AskedKey,
  address: string | null,
): Promise<MadeKey> {
  if (by.via === "key") throw new SluiceError("FORBIDDEN", "keys are made by people who are signed in, not by keys");
  if (!/^[^\p{C}]{1,60}$/u.test(name)) throw new InputError("name", "name: 1 to 60 characters that one can see");
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope)))
    throw new InputError("scopes", `scopes: one or more of ${SCOPES.join(", ")}`);
  const beyond = scopes.find((scope) => !isAllowed(by, scope));
  if (beyond !== undefined) throw new SluiceError("FORBIDDEN", `a key may do no more than you may, and not ${beyond}`);
  const token = newToken("key");
  return await tables.transaction(async (tx) => {
    const asked = { hash: tokenHash(token), name, account: by.user, scopes, lastsMs: lastsMs ?? null };
    const row = await addKey(tx, asked);
    if (row === undefined)
      throw new SluiceError("CONFLICT", `you have a key called ${name}; take another name, or revoke that one first`);
    await noteAudit(tx, { actor: by.user, address, action: "key.make", subject: name, detail: { scopes } });
    return { key: token, row };
  });
}

export async function revokeKey(tables: Tables, by: Principal, id: string, address: string | null): Promise<void> {
  const own = by.role === "admin" ? null : by.user;
  await tables.transaction(async (tx) => {
    if (!/^\d{1,18}$/.test(id) || !(await endKey(tx, id, own)))
      throw new SluiceError("NOT_FOUND", `there is no key ${id}`, { field: "key" });
    await noteAudit(tx, { actor: by.user, address, action: "key.revoke", subject: id });
  });
}
