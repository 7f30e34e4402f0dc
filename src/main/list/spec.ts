// What is known of a command before its code is loaded.

import type { Call, ClientCall, Ended } from "../commands/call.ts";

export interface Described {
  /** Two words for a command of a command. */
  readonly name: string;
  readonly args?: string;
  readonly about: string;
  readonly group: "Start" | "Look" | "Act" | "Run it";
  readonly examples: readonly string[];
  readonly options?: readonly (readonly [flags: string, about: string])[];
  /** Takes the settings that have a flag. */
  readonly hasSettings?: true;
}

/** `client` commands go through the API, here or elsewhere; the others look after themselves. */
export type CommandSpec =
  | (Described & { readonly via: "client"; run(call: ClientCall): Ended })
  | (Described & { readonly via: "itself"; run(call: Call): Ended });

/** What several commands take. */
export const DRY = ["--dry-run", "say what would be done, and do nothing"] as const;
export const YES = ["--yes", "do not ask"] as const;
export const FILTER = [
  "--filter <filter>",
  "all that it finds, instead of ids: 'state:failed error:GW_TIMEOUT'",
] as const;
export const NOTE = ["--note <text>", "why; shown to everybody who waits for it"] as const;
export const PASSWORD = ["--password-stdin", "take the password from standard input"] as const;
