// Who is let in by the qBittorrent of the demo world: sessions with their cookies, wrong passwords, bans and keys.

import type { IncomingMessage } from "node:http";
import { type Dialect, difference, type Snapshot, whole } from "./qbittorrent-words.ts";

export interface Let {
  readonly status: number;
  readonly body: string;
  readonly cookie?: string;
}

/** What one session was told, up to the last answer that it confirmed by asking for what came after. */
class Told {
  #accepted: { readonly rid: number; readonly snapshot: Snapshot } | undefined;
  #last: { readonly rid: number; readonly snapshot: Snapshot } | undefined;

  answer(rid: number, snapshot: Snapshot): Readonly<Record<string, unknown>> {
    if (this.#last !== undefined && rid === this.#last.rid) this.#accepted = this.#last;
    else if (rid !== this.#accepted?.rid) this.#accepted = undefined;
    const next = (this.#last?.rid ?? 0) + 1;
    this.#last = { rid: next, snapshot };
    if (this.#accepted === undefined) return { rid: next, ...whole(snapshot) };
    return { rid: next, ...difference(this.#accepted.snapshot, snapshot) };
  }
}

const MOST_FAILURES = 5;

export class Doors {
  readonly username = "admin";
  readonly apiKey = "qbt_key";
  password = "adminadmin";
  /** Nobody has to log in: the address is trusted. */
  isOpen = false;
  readonly #dialect: Dialect;
  readonly #sessions = new Map<string, Told>();
  #made = 0;
  #failures = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** As after an hour of silence, or a restart. */
  expire(): void {
    this.#sessions.clear();
  }

  /** Bans are forgotten by a restart. */
  forgive(): void {
    this.#failures = 0;
  }

  logIn(form: URLSearchParams, isKeyed: boolean): Let {
    if (isKeyed || this.#failures >= MOST_FAILURES) return { status: 403, body: "Your IP address has been banned" };
    if (this.isOpen) return { status: 200, body: "Ok." };
    const isNew = this.#dialect === "5.2";
    if (form.get("username") !== this.username || form.get("password") !== this.password) {
      this.#failures += 1;
      return isNew ? { status: 401, body: "Unauthorized" } : { status: 200, body: "Fails." };
    }
    this.#failures = 0;
    const cookie = `${this.#cookieName}=${this.#open()}; HttpOnly; path=/; SameSite=Strict`;
    return isNew ? { status: 204, body: "", cookie } : { status: 200, body: "Ok.", cookie };
  }

  /** The session of a request; null for one that has none. */
  sessionOf({ headers }: IncomingMessage): Told | null {
    const key = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1];
    if (key !== undefined) return this.#dialect === "5.2" && key === this.apiKey ? this.#sessionNamed(key) : null;
    if (this.isOpen) return this.#sessionNamed("everybody");
    const cookie = (headers.cookie ?? "").split("; ").find((each) => each.startsWith(`${this.#cookieName}=`));
    return this.#sessions.get(cookie?.slice(this.#cookieName.length + 1) ?? "") ?? null;
  }

  /** From 5.2 on with the port that it believes it has: behind a proxy or in a container that is another. */
  get #cookieName(): string {
    return this.#dialect === "5.2" ? "QBT_SID_8080" : "SID";
  }

  #open(): string {
    this.#made += 1;
    // As it is made: base64, with what a decoder of addresses would change.
    const id = `a+b/c${this.#made}==`;
    this.#sessions.set(id, new Told());
    return id;
  }

  #sessionNamed(name: string): Told {
    const told = this.#sessions.get(name) ?? new Told();
    this.#sessions.set(name, told);
    return told;
  }
}
