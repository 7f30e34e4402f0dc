// Being told to stop.

export interface StopSignal {
  /** Aborted with the first signal. */
  readonly signal: AbortSignal;
  readonly told: Promise<NodeJS.Signals>;
}

/** A second signal while handing back ends the process at once, as if it had been killed. */
export function stopSignal(): StopSignal {
  const over = new AbortController();
  // Nothing else may keep a process alive that only looks after the database.
  const alive = setInterval(() => {}, 3_600_000);
  const told = new Promise<NodeJS.Signals>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      clearInterval(alive);
      process.on("SIGTERM", () => process.exit(1));
      process.on("SIGINT", () => process.exit(1));
      over.abort();
      resolve(signal);
    };
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
  });
  return { signal: over.signal, told };
}
