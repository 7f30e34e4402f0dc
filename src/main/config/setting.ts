// What is told of one setting.

import type { Kind, Values } from "./kinds.ts";

export interface Setting {
  readonly env: string;
  readonly kind: Kind;
  readonly about: string;
  /** Told by whoever reads it, where there is none. */
  readonly fallback?: Values[keyof Values];
  /** On the command line of the commands that start something. */
  readonly flag?: string;
  /** Never shown. */
  readonly secret?: true;
  /** May be set in the database as well: `sluice config set`. */
  readonly stored?: true;
}
