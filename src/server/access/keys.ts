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
  /** Whose it is to be, where an admin makes it for somebody else. */
  readonly owner?: Pick<Principal, "user" | "role"> | undefined;
}

export interface MadeKey {
  readonly key: string;
  readonly row: KeyRow;
}

export async function makeKey(
  tables: Tables,
  by: Principal,
  { name, scopes, lastsMs, owner = by }: AskedKey,
  address: string | null,
): Promise<MadeKey> {
  if (by.via === "key") throw new SluiceError("FORBIDDEN", "keys are made by people who are signed in, not by keys");
  if (owner.user !== by.user && !isAllowed(by, "admin"))
    throw new SluiceError("FORBIDDEN", "keys for others are made by admins");
  if (!/^[^\p{C}]{1,60}$/u.test(name)) throw new InputError("name", "name: 1 to 60 characters that one can see");
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope)))
    throw new InputError("scopes", `scopes: one or more of ${SCOPES.join(", ")}`);
  const beyond = scopes.find((scope) => !isAllowed({ ...by, ...owner }, scope));
  const whose = owner.user === by.user ? "you" : owner.user;
  if (beyond !== undefined)
    throw new SluiceError("FORBIDDEN", `a key may do no more than ${whose} may, and not ${beyond}`);
  const token = newToken("key");
  return await tables.transaction(async (tx) => {
    const asked = { hash: tokenHash(token), name, account: owner.user, scopes, lastsMs: lastsMs ?? null };
    const row = await addKey(tx, asked);
    if (row === undefined)
      throw new SluiceError(
        "CONFLICT",
        `${whose} ${whose === "you" ? "have" : "has"} a key called ${name}; take another name, or revoke that one first`,
      );
    const detail = { scopes, ...(whose === "you" ? {} : { account: owner.user }) };
    await noteAudit(tx, { actor: by.user, address, action: "key.make", subject: name, detail });
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
