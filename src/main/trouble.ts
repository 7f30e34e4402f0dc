// Why a database cannot be opened, in words that may be shown to anybody: what kind of trouble, never where or as whom. Pure.

import { classifyDatabaseError } from "../engine/index.ts";
import { SluiceError } from "../kit/index.ts";

export interface Trouble {
  readonly words: string;
  /** It will not pass by itself: somebody has to change something. */
  readonly isLasting: boolean;
}

/** The way to it, or itself for a while: worth waiting for. */
const PASSING: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing listens at its address",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name is not known yet",
  ETIMEDOUT: "it does not answer",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ECONNRESET: "it breaks the connection off",
  ECONNABORTED: "it breaks the connection off",
  EPIPE: "it breaks the connection off",
  "57P03": "it is starting up",
  "57P01": "it is shutting down",
  "53300": "it has no connection left",
};

const LASTING: { readonly [code: string]: string } = {
  "28P01": "it does not accept our password",
  "28000": "it does not let us in",
  "3D000": "it has no database of that name",
  "42501": "it does not allow us to make tables",
};

/** Undefined for what no waiting helps against: what we refuse ourselves, what is refused as wrong, and bugs. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof SluiceError || !(error instanceof Error)) return undefined;
  const cause = coded(error);
  if (cause === undefined) {
    // The driver gives its own words no code.
    return /timeout|connection terminated/i.test(error.message)
      ? { words: "it cannot be reached", isLasting: false }
      : undefined;
  }
  const lasting = LASTING[cause.code];
  if (lasting !== undefined) return { words: lasting, isLasting: true };
  const passing = PASSING[cause.code] ?? byClass(cause);
  return passing === undefined ? undefined : { words: passing, isLasting: false };
}

/** What the server says of itself by a code that is not listed; and the socket of one on this machine that is not there yet. */
function byClass(error: Coded): string | undefined {
  if (error.code === "ENOENT" && "syscall" in error && error.syscall === "connect") return PASSING.ECONNREFUSED;
  if (!/^[0-9A-Z]{5}$/.test(error.code) || error.code.startsWith("E")) return undefined;
  const failure = classifyDatabaseError(error);
  if (failure === "lost") return PASSING.ECONNRESET;
  return failure === "trouble" ? "it is in trouble itself" : undefined;
}

type Coded = Error & { readonly code: string };

/** A refused connection to a name with two addresses is several errors in one. */
function coded(error: Error): Coded | undefined {
  if ("code" in error && typeof error.code === "string") return error as Coded; // looked at just now
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? coded(inner) : undefined;
}
