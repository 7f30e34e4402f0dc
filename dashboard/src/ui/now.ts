// The clock that countdowns and "3 minutes ago" go by: the server's, one for the page, moving while somebody looks.

import { useSyncExternalStore } from "react";
import { serverNow } from "../api/server-clock.ts";

const TICK_MS = 1_000;

export function makeNow(read: () => number) {
  let now = read();
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = read();
    for (const one of watchers) one();
  };
  const watch = (changed: () => void) => {
    // It stood while nobody looked.
    if (timer === undefined) now = read();
    watchers.add(changed);
    timer ??= setInterval(tick, TICK_MS);
    return () => {
      watchers.delete(changed);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return { watch, now: () => now };
}

const clock = makeNow(serverNow);

export const useNow = () => useSyncExternalStore(clock.watch, clock.now);
