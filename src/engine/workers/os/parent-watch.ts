// A thread of a child process: ends the process when its parent is gone, also while the main thread never comes to rest.

import { workerData } from "node:worker_threads";
import { loop, systemClock } from "../../../kit/index.ts";

const LOOK_EVERY_MS = 1_000;

const watch = loop(
  systemClock,
  LOOK_EVERY_MS,
  () => {
    // An orphan is adopted by another process at once.
    if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
  },
  () => undefined,
);
void watch.start();
