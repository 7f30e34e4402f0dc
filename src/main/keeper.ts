// Keeps a service of ours running beside us, as a process of its own: started again when it dies, ended with us, and ending by itself
// where we were killed.

import { type ChildProcess, fork } from "node:child_process";
import type { Clock, Logger } from "../kit/index.ts";

export interface KeeperPorts {
  /** The command it is: "torrents". */
  readonly name: string;
  /** Begins another life of it. */
  start(): Pick<ChildProcess, "pid" | "kill" | "once" | "exitCode" | "signalCode">;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Keeper {
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** One that has run for so long is not taken for one that cannot. */
const WELL_MS = 60_000;
/** How long it may take to note how far everything is, or to finish what is in hand. */
const END_MS = 10_000;

export function keepRunning(ports: KeeperPorts): Keeper {
  const over = new AbortController();
  const kept = keep(ports, over.signal);
  return {
    async stop() {
      over.abort();
      await kept;
    },
  };
}

async function keep({ name, start, clock, log }: KeeperPorts, signal: AbortSignal): Promise<void> {
  for (let pause = FIRST_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_MS)) {
    const began = clock.monotonic();
    const how = await lifeOf(start(), { name, clock, log }, signal);
    if (signal.aborted) return;
    if (clock.monotonic() - began >= WELL_MS) pause = FIRST_MS;
    log.warn(`${name}.ended`, { how, againMs: pause });
    await clock.sleep(pause, signal);
  }
}

async function lifeOf(
  child: ReturnType<KeeperPorts["start"]>,
  { name, clock, log }: Pick<KeeperPorts, "name" | "clock" | "log">,
  signal: AbortSignal,
): Promise<string> {
  const gone = new AbortController();
  const end = async () => {
    child.kill("SIGTERM");
    await clock.sleep(END_MS, gone.signal);
    if (gone.signal.aborted) return;
    log.warn(`${name}.killed`, { pid: child.pid, why: "it did not end in time" });
    child.kill("SIGKILL");
  };
  const onStop = () => void end();
  if (signal.aborted) onStop();
  signal.addEventListener("abort", onStop);
  const how = await new Promise<string>((resolve) => {
    child.once("error", (error: Error) => resolve(`it could not be started: ${error.message}`));
    child.once("exit", (code: number | null, by: string | null) =>
      resolve(by === null ? `it exited with code ${code}` : `it was ended by ${by}`),
    );
  });
  gone.abort();
  signal.removeEventListener("abort", onStop);
  return how;
}

/** This very program, as another command. It hears of our end by the channel between us, whatever ended us. */
export function forkSelf(args: readonly string[]): ChildProcess {
  const [, file = ""] = process.argv;
  return fork(file, args, {
    execArgv: process.execArgv.filter((flag) => !flag.startsWith("--inspect")),
    // Its complaints go where ours go. What it tells of itself is for whoever starts it by hand.
    stdio: ["ignore", "ignore", 2, "ipc"],
    // A group of its own: Ctrl-C is for us, and what is handed back may still want to ask it.
    detached: true,
  });
}
