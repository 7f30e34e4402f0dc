// An encoder's ear: it waits at the board until there is something for it. So it may speak seldom, and has its work at once.

import { type Clock, type Loop, loop } from "../../../kit/index.ts";
import type { JobName, Speaker } from "./conversation.ts";

export interface EarOptions {
  readonly clock: Clock;
  readonly speaker: Pick<Speaker, "wait">;
  /** What it has; undefined while the board does not know it. */
  readonly jobs: () => readonly JobName[] | undefined;
  readonly heard: () => void;
}

const PAUSE_MS = 250;
const TROUBLE_MS = 5_000;

export function earOf({ clock, speaker, jobs, heard }: EarOptions): Loop {
  const listen = async (signal: AbortSignal) => {
    const held = jobs();
    if (held === undefined) return;
    try {
      if (await speaker.wait(held, signal)) heard();
    } catch {
      // Whoever speaks meets the same trouble, and tells of it. Meanwhile the beat is heard, as slow as it is.
      await clock.sleep(TROUBLE_MS, signal);
    }
  };
  return loop(clock, PAUSE_MS, listen, () => undefined);
}
