// What a worker needs of the operating system: who it is, a heart in a thread, who else has ended, and children for
// what may kill its process.

import { hostname } from "node:os";
import type { Logger } from "../../../kit/index.ts";
import type { AnyPipeline } from "../../pipeline/pipeline.ts";
import type { LifePorts } from "../life.ts";
import { sessionName } from "../session-name.ts";
import type { WorkerRow } from "../worker-row.sql.ts";
import { childSuspects } from "./child-suspects.ts";
import { isGone, ownProcess } from "./process-identity.ts";
import { threadHeart } from "./thread-heart.ts";
import { threadPool } from "./thread-pool.ts";

export { hostChild, isChildProcess } from "./child-host.ts";
export { keepHeapLean } from "./lean-heap.ts";

/** The name of this process's connections. */
export const ownSessions = (): string => sessionName(ownProcess());

/** Whether a worker's process is known to have ended. */
export const isGoneHere = (): ((worker: WorkerRow) => boolean) => {
  const self = ownProcess();
  return (worker) => isGone(worker, self);
};

export interface OsWorkerOptions {
  readonly name: string | undefined;
  readonly url: string;
  /** False behind a pooler. */
  readonly direct: boolean;
  readonly log: Logger;
  readonly pipelines: readonly AnyPipeline[];
}

export function osWorker(
  options: OsWorkerOptions,
): Pick<LifePorts, "identity" | "heart" | "isGone" | "suspects" | "threads"> {
  const { url, direct, log } = options;
  return {
    identity: { name: options.name ?? hostname(), ...ownProcess() },
    heart: (listener) => threadHeart(url, { log, listener, direct }),
    isGone: isGoneHere(),
    suspects: childSuspects({ log }),
    threads: threadPool(),
  };
}
