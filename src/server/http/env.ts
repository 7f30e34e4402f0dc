// What is known about a request on its way through.

import type { Principal } from "../access/principal.ts";
import type { Asked } from "../idempotency/idempotency.sql.ts";

/** What was done, and to what. Never with a secret in it. */
export interface Deed {
  readonly action?: string;
  readonly subject?: string;
  readonly detail?: unknown;
}

/** `told` is all that makes two such requests the same. */
export type UnderKey = (told: string, work: () => Promise<Response>) => Promise<Response>;

export interface Env {
  readonly Variables: {
    /** Shown in every answer and every line of the log that is about it. */
    requestId: string;
    /** Where it came from, for the brake and the audit. */
    address: string;
    /** Who asks; undefined only where a route is open to all. */
    principal: Principal | undefined;
    /** What they were let in by: a session or a key. */
    token: string | undefined;
    /** The session it came with, where it did. */
    session: string | undefined;
    /** Nothing is to be done, only told what would be. */
    isDry: boolean;
    /** Its Idempotency-Key, where the route stores that together with what it does. */
    keyed: Asked | undefined;
    /** Of a route that reads its body as it arrives: does its work under the request's key, once it is known what was asked. */
    underKey: UnderKey | undefined;
    /** For the audit, where a route has more to tell than its name; null where it was noted already, with the change. */
    deed: Deed | null | undefined;
  };
}
