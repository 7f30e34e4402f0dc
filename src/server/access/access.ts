// Coming in: the first start, signing in and out, keys; and from what a caller shows to who it is.

import { InputError, SluiceError, type Tables } from "../../engine/index.ts";
import type { ListPage } from "../list-page.ts";
import { rehearsal } from "../rehearsal.ts";
import {
  type AccountChange,
  type AccountRow,
  addAccount,
  changeAccount,
  findAccount,
  listAccounts,
} from "./accounts.sql.ts";
import { type AskedAccount, alterAccount, checkAccount, makeAccount } from "./accounts.ts";
import { type AuditAsked, type AuditNote, type AuditRow, noteAudit, readAudit } from "./audit.sql.ts";
import { findKey, type KeyRow, listKeys, useKey } from "./keys.sql.ts";
import { type AskedKey, type MadeKey, makeKey, revokeKey } from "./keys.ts";
import { LoginBrake, type Trying } from "./login-brake.ts";
import { checkPassword, hashPassword, isPassword } from "./password.ts";
import { ACCOUNT_NAME, type Principal } from "./principal.ts";
import { endSessions } from "./sessions.sql.ts";
import { type Admitted, type Browser, SEEN_EVERY_SECONDS, Sessions } from "./sessions.ts";
import { isSetup, offerSetup, takeSetup, takeSetupTurn } from "./setup.sql.ts";
import { newToken, tokenHash, tokenKind } from "./token.ts";
import { TryLater } from "./try-later.ts";

const DAY_MS = 86_400_000;
export const SETUP_MS = DAY_MS;

interface PasswordChange {
  readonly old: string;
  readonly password: string;
  /** Of the session that goes on. */
  readonly token: string;
}

export interface AccessPorts {
  readonly tables: Tables;
  /** Monotonic milliseconds, for the brake alone. */
  now(): number;
}

/** Where what is done to accounts, sessions and keys does not stay. */
export type Rehearsed = Pick<
  Access,
  "addAccount" | "changeAccount" | "changeOwnPassword" | "makeKey" | "revokeKey" | "sessions"
>;

export class Access {
  readonly sessions: Sessions;
  readonly #tables: Tables;
  readonly #brake: LoginBrake;

  /** Whose password is being changed. Looking at one takes a lot of work, and those who know theirs are not braked. */
  readonly #changing: Set<string>;

  constructor({ tables, now }: AccessPorts, brake = new LoginBrake(now), changing = new Set<string>()) {
    this.#tables = tables;
    this.sessions = new Sessions(tables);
    this.#brake = brake;
    this.#changing = changing;
  }

  /** For dry runs. Whoever guesses at a password there is braked as here. */
  rehearsal(): Rehearsed {
    return new Access({ tables: rehearsal(this.#tables), now: () => 0 }, this.#brake, this.#changing);
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
  async addAccount(by: string, account: AskedAccount, address: string | null): Promise<void> {
    await makeAccount(this.#tables, by, account, address);
  }

  /** Takes effect at once: whoever is shut out, or gets another password, has no session any more. */
  async changeAccount(by: string, name: string, change: AccountChange, address: string | null): Promise<void> {
    await alterAccount(this.#tables, by, { name, change }, address);
  }

  /** One's own, for whoever knows the old one. All sessions end but the one with `token`; keys live on. */
  async changeOwnPassword(by: Principal, change: PasswordChange, address: string): Promise<void> {
    checkPassword(change.password, by.user);
    if (this.#changing.has(by.user))
      throw new TryLater("RATE_LIMITED", "your password is being changed right now, by another request", 1_000);
    this.#changing.add(by.user);
    try {
      await this.#changePassword(by, change, address);
    } finally {
      this.#changing.delete(by.user);
    }
  }

  async #changePassword(by: Principal, change: PasswordChange, address: string): Promise<void> {
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
    return { user: found.account, role: found.role, via: "key", scopes: found.scopes, key: found.id };
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
  async keys(by: Principal, page: ListPage): Promise<KeyRow[]> {
    return await listKeys(this.#tables, by.role === "admin" ? null : by.user, page);
  }

  async accounts(page: ListPage): Promise<AccountRow[]> {
    return await listAccounts(this.#tables, page);
  }

  /** Undefined where there is none of that name. */
  async account(name: string): Promise<AccountRow | undefined> {
    return await findAccount(this.#tables, name);
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
