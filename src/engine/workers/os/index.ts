// What a worker needs of the operating system: who it is, a heart in a thread, who else has ended, and children for
// what may kill its process.

import { hostname } from "node:os";
import type { Logger } from "../../../kit/index.ts";
import type { AnyPipeline } from "../../pipeline/pipeline.ts";
import type { LifePorts } from "../life.ts";
import { sessionName } from "../session-name.ts";
import { childSuspects } from "./child-suspects.ts";
import { isGone, ownProcess } from "./process-identity.ts";
import { threadHeart } from "./thread-heart.ts";
import { threadPool } from "./thread-pool.ts";

export { hostChild, isChildProcess } from "./child-host.ts";

/** The name of this process's connections. */
export const ownSessions = (): string => sessionName(ownProcess());

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
  const self = ownProcess();
  return {
    identity: { name: options.name ?? hostname(), ...self },
    heart: (listener) => threadHeart(url, { log, listener, direct }),
    isGone: (worker) => isGone(worker, self),
    suspects: childSuspects({ log }),
    threads: threadPool(),
  };
}
