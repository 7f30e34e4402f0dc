// What is known about a request on its way through.

import type { Principal } from "../access/principal.ts";

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
  };
}
