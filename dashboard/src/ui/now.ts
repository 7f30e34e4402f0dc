// The clock that countdowns and "3 minutes ago" go by: one for the page, moving while somebody looks.

import { useSyncExternalStore } from "react";

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(changed: () => void): () => void {
  watchers.add(changed);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of watchers) one();
  }, 1_000);
  return () => {
    watchers.delete(changed);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export const useNow = () => useSyncExternalStore(watch, () => now);
