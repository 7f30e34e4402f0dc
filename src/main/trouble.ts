// Why a database cannot be opened, in words that may be shown to anybody: what kind of trouble, never where or as whom. Pure.

import { SluiceError } from "../kit/index.ts";

export interface Trouble {
  readonly words: string;
  /** It will not pass by itself: somebody has to change something. */
  readonly isLasting: boolean;
}

const WORDS: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing listens at its address",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name is not known yet",
  ETIMEDOUT: "it does not answer",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ECONNRESET: "it breaks the connection off",
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

/** Undefined for what no waiting helps against: what we refuse ourselves, such as a release that is too old. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof SluiceError || !(error instanceof Error)) return undefined;
  const code = codeOf(error);
  const lasting = LASTING[code];
  if (lasting !== undefined) return { words: lasting, isLasting: true };
  if (code === "" && !/timeout|terminated|connection/i.test(error.message)) return undefined;
  return { words: WORDS[code] ?? "it cannot be reached", isLasting: false };
}

/** A refused connection to a name with two addresses is several errors in one. */
function codeOf(error: Error): string {
  if ("code" in error && typeof error.code === "string") return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? codeOf(inner) : "";
}
