// For commands that look on until somebody has seen enough.

import { EXIT, type ExitCode } from "./exit.ts";

/** What it ends with, or 130 where it was told to stop; what then goes wrong for that reason is nobody's concern. */
export async function untilInterrupted(
  look: (signal: AbortSignal) => Promise<ExitCode | undefined>,
): Promise<ExitCode | undefined> {
  const over = new AbortController();
  const stop = () => over.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    const exit = await look(over.signal);
    return over.signal.aborted ? EXIT.interrupted : exit;
  } catch (error) {
    if (!over.signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    process.removeListener("SIGINT", stop);
    process.removeListener("SIGTERM", stop);
  }
}
