// The job service as the run sees it: a process on one port, killed and started again, told to refuse everybody for a
// while.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { HttpTrouble } from "../support/job-server.ts";
import { freePort } from "../support/server.ts";
import { type Asked, type JobFact, PLANTED } from "./evidence.ts";
import { jobFacts } from "./job-log.ts";

/** What its parent tells the process. */
export type Order = "answer" | "die in the next start" | Extract<HttpTrouble, { status: number }>;

/** What the process tells its parent: a job was started for this tag. */
export interface Begun {
  readonly begun: string;
}

/** And: this job is done. */
export interface Ended {
  readonly key: string;
  readonly output: unknown;
}

/** A start in which to die comes soon or not at all. */
const DOOMED_MS = 700;
const PLANT_MS = 5_000;

export class JobService {
  readonly port: number;
  /** Told whenever its process comes up or goes down. */
  changed: (isUp: boolean) => void = () => undefined;
  readonly #folder: string;
  readonly #told: (what: Begun | Ended) => void;
  #child: ChildProcess | undefined;
  #isOver = false;
  /** What is being done to it, one after the other. */
  #outage: Promise<void> = Promise.resolve();

  constructor(folder: string, port: number, told: (what: Begun | Ended) => void) {
    this.#folder = folder;
    this.port = port;
    this.#told = told;
  }

  static async start(folder: string, told: (what: Begun | Ended) => void): Promise<JobService> {
    const service = new JobService(folder, await freePort(), told);
    await service.#up();
    return service;
  }

  /** As `kill -9` does, in the middle of a start where one comes; up again after a while. Resolves when it is. */
  kill(inCall: boolean, downMs: number): Promise<void> {
    return this.#next(async () => {
      const child = this.#child;
      if (child === undefined) return;
      const exit = once(child, "exit");
      if (inCall) {
        child.send("die in the next start" satisfies Order);
        await Promise.race([exit, sleep(DOOMED_MS)]);
      }
      child.kill("SIGKILL");
      await exit;
      await sleep(downMs);
      await this.#up();
    });
  }

  /** Answers everybody with this status, and nothing is done. */
  refuse(status: number, ms: number): Promise<void> {
    return this.#next(async () => {
      const headers = status === 429 ? { "retry-after": "1" } : {};
      this.#child?.send({ status, headers } satisfies Order);
      await sleep(ms);
      this.#child?.send("answer" satisfies Order);
    });
  }

  /** A job of somebody who has forgotten all about it: it runs until it is removed. */
  async plant(key: string): Promise<void> {
    const input: Asked = { tag: PLANTED, fate: "endless", blips: 0 };
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/jobs`, {
      method: "POST",
      headers: { "idempotency-key": key },
      body: JSON.stringify({ input }),
      signal: AbortSignal.timeout(PLANT_MS),
    });
    if (!answer.ok) throw new Error(`the job service answered ${answer.status}`);
  }

  facts(): JobFact[] {
    return jobFacts(this.#log);
  }

  stop(): void {
    this.#isOver = true;
    this.#child?.kill("SIGKILL");
  }

  get #log(): string {
    return join(this.#folder, "jobs.log");
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#outage = this.#outage.then(() => (this.#isOver ? undefined : work()));
    return this.#outage;
  }

  async #up(): Promise<void> {
    if (this.#isOver) return;
    const log = openSync(join(this.#folder, "jobs.out"), "a");
    const child = fork(fileURLToPath(new URL("job-process.ts", import.meta.url)), [String(this.port), this.#log], {
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(this.#folder, "compiled") },
    });
    closeSync(log);
    child.once("exit", () => {
      this.#child = undefined;
      this.changed(false);
    });
    const isUp = new Promise<boolean>((resolve) => {
      child.once("exit", () => resolve(false));
      child.on("message", (said: "up" | Begun | Ended) => {
        if (said === "up") resolve(true);
        else this.#told(said);
      });
    });
    if (await isUp) {
      this.#child = child;
      this.changed(true);
    } else await this.#up();
  }
}
