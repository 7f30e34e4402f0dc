// Being told to stop.

export interface StopSignal {
  /** Aborted with the first signal. */
  readonly signal: AbortSignal;
  readonly told: Promise<NodeJS.Signals>;
}

export interface StopOptions {
  /** Also when the program that started us, and listens to us, is gone: nobody else would end us. */
  readonly withParent?: boolean;
}

/** How long ending in order may take where nobody is left to see to it. */
const ALONE_MS = 10_000;

/** A second signal while handing back ends the process at once, as if it had been killed. */
export function stopSignal({ withParent = false }: StopOptions = {}): StopSignal {
  const over = new AbortController();
  // Nothing else may keep a process alive that only looks after the database.
  const alive = setInterval(() => {}, 3_600_000);
  const told = new Promise<NodeJS.Signals>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      clearInterval(alive);
      // A channel to a parent that is listened to would keep us alive as well.
      process.channel?.unref();
      process.on("SIGTERM", () => process.exit(1));
      process.on("SIGINT", () => process.exit(1));
      over.abort();
      resolve(signal);
    };
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
    if (!withParent || process.send === undefined) return;
    const orphaned = () => {
      setTimeout(() => process.exit(1), ALONE_MS).unref();
      stop("SIGHUP");
    };
    if (process.connected) process.once("disconnect", orphaned);
    else orphaned();
  });
  return { signal: over.signal, told };
}
