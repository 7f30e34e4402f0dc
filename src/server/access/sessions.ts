// People who are signed in: how they are known, where they are signed in, and how that ends.

import { SluiceError, type Tables } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { ListPage } from "../list-page.ts";
import { noteAudit } from "./audit.sql.ts";
import type { Principal } from "./principal.ts";
import { OVERLAP_MS, tokenStep } from "./session-step.ts";
import {
  beginSession,
  endSession,
  endSessions,
  findSession,
  listSessions,
  renewSession,
  retirePast,
  type SessionLine,
  type SessionRow,
  seeSession,
  sessionOfId,
} from "./sessions.sql.ts";
import { newToken, tokenHash } from "./token.ts";

const DAY_MS = 86_400_000;
export const SESSION = { idleMs: 7 * DAY_MS, wholeMs: 30 * DAY_MS };
/** When somebody was last seen is written down this often, not with every request. */
export const SEEN_EVERY_SECONDS = 60;
const AGENT_CHARACTERS = 200;

/** What a browser says when it signs in. */
export interface Browser {
  /** What it calls itself. */
  readonly agent?: string | undefined;
  /** It came over HTTPS, and so shall its cookie. */
  readonly isSecure?: boolean;
}

/** Who came in, and the token to show from now on, where that is a new one. */
export interface Admitted {
  readonly principal: Principal;
  readonly renewed?: { readonly token: string; readonly isSecure: boolean };
}

export class Sessions {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Its token; undefined when the account is shut out, or its password is not `stored` any more. */
  async begin(
    account: string,
    stored: string | null,
    address: string,
    { agent, isSecure = false }: Browser,
  ): Promise<string | undefined> {
    const token = newToken("session");
    const named = agent === undefined ? null : safeText(agent, AGENT_CHARACTERS);
    const session = { hash: tokenHash(token), account, address, stored, agent: named, isSecure };
    return (await beginSession(this.#tables, session)) ? token : undefined;
  }

  async principalOf(token: string): Promise<Principal | undefined> {
    const found = await this.#find(tokenHash(token));
    return found && principalOf(found);
  }

  /** The same by its id, for whoever was let in by a token that may have been renewed since. */
  async principalOfId(id: string): Promise<Principal | undefined> {
    const found = await this.#seen(await sessionOfId(this.#tables, id, SESSION));
    return found && principalOf(found);
  }

  /** The same, for a caller who can hand on a new token: one that is old is renewed. */
  async admit(token: string): Promise<Admitted | undefined> {
    const shown = tokenHash(token);
    const found = await this.#find(shown);
    if (found === undefined) return undefined;
    const renewed = await this.#moveOn(shown, found);
    const principal = principalOf(found);
    return renewed === undefined ? { principal } : { principal, renewed };
  }

  async #find(hash: string): Promise<SessionRow | undefined> {
    return await this.#seen(await findSession(this.#tables, hash, SESSION));
  }

  async #seen(found: SessionRow | undefined): Promise<SessionRow | undefined> {
    if (found !== undefined && found.unseen > SEEN_EVERY_SECONDS) await seeSession(this.#tables, found.id);
    return found;
  }

  async #moveOn(shown: string, { id, hash, has_unretired, age, is_secure }: SessionRow): Promise<Admitted["renewed"]> {
    switch (tokenStep({ isNewest: shown === hash, hasUnretired: has_unretired, age })) {
      case "none":
        return undefined;
      case "retire":
        await retirePast(this.#tables, hash, OVERLAP_MS);
        return undefined;
      case "renew": {
        const token = newToken("session");
        const isOurs = await renewSession(this.#tables, id, { shown, newest: hash, next: tokenHash(token) });
        return isOurs ? { token, isSecure: is_secure } : undefined;
      }
    }
  }

  /** Where one is signed in, the newest first; `token` is the one it is asked with. */
  async list(by: Principal, token: string, page: ListPage): Promise<SessionLine[]> {
    return await listSessions(this.#tables, by.user, SESSION, tokenHash(token), page);
  }

  /** The one with this token. */
  async end(token: string): Promise<void> {
    await endSession(this.#tables, tokenHash(token));
  }

  /** One of one's own; or all of them but the one with this token. */
  async endOwn(by: Principal, which: { id: string } | { besides: string }, address: string): Promise<number> {
    const id = "id" in which ? which.id : undefined;
    const besides = "besides" in which ? tokenHash(which.besides) : undefined;
    return await this.#tables.transaction(async (tx) => {
      const isId = id === undefined || /^\d{1,18}$/.test(id);
      const ended = isId ? await endSessions(tx, { account: by.user, id, besides }) : 0;
      if (ended === 0 && id !== undefined)
        throw new SluiceError("NOT_FOUND", `there is no session ${id}`, { field: "session" });
      const subject = id ?? "others";
      await noteAudit(tx, { actor: by.user, address, action: "session.end", subject, detail: { ended } });
      return ended;
    });
  }
}

function principalOf({ id, account, role }: SessionRow): Principal {
  return { user: account, role, via: "session", scopes: null, session: id };
}
