// One child process: started, waited for until it answers, told its faults, ended, started again. What it says is kept. Only what
// was started here is ever ended here; and whatever becomes of this process, its children end with it (see child.ts).

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Order, Said } from "./child.ts";
import { Ring } from "./ring.ts";

export interface ManagedOptions {
  readonly name: string;
  /** A module that calls `beChild`. */
  readonly module: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take to answer. Default 30 s. */
  readonly readyMs?: number;
  /** How long it may take to hear what it is told. Default 5 s. */
  readonly hearMs?: number;
  /** How long it may take to end in order. Default 4 s. */
  readonly endMs?: number;
}

const LAST_WORDS_MS = 1_000;

export type ManagedState = "up" | "starting" | "down";

export class ManagedProcess {
  readonly name: string;
  readonly log = new Ring();
  readonly #options: ManagedOptions;
  #child: ChildProcess | undefined;
  #state: ManagedState = "down";
  #downSince = new Date();
  #orders = 0;

  constructor(options: ManagedOptions) {
    this.#options = options;
    this.name = options.name;
  }

  get state(): ManagedState {
    return this.#state;
  }

  /** Since when it does not run, whoever ended it; null while it does. */
  get downSince(): Date | null {
    return this.#state === "down" ? this.#downSince : null;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it answers. */
  async start(faults: readonly string[] = []): Promise<void> {
    if (this.#child !== undefined) return;
    const { module, args = [], env = {}, readyMs = 30_000 } = this.#options;
    const child = fork(module, args, {
      execArgv: [],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // A group of its own: it is ended with all that it started, and hears no Ctrl-C.
      detached: true,
      env: { ...process.env, ...env },
    });
    this.#child = child;
    this.#state = "starting";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => this.log.add(text));
    child.once("exit", () => this.#ended(child));
    const late = AbortSignal.timeout(readyMs);
    const silent = once(child, "close");
    try {
      await heard(child, (said) => said === "ready", late);
    } catch (error) {
      await this.#end(child, "SIGKILL");
      // Its last words may come after its end.
      await Promise.race([silent, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
      throw new Error(`${this.name} did not start: ${late.aborted ? "it took too long" : this.#lastWords()}`, {
        cause: error,
      });
    }
    this.#state = "up";
    if (faults.length > 0) await this.tell(faults);
  }

  /** The faults it has from now on. Resolves when it has heard; nothing happens while it is down. */
  async tell(faults: readonly string[]): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#orders += 1;
    const order = this.#orders;
    const late = AbortSignal.timeout(this.#options.hearMs ?? 5_000);
    const isHeard = heard(child, (said) => typeof said === "object" && said.heard === order, late);
    // One that just ended is told by its exit.
    child.send({ order, faults } satisfies Order, () => undefined);
    await isHeard.catch((cause: unknown) => {
      const why = late.aborted ? "it does not listen" : "it ended meanwhile";
      throw new Error(`${this.name} was not told what is wrong with it: ${why}`, { cause });
    });
  }

  /** In order where it does so in time. Resolves when it is gone. */
  async stop(): Promise<void> {
    if (this.#child !== undefined) await this.#end(this.#child, "SIGTERM");
  }

  /** As `kill -9` does, and all that it started. Resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.#child !== undefined) await this.#end(this.#child, "SIGKILL");
  }

  async #end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.#child !== child || child.pid === undefined) return;
    const { pid } = child;
    const gone = once(child, "exit");
    // Its group only as a whole: in order it ends what it started itself.
    if (signal === "SIGTERM") child.kill(signal);
    else killGroup(pid);
    const limit = setTimeout(() => killGroup(pid), this.#options.endMs ?? 4_000);
    await gone;
    clearTimeout(limit);
  }

  #ended(child: ChildProcess): void {
    // Whatever it was ended by, what it started goes with it.
    if (child.pid !== undefined) killGroup(child.pid);
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#state = "down";
    this.#downSince = new Date();
  }

  #lastWords(): string {
    return this.log.lines().slice(-12).join("\n").trim() || "it ended without a word";
  }
}

/** Rejects where it ends before it says so. */
function heard(child: ChildProcess, isIt: (said: Said) => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off("message", onMessage).off("exit", onExit);
      signal.removeEventListener("abort", onExit);
      act();
    };
    const onMessage = (said: Said) => {
      if (isIt(said)) settle(resolve);
    };
    const onExit = () => settle(() => reject(new Error("it ended, or took too long")));
    child.on("message", onMessage).once("exit", onExit);
    signal.addEventListener("abort", onExit);
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // ESRCH: gone already, which is what was wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
