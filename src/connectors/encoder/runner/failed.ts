import type { Failure } from "../exits.ts";

/** Ends a job, with what is told of it. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, complaints = "") {
    const said = complaints.trim().split("\n").slice(-SAID_LINES).join("; ").slice(-SAID_CHARACTERS);
    const message = said === "" ? failure.message : `${failure.message}: ${said}`;
    super(message);
    this.failure = { ...failure, message };
  }
}

const SAID_LINES = 4;
const SAID_CHARACTERS = 600;
const FULL = new Set(["ENOSPC", "EDQUOT"]);
const REFUSED = new Set(["EACCES", "EPERM", "EROFS"]);

/** Whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failed) return error.failure;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (code !== undefined && FULL.has(code)) return { kind: "unavailable", code: "DISK_FULL", message };
  if (code !== undefined && REFUSED.has(code)) return { kind: "permanent", code: "PERMISSION_DENIED", message };
  return { kind: "transient", code: "UNKNOWN", message };
}
