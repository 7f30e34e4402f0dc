// What a command is given.

import type { Client } from "../client/client.ts";
import type { Flags } from "../config/load.ts";
import type { ExitCode } from "../exit.ts";
import type { Output } from "../output.ts";

/** Of every command, for completion. */
export interface KnownCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly string[];
  /** Its words are terms of a filter. */
  readonly takesTerms: boolean;
}

export interface Call {
  readonly known: readonly KnownCommand[];
  readonly args: readonly string[];
  readonly options: Flags;
  readonly out: Output;
}

export interface ClientCall extends Call {
  readonly client: Client;
}

/** Nothing for "it went well". */
export type Ended = Promise<ExitCode | undefined>;

export function textOption(options: Flags, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** Items unless it says that it is a request: req_… */
export function pathOf(id: string): string {
  return `/api/v1/${/^req_/i.test(id) ? "requests" : "items"}/${encodeURIComponent(id)}`;
}

/** Of a retry that was refused: on the database at hand a pipeline's code is here only where it was named. */
export function tellCode({ client, out, options }: Pick<ClientCall, "client" | "out" | "options">): void {
  if (client.isLocal && options.module === undefined)
    out.note("  → where its code is missed: --module pipelines.ts, or a server that has it: SLUICE_URL");
}
