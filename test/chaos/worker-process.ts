// One named worker: a process that is started, killed, stopped for a while, told to leave, and started again.

import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Kill, Pause } from "./evidence.ts";

export interface WorkerSetup {
  readonly name: string;
  readonly database: string;
  readonly folder: string;
  readonly service: number;
  /** The port of its line to the job service. */
  readonly jobs: number;
  readonly concurrency: number;
  /** A machine of its own, as far as the others can tell. */
  readonly host?: string;
}

export type Standing = "down" | "starting" | "ready" | "paused" | "leaving";

/** A worker that could not start, because the database was away, tries again after this long; a supervisor would. */
const START_AGAIN_MS = 250;
const LEAVE_MS = 8_000;

export class WorkerProcess {
  readonly setup: WorkerSetup;
  readonly kills: Kill[] = [];
  readonly pauses: Pause[] = [];
  readonly fallen: string[] = [];
  readonly startsMs: number[] = [];
  /** Told each time it becomes ready, or is so no longer. */
  changed = () => {};
  #standing: Standing = "down";
  #child: ChildProcess | undefined;
  #isOver = false;
  #pausedAt = 0;

  constructor(setup: WorkerSetup) {
    this.setup = setup;
  }

  get standing(): Standing {
    return this.#standing;
  }

  #become(standing: Standing): void {
    this.#standing = standing;
    this.changed();
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): void {
    if (this.#isOver || this.#child !== undefined) return;
    const { name, database, folder, service, jobs, concurrency, host } = this.setup;
    const log = openSync(join(folder, `${name}.log`), "a");
    const child = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), [], {
      execArgv: [],
      stdio: ["ignore", log, log, "ipc"],
      env: {
        ...process.env,
        // Compiled code is kept between lives: two hundred starts a run share two cores with everything else.
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        CHAOS_WORKER: name,
        CHAOS_DATABASE: database,
        CHAOS_SERVICE: String(service),
        CHAOS_JOBS: String(jobs),
        CHAOS_CONCURRENCY: String(concurrency),
        CHAOS_NOTES: join(folder, `${name}.notes`),
        ...(host === undefined ? {} : { CHAOS_HOST: host }),
      },
    });
    // The child has its own by now; two hundred starts a run would each leave one open here.
    closeSync(log);
    this.#child = child;
    this.#become("starting");
    const began = performance.now();
    child.on("message", () => {
      if (this.#child !== child || this.standing !== "starting") return;
      this.#become("ready");
      this.startsMs.push(performance.now() - began);
      const last = this.kills.pop();
      if (last !== undefined) this.kills.push({ ...last, readyAt: last.readyAt ?? Date.now() });
    });
    child.on("exit", (code, signal) => this.#ended(child, code, signal));
  }

  #ended(child: ChildProcess, code: number | null, signal: string | null): void {
    if (this.#child !== child) return;
    const before = this.standing;
    this.#child = undefined;
    this.#become("down");
    if (this.#isOver) return;
    if (before === "ready" || before === "paused" || (before === "leaving" && code !== 0)) {
      this.fallen.push(`${this.setup.name} (pid ${child.pid}) was ${before} and ended with ${code ?? signal}`);
    }
    setTimeout(() => this.start(), before === "leaving" ? 0 : START_AGAIN_MS);
  }

  /** As `kill -9` does. Started again after a while; at once when it is 0. */
  kill(restartAfterMs: number): void {
    const child = this.#child;
    if (child?.pid === undefined) return;
    this.#resumeNote();
    this.#child = undefined;
    this.#become("down");
    child.kill("SIGKILL");
    const { pid } = child;
    this.kills.push({ pid, at: Date.now(), isAtOnce: restartAfterMs === 0, readyAt: null });
    if (restartAfterMs === 0) this.start();
    else setTimeout(() => this.start(), restartAfterMs);
  }

  /** Frozen in whatever it was doing, then let go on as if nothing had happened. */
  pause(ms: number): void {
    const child = this.#child;
    if (child?.pid === undefined || this.standing !== "ready") return;
    child.kill("SIGSTOP");
    this.#become("paused");
    this.#pausedAt = Date.now();
    setTimeout(() => {
      if (this.#child === child) this.resume();
    }, ms);
  }

  resume(): void {
    if (this.standing !== "paused") return;
    this.#child?.kill("SIGCONT");
    this.#resumeNote();
    this.#become("ready");
  }

  #resumeNote(): void {
    if (this.standing === "paused") this.pauses.push({ pid: this.pid, from: this.#pausedAt, to: Date.now() });
  }

  /** Asks it to leave; it hands back what it holds. */
  leave(): void {
    if (this.standing !== "ready") return;
    this.#become("leaving");
    this.#child?.kill("SIGTERM");
  }

  /** Never started again. */
  async end(): Promise<void> {
    this.resume();
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      const limit = setTimeout(() => child.kill("SIGKILL"), LEAVE_MS);
      child.once("exit", () => clearTimeout(limit));
      child.kill("SIGTERM");
    });
  }

  /** Without ceremony, when the run itself is being ended. */
  destroy(): void {
    this.#isOver = true;
    this.#child?.kill("SIGKILL");
  }
}
