// A database that comes up late is waited for: tried again with growing pauses until it is there or we are told to stop.

import { type Clock, safeText } from "../kit/index.ts";
import type { Log } from "./log.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

export interface WaitPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** After each try that failed. */
  onTrouble(trouble: Trouble): void;
}

/** Undefined when told to stop first. What no waiting helps against is thrown. */
export async function openWhenReady<Opened>(
  open: () => Promise<Opened>,
  ports: WaitPorts,
): Promise<Opened | undefined> {
  const { clock, log, signal, onTrouble } = ports;
  let told = "";
  for (let pause = FIRST_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_MS)) {
    try {
      return await open();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      onTrouble(trouble);
      // Once for each kind: a database that is away for an hour is no reason for a thousand lines.
      if (trouble.words !== told) log.warn("database.awaited", { trouble: trouble.words, error: safeText(error, 300) });
      told = trouble.words;
      await clock.sleep(pause, signal);
    }
  }
  return undefined;
}
