// What a failed statement means for the one who sent it. Decided from SQLSTATE and errno, never from text.

import { SluiceError } from "../../kit/index.ts";

/**
 *   lost      the connection broke: whether it committed is unknown until somebody looks
 *   data      this statement can never succeed with these values: find the item to blame
 *   conflict  somebody was in the way: rolled back, worth another try
 *   trouble   the database cannot do it now (disk full, read-only, shutting down): rolled back, wait
 *   bug       anything else the server refused
 */
export type DatabaseFailure = "lost" | "data" | "conflict" | "trouble" | "bug";

export function classifyDatabaseError(error: unknown): DatabaseFailure {
  const state = sqlState(error);
  // An error without SQLSTATE did not come from the server: socket, timeout, closed pool.
  if (state === undefined) return "lost";
  if (state.startsWith("08") || state === "57P01" || state === "57P02") return "lost";
  if (state === "57P03" || state.startsWith("53") || state === "25006" || state.startsWith("58")) return "trouble";
  if (state === "40001" || state === "40P01" || state === "55P03" || state === "57014") return "conflict";
  if (state.startsWith("22") || state.startsWith("23") || state.startsWith("54")) return "data";
  return "bug";
}

/** The server refused it, and would refuse it again. Only for what a statement of ours threw. */
export function isRefused(error: unknown): boolean {
  const failure = classifyDatabaseError(error);
  return failure === "data" || failure === "bug";
}

export function sqlState(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  // A fault's code may look like one: RESET.
  if (error instanceof SluiceError) return undefined;
  const { code } = error;
  // Socket errors have codes too (ECONNRESET); a SQLSTATE is five characters of digits and capitals.
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E") ? code : undefined;
}
