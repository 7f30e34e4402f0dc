// What a connection needs to be told. In the types of others: no library's.

import type { Clock } from "../../../kit/index.ts";

export interface SessionLimits {
  readonly service: string;
  readonly clock: Clock;
  /** Without an answer, while something is asked. */
  readonly idleMs: number;
}

export interface ConnectOptions extends SessionLimits {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string | undefined;
  /** In the form of OpenSSH or PEM. */
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
  /** As it was seen before; null where nobody has been there yet. */
  readonly hostKey: string | null;
  readonly connectMs: number;
}
