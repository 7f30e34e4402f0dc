// Coming in: the first start, signing in and out, keys; and from what a caller shows to who it is.

import { InputError, SluiceError, type Tables } from "../../engine/index.ts";
import { addAccount, changeAccount, findAccount, lockAdmins } from "./accounts.sql.ts";
import { noteAudit } from "./audit.sql.ts";
import { addKey, findKey, type KeyRow, revokeKey, useKey } from "./keys.sql.ts";
import { LoginBrake } from "./login-brake.ts";
import { checkPassword, hashPassword, isPassword } from "./password.ts";
import { isAllowed, type Principal, ROLES, type Role, SCOPES, type Scope } from "./principal.ts";
import { beginSession, endSessions, findSession, seeSession } from "./sessions.sql.ts";
import { isSetup, offerSetup, takeSetup, takeSetupTurn } from "./setup.sql.ts";
import { newToken, tokenHash, tokenKind } from "./token.ts";

const DAY_MS = 86_400_000;
const SESSION = { idleMs: 7 * DAY_MS, wholeMs: 30 * DAY_MS };
const SETUP_MS = DAY_MS;
/** When somebody was last seen is written down this often, not with every request. */
const SEEN_EVERY_SECONDS = 60;
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

export interface AccessPorts {
  readonly tables: Tables;
  /** Monotonic milliseconds, for the brake alone. */
  now(): number;
}

/** Who is asked to wait, and for how long. */
export class TooManyTries extends SluiceError {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super("RATE_LIMITED", `too many wrong passwords; try again in ${Math.ceil(retryAfterMs / 1_000)} s`);
    this.retryAfterMs = retryAfterMs;
  }
}

export class Access {
  readonly #tables: Tables;
  readonly #brake: LoginBrake;

  constructor({ tables, now }: AccessPorts) {
    this.#tables = tables;
    this.#brake = new LoginBrake(now);
  }

