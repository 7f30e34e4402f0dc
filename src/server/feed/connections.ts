// Who is connected for long: how many may be, and whether they still may.

import { type Logger, SluiceError } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import { isAllowed, type Principal } from "../access/principal.ts";

export interface ConnectionLimits {
  /** Of one account, whatever it signed in with. */
  readonly perAccount: number;
  readonly all: number;
  /** How often is asked whether a session or key still lets in. */
  readonly recheckMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { perAccount: 100, all: 2_000, recheckMs: 30_000 };

export interface ConnectionPorts {
  /** Who somebody is by now who was let in before. */
  readonly stillIn: (principal: Principal, token: string) => Promise<Principal | undefined>;
  readonly log: Logger;
  readonly limits: ConnectionLimits;
}

interface Connection {
  readonly principal: Principal;
  /** What it was let in by. */
  readonly token: string;
  /** It may no longer, or others' rights are its own by now. */
  readonly end: () => void;
}

export class Connections {
  readonly #ports: ConnectionPorts;
  readonly #open = new Set<Connection>();
  #rechecking: NodeJS.Timeout | undefined;
  #recheck: Promise<void> | undefined;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes a place; what comes back gives it back. `end` is called when the access it was opened with is no more. */
  open(principal: Principal, token: string, end: () => void): () => void {
    const { perAccount, all, recheckMs } = this.#ports.limits;
    const own = [...this.#open].filter((one) => one.principal.user === principal.user).length;
    if (own >= perAccount)
      throw new SluiceError(
        "RATE_LIMITED",
        `${principal.user} has ${own} live connections, which is all an account may have; close one first`,
      );
    if (this.#open.size >= all)
      throw new SluiceError("RATE_LIMITED", `there are ${all} live connections, and no room for more; try again later`);
    const connection: Connection = { principal, token, end };
    this.#open.add(connection);
    this.#rechecking ??= setInterval(() => this.#recheckOnce(), recheckMs).unref();
    return () => this.#leave(connection);
  }

  /** Asks once for each session or key, however many connections it has. */
  async recheck(): Promise<void> {
    const byAccess = Map.groupBy(this.#open, ({ principal, token }) => principal.session ?? token);
    for (const connections of byAccess.values()) {
      const [first] = connections;
      if (first === undefined) continue;
      try {
        const now = await this.#ports.stillIn(first.principal, first.token);
        for (const connection of connections) if (!isSame(connection.principal, now)) connection.end();
      } catch (error) {
        // Nobody is shut out because the database is away; nothing is told meanwhile either.
        this.#ports.log.warn("feed.not-rechecked", { error: safeText(error, 300) });
      }
    }
  }

  /** Not again while the last time is not over: a database in trouble answers late. */
  #recheckOnce(): void {
    this.#recheck ??= this.recheck().finally(() => {
      this.#recheck = undefined;
    });
  }

  #leave(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    clearInterval(this.#rechecking);
    this.#rechecking = undefined;
  }
}

/** With other rights it connects anew: what it sees is decided when it does. */
function isSame(was: Principal, now: Principal | undefined): boolean {
  return now !== undefined && isAllowed(now, "read") && now.user === was.user && now.role === was.role;
}
