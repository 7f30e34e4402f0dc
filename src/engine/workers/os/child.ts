// One child process: the program's own entry run again with a mark in its environment. There `openSluice` finds the mark
// and, instead of opening anything, waits for visits (child-host.ts).

import { type ChildProcess, fork } from "node:child_process";
import { type Clock, safeText } from "../../../kit/index.ts";
import { type FromChild, isWire, type ToChild } from "../visit-wire.ts";

export const CHILD_MARK = "SLUICE_CHILD";

/** How this program was started. */
export interface Entry {
  readonly file: string;
  readonly args: readonly string[];
  readonly execArgv: readonly string[];
}

/** Undefined where there is no file to run again: `node -e`, a prompt, a program read from standard input. */
export function ownEntry(): Entry | undefined {
  const [, file, ...args] = process.argv;
  // A debugger's port can be had once only.
  const execArgv = process.execArgv.filter((flag) => !flag.startsWith("--inspect"));
  return file === undefined || file === "-" ? undefined : { file, args, execArgv };
}

export interface ChildListener {
  heard(message: FromChild): void;
  /** Once, when the process is gone and everything it had said was heard. */
  ended(how: string): void;
}

/** What was said before the end arrives with it; a channel that stays open longer is held by somebody else. */
const LAST_WORDS_MS = 1_000;
const LEAVE_MS = 2_000;

export class Child {
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #clock: Clock;
  readonly #over = new AbortController();

  /** Throws where the system refuses to start a process at all. */
  constructor(entry: Entry, clock: Clock, listener: ChildListener) {
    this.#clock = clock;
    const child = fork(entry.file, entry.args, {
      execArgv: [...entry.execArgv],
      env: { ...process.env, [CHILD_MARK]: "1" },
      // Its standard output goes where our complaints go: it is the same program and would mix its lines into ours.
      stdio: ["ignore", 2, 2, "ipc"],
      // A group of its own: Ctrl-C is for the parent, which then ends its children without blaming anybody.
      detached: true,
    });
    this.#process = child;
    this.gone = new Promise((resolve) => {
      const end = (how: string) => {
        if (this.#over.signal.aborted) return;
        this.#over.abort();
        listener.ended(how);
        resolve();
      };
      child.on("message", (message) => {
        // What is marked as ours came from child-host.ts.
        if (isWire(message)) listener.heard(message as FromChild);
      });
      // Could not be started, or not be told something. The latter comes with an end of its own.
      child.on("error", (error) => {
        if (child.pid === undefined) end(safeText(error, 300));
      });
      child.on("exit", (code, signal) => {
        const how = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
        if (!child.connected) return end(how);
        child.once("disconnect", () => end(how));
        void clock.sleep(LAST_WORDS_MS, this.#over.signal).then(() => end(how));
      });
      // A child that cannot be spoken to is of no use, whatever it still does.
      child.on("disconnect", () => void this.#leave());
    });
  }

  send(message: ToChild): void {
    // A failure to send is a child that is going; its end tells everything.
    this.#process.send(message, () => undefined);
  }

  /** Asks it to end by hanging up, and makes it when it does not. */
  end(): void {
    if (this.#process.connected) this.#process.disconnect();
    else void this.#leave();
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }

  async #leave(): Promise<void> {
    await this.#clock.sleep(LEAVE_MS, this.#over.signal);
    if (!this.#over.signal.aborted) this.kill();
  }
}
