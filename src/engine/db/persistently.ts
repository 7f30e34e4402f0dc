// Trying again at once what failed because somebody was in the way. Not for a database that is away: that takes time, and
// whoever waits for it has to know when to stop.

import { classifyDatabaseError } from "./errors.ts";

const TRIES = 10;

export function isConflict(error: unknown): boolean {
  return classifyDatabaseError(error) === "conflict";
}

/**
 * Repeats `work` while `isPassing` says so of what it throws, a few times. A transaction is lost with its first error, so
 * inside one the work has to be a savepoint of its own.
 */
export async function persistently<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isConflict,
  tries = TRIES,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !isPassing(error)) throw error;
    return await persistently(work, isPassing, tries - 1);
  }
}
