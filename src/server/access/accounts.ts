// Accounts as admins handle them: added, changed, shut out.

import { InputError, SluiceError, type Tables } from "../../engine/index.ts";
import {
  type AccountChange,
  addAccount,
  changeAccount,
  findAccount,
  lockAdmins,
  ownsRequests,
} from "./accounts.sql.ts";
import { noteAudit } from "./audit.sql.ts";
import { checkPassword, hashPassword } from "./password.ts";
import { ACCOUNT_NAME, NAME_RULE, ROLES, type Role } from "./principal.ts";
import { endSessions } from "./sessions.sql.ts";

export interface AskedAccount {
  readonly name: string;
  readonly role: Role;
  readonly password: string;
  /** What was handed in for that name before is theirs. */
  readonly inherit?: boolean | undefined;
}

export async function makeAccount(tables: Tables, by: string, account: AskedAccount, address: string | null) {
  const { name, role, password, inherit } = account;
  checkAccount(name, role, password);
  if (inherit !== true && (await ownsRequests(tables, name)))
    throw new SluiceError(
      "CONFLICT",
      `work was handed in for ${name} before there was an account; take another name, or say inherit if it is theirs`,
      { field: "name" },
    );
  const stored = await hashPassword(password);
  await tables.transaction(async (tx) => {
    if (!(await addAccount(tx, name, role, stored)))
      throw new SluiceError("CONFLICT", `there is an account ${name} already; names are never used again`);
    await noteAudit(tx, { actor: by, address, action: "account.add", subject: name, detail: { role } });
  });
}

export async function alterAccount(
  tables: Tables,
  by: string,
  { name, change }: { readonly name: string; readonly change: AccountChange },
  address: string | null,
): Promise<void> {
  const { role, disabled } = change;
  if (role !== undefined) checkRole(role);
  if (change.password !== undefined) checkPassword(change.password, name);
  const password = change.password === undefined ? undefined : await hashPassword(change.password);
  await tables.transaction(async (tx) => {
    await lockAdmins(tx);
    if ((await findAccount(tx, name)) === undefined)
      throw new SluiceError("NOT_FOUND", `there is no account ${name}`, { field: "name" });
    if (!(await changeAccount(tx, name, { ...change, password })))
      throw new SluiceError("CONFLICT", `${name} is the last admin; make somebody else one first`);
    if (password !== undefined || disabled === true) await endSessions(tx, { account: name });
    const detail = { role, disabled, password: password === undefined ? undefined : "changed" };
    await noteAudit(tx, { actor: by, address, action: "account.change", subject: name, detail });
  });
}

export function checkAccount(name: string, role: Role, password: string): void {
  if (!ACCOUNT_NAME.test(name)) throw new InputError("name", `name: ${NAME_RULE}`);
  checkRole(role);
  checkPassword(password, name);
}

function checkRole(role: Role): void {
  if (!ROLES.includes(role)) throw new InputError("role", `role is one of ${ROLES.join(", ")}`);
}