  /** The token of a link that makes the first account; undefined when there is one. A new one takes the last one's place. */
  async offerSetup(): Promise<string | undefined> {
    const token = newToken("setup");
    const isOffered = await this.#tables.transaction(async (tx) => {
      await takeSetupTurn(tx);
      return await offerSetup(tx, tokenHash(token));
    });
    return isOffered ? token : undefined;
  }

  /** The first account, an admin's, for whoever has the link. It is used up with that. */
  async setUp(token: string, name: string, password: string, address: string): Promise<void> {
    checkAccount(name, "admin", password);
    const hash = tokenHash(token);
    const over = () =>
      new SluiceError(
        "SETUP_OVER",
        "this set-up link is used up or too old; start the server again for a new one, or sign in if there is an account",
      );
    if (tokenKind(token) !== "setup" || !(await isSetup(this.#tables, hash, SETUP_MS))) throw over();
    const stored = await hashPassword(password);
    await this.#tables.transaction(async (tx) => {
      await takeSetupTurn(tx);
      if (!(await takeSetup(tx, hash, SETUP_MS)) || !(await addAccount(tx, name, "admin", stored))) throw over();
      await noteAudit(tx, { actor: name, address, action: "account.setup", subject: name });
    });
  }

  async addAccount(by: string, account: { name: string; role: Role; password: string }, address: string | null) {
    checkAccount(account.name, account.role, account.password);
    const stored = await hashPassword(account.password);
    await this.#tables.transaction(async (tx) => {
      if (!(await addAccount(tx, account.name, account.role, stored)))
        throw new SluiceError("CONFLICT", `there is an account ${account.name} already; names are never used again`);
      const { name, role } = account;
      await noteAudit(tx, { actor: by, address, action: "account.add", subject: name, detail: { role } });
    });
  }

  /** Takes effect at once: whoever is shut out, or gets another password, has no session any more. */
  async changeAccount(
    by: string,
    name: string,
    change: { readonly role?: Role; readonly password?: string; readonly disabled?: boolean },
    address: string | null,
  ): Promise<void> {
    if (change.role !== undefined) checkRole(change.role);
    if (change.password !== undefined) checkPassword(change.password, name);
    const password = change.password === undefined ? undefined : await hashPassword(change.password);
    await this.#tables.transaction(async (tx) => {
      await lockAdmins(tx);
      if ((await findAccount(tx, name)) === undefined)
        throw new SluiceError("NOT_FOUND", `there is no account ${name}`, { field: "name" });
      if (!(await changeAccount(tx, name, { ...change, password })))
        throw new SluiceError("CONFLICT", `${name} is the last admin; make somebody else one first`);
      if (password !== undefined || change.disabled === true) await endSessions(tx, { account: name });
      const { role, disabled } = change;
      const detail = { role, disabled, password: password === undefined ? undefined : "changed" };
      await noteAudit(tx, { actor: by, address, action: "account.change", subject: name, detail });
    });
  }

  /** A new session's token. Never says whether the account exists. */
  async logIn(name: string, password: string, address: string): Promise<string> {
    const account = NAME.test(name) ? await findAccount(this.#tables, name) : undefined;
    const who = { account: account?.name, address };
    const wait = this.#brake.wait(who);
    if (wait > 0) throw new TooManyTries(wait);
    // Counted before it is looked at, or a hundred at once would all be the first.
    this.#brake.wrong(who);
    const stored = account?.password ?? null;
    const token = newToken("session");
    let isIn: boolean;
    try {
      const isRight = await isPassword(password, stored);
      // The password as it was looked at: one that was changed meanwhile lets nobody in any more.
      isIn = isRight && (await beginSession(this.#tables, { hash: tokenHash(token), account: name, address, stored }));
    } catch (error) {
      // No verdict, so it was no wrong one.
      this.#brake.undo(who);
      throw error;
    }
    const action = isIn ? "session.begin" : "session.refused";
    // Names that nobody has are not kept: people type passwords there.
    await noteAudit(this.#tables, { actor: isIn ? name : "nobody", address, action, subject: account?.name });
    if (!isIn) throw new SluiceError("UNAUTHENTICATED", "no account has this name and password");
    this.#brake.right(who);
    return token;
  }

  async logOut(token: string): Promise<void> {
    await endSessions(this.#tables, { hash: tokenHash(token) });
  }

  /** Undefined for what lets nobody in: unknown, over, revoked, or of somebody who was shut out. */
  async principalOf(token: string): Promise<Principal | undefined> {
    const kind = tokenKind(token);
    if (kind === "session") return await this.#bySession(tokenHash(token));
    return kind === "key" ? await this.#byKey(tokenHash(token)) : undefined;
  }

  async #bySession(hash: string): Promise<Principal | undefined> {
    const found = await findSession(this.#tables, hash, SESSION);
    if (found === undefined) return undefined;
    if (found.unseen > SEEN_EVERY_SECONDS) await seeSession(this.#tables, hash);
    return { user: found.account, role: found.role, via: "session", scopes: null };
  }

  async #byKey(hash: string): Promise<Principal | undefined> {
    const found = await findKey(this.#tables, hash);
    if (found === undefined) return undefined;
    if (found.unseen > SEEN_EVERY_SECONDS) await useKey(this.#tables, found.id);
    return { user: found.account, role: found.role, via: "key", scopes: found.scopes };
  }

  /** The key itself is in the answer and nowhere else, ever. */
  async makeKey(
    by: Principal,
    key: { readonly name: string; readonly scopes: readonly Scope[]; readonly lastsMs?: number },
    address: string | null,
  ): Promise<{ readonly key: string; readonly row: KeyRow }> {
    const { name, scopes, lastsMs = null } = key;
    if (by.via === "key") throw new SluiceError("FORBIDDEN", "keys are made by people who are signed in, not by keys");
    if (!/^[^\p{C}]{1,60}$/u.test(name)) throw new InputError("name", "name: 1 to 60 characters that one can see");
    if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope)))
      throw new InputError("scopes", `scopes: one or more of ${SCOPES.join(", ")}`);
    const beyond = scopes.find((scope) => !isAllowed(by, scope));
    if (beyond !== undefined)
      throw new SluiceError("FORBIDDEN", `a key may do no more than you may, and not ${beyond}`);
    const token = newToken("key");
    return await this.#tables.transaction(async (tx) => {
      const row = await addKey(tx, { hash: tokenHash(token), name, account: by.user, scopes, lastsMs });
      if (row === undefined)
        throw new SluiceError("CONFLICT", `you have a key called ${name}; take another name, or revoke that one first`);
      await noteAudit(tx, { actor: by.user, address, action: "key.make", subject: name, detail: { scopes } });
      return { key: token, row };
    });
  }

  /** One's own; an admin any. Another's id is as unknown as none. */
  async revokeKey(by: Principal, id: string, address: string | null): Promise<void> {
    const own = by.role === "admin" ? null : by.user;
    await this.#tables.transaction(async (tx) => {
      if (!/^\d{1,18}$/.test(id) || !(await revokeKey(tx, id, own)))
        throw new SluiceError("NOT_FOUND", `there is no key ${id}`, { field: "key" });
      await noteAudit(tx, { actor: by.user, address, action: "key.revoke", subject: id });
    });
  }
}

function checkAccount(name: string, role: Role, password: string): void {
  if (!NAME.test(name))
    throw new InputError(
      "name",
      "name: small letters, digits, dot, dash and underscore, up to 40, beginning with a letter or digit",
    );
  checkRole(role);
  checkPassword(password, name);
}

function checkRole(role: Role): void {
  if (!ROLES.includes(role)) throw new InputError("role", `role is one of ${ROLES.join(", ")}`);
}
