// Coming in: the first start, signing in and out, keys; and from what a caller shows to who it is.

import { InputError, SluiceError, type Tables } from "../../engine/index.ts";
import {
  type AccountRow,
  addAccount,
  changeAccount,
  findAccount,
  listAccounts,
  lockAdmins,
  ownsRequests,
} from "./accounts.sql.ts";
import { type AuditAsked, type AuditNote, type AuditRow, noteAudit, readAudit } from "./audit.sql.ts";
import { findKey, type KeyRow, listKeys, useKey } from "./keys.sql.ts";
import { type AskedKey, type MadeKey, makeKey, revokeKey } from "./keys.ts";
import { LoginBrake, type Trying } from "./login-brake.ts";
import { checkPassword, hashPassword, isPassword } from "./password.ts";
import { ACCOUNT_NAME, NAME_RULE, type Principal, ROLES, type Role } from "./principal.ts";
import { endSessions } from "./sessions.sql.ts";
import { type Admitted, type Browser, SEEN_EVERY_SECONDS, Sessions } from "./sessions.ts";
import { isSetup, offerSetup, takeSetup, takeSetupTurn } from "./setup.sql.ts";
import { newToken, tokenHash, tokenKind } from "./token.ts";
import { TryLater } from "./try-later.ts";

const DAY_MS = 86_400_000;
export const SETUP_MS = DAY_MS;

export interface AccessPorts {
  readonly tables: Tables;
  /** Monotonic milliseconds, for the brake alone. */
  now(): number;
}

export class Access {
  readonly sessions: Sessions;
  readonly #tables: Tables;
  readonly #brake: LoginBrake;

  constructor({ tables, now }: AccessPorts) {
    this.#tables = tables;
    this.sessions = new Sessions(tables);
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

  /** One whose name owns things already gets them, and so is made only where that is said. */
  async addAccount(
    by: string,
    account: { name: string; role: Role; password: string; inherit?: boolean | undefined },
    address: string | null,
  ) {
    checkAccount(account.name, account.role, account.password);
    if (account.inherit !== true && (await ownsRequests(this.#tables, account.name)))
      throw new SluiceError(
        "CONFLICT",
        `work was handed in for ${account.name} before there was an account; take another name, or say inherit if it is theirs`,
        { field: "name" },
      );
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

  /** One's own, for whoever knows the old one. All sessions end but the one with `token`; keys live on. */
  async changeOwnPassword(
    by: Principal,
    change: { readonly old: string; readonly password: string; readonly token: string },
    address: string,
  ): Promise<void> {
    checkPassword(change.password, by.user);
    const stored = (await findAccount(this.#tables, by.user))?.password ?? null;
    const who = { name: by.user, isKnown: true, address };
    if (!(await this.#try(who, () => isPassword(change.old, stored))))
      throw new InputError("old", "old: this is not your password; an admin can give you a new one");
    const password = await hashPassword(change.password);
    await this.#tables.transaction(async (tx) => {
      await changeAccount(tx, by.user, { password });
      await endSessions(tx, { account: by.user, besides: tokenHash(change.token) });
      await noteAudit(tx, { actor: by.user, address, action: "account.password", subject: by.user });
    });
  }

  /** A new session's token. Never says whether the account exists. */
  async logIn(name: string, password: string, address: string, browser: Browser = {}): Promise<string> {
    const account = ACCOUNT_NAME.test(name) ? await findAccount(this.#tables, name) : undefined;
    const stored = account?.password ?? null;
    let token: string | undefined;
    const isIn = await this.#try({ name, isKnown: account !== undefined, address }, async () => {
      if (!(await isPassword(password, stored))) return false;
      // The password as it was looked at: one that was changed meanwhile lets nobody in any more.
      token = await this.sessions.begin(name, stored, address, browser);
      return token !== undefined;
    });
    const action = isIn ? "session.begin" : "session.refused";
    // Names that nobody has are not kept: people type passwords there.
    await noteAudit(this.#tables, { actor: isIn ? name : "nobody", address, action, subject: account?.name });
    if (token === undefined) throw new SluiceError("UNAUTHENTICATED", "no account has this name and password");
    return token;
  }

  /** Whether a password is right, with the brake on. */
  async #try(who: Trying, isRight: () => Promise<boolean>): Promise<boolean> {
    const wait = this.#brake.wait(who);
    if (wait > 0) throw new TryLater("RATE_LIMITED", "too many wrong passwords", wait);
    // Counted before it is looked at, or a hundred at once would all be the first.
    this.#brake.wrong(who);
    try {
      const verdict = await isRight();
      if (verdict) this.#brake.right(who);
      return verdict;
    } catch (error) {
      // No verdict, so it was no wrong one.
      this.#brake.undo(who);
      throw error;
    }
  }

  async logOut(token: string): Promise<void> {
    await this.sessions.end(token);
  }

  /** Undefined for what lets nobody in: unknown, over, revoked, or of somebody who was shut out. */
  async principalOf(token: string): Promise<Principal | undefined> {
    const kind = tokenKind(token);
    if (kind === "session") return await this.sessions.principalOf(token);
    return kind === "key" ? await this.#byKey(tokenHash(token)) : undefined;
  }

  /** The same, for a caller who can hand on a new token: a session's that is old is renewed. */
  async admit(token: string): Promise<Admitted | undefined> {
    if (tokenKind(token) === "session") return await this.sessions.admit(token);
    const principal = await this.principalOf(token);
    return principal && { principal };
  }

  /** Who somebody is by now who was let in before: by the session, whose token may be another one, else by what was shown. */
  async stillIn({ session }: Principal, token: string): Promise<Principal | undefined> {
    return session === undefined ? await this.principalOf(token) : await this.sessions.principalOfId(session);
  }

  async #byKey(hash: string): Promise<Principal | undefined> {
    const found = await findKey(this.#tables, hash);
    if (found === undefined) return undefined;
    if (found.unseen > SEEN_EVERY_SECONDS) await useKey(this.#tables, found.id);
    return { user: found.account, role: found.role, via: "key", scopes: found.scopes };
  }

  /** The key itself is in the answer and nowhere else, ever. */
  async makeKey(by: Principal, key: AskedKey, address: string | null): Promise<MadeKey> {
    return await makeKey(this.#tables, by, key, address);
  }

  /** One's own; an admin any. Another's id is as unknown as none. */
  async revokeKey(by: Principal, id: string, address: string | null): Promise<void> {
    await revokeKey(this.#tables, by, id, address);
  }

  /** One's own; an admin's are everybody's. */
  async keys(by: Principal): Promise<KeyRow[]> {
    return await listKeys(this.#tables, by.role === "admin" ? null : by.user);
  }

  async accounts(): Promise<AccountRow[]> {
    return await listAccounts(this.#tables);
  }

  /** Who did what, newest first. */
  async audit(asked: AuditAsked): Promise<AuditRow[]> {
    return await readAudit(this.#tables, asked);
  }

  /** What was done elsewhere than here: everything that is changed over HTTP passes by. */
  async note(note: AuditNote): Promise<void> {
    await noteAudit(this.#tables, note);
  }
}

function checkAccount(name: string, role: Role, password: string): void {
  if (!ACCOUNT_NAME.test(name)) throw new InputError("name", `name: ${NAME_RULE}`);
  checkRole(role);
  checkPassword(password, name);
}

function checkRole(role: Role): void {
  if (!ROLES.includes(role)) throw new InputError("role", `role is one of ${ROLES.join(", ")}`);
}
