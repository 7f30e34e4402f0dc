// Being told to stop.

/** A second signal while handing back ends the process at once, as if it had been killed. */
export function stopSignal(): Promise<NodeJS.Signals> {
  // Nothing else may keep a process alive that only looks after the database.
  const alive = setInterval(() => {}, 3_600_000);
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      clearInterval(alive);
      process.once("SIGTERM", () => process.exit(1));
      process.once("SIGINT", () => process.exit(1));
      resolve(signal);
    };
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
  });
}
