// An encoder node: `sluice encoder` itself, with a line to the server that can be pulled out, and programs that can be stopped.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { calledWith } from "../processes/called-with.ts";
import { beChild } from "../processes/child.ts";
import { descendants } from "../processes/descendants.ts";
import { Line } from "./line.ts";

/** What it is told by the world that starts it. */
export interface EncoderPlace {
  readonly name: string;
  /** Its server's, on the loopback. */
  readonly port: number;
  readonly token: string;
  readonly folder: string;
  readonly slots: number;
  /** Null for the one of the PATH. */
  readonly ffmpeg: string | null;
}

const COMMAND = join(import.meta.dirname, "../../bin/sluice.js");
const STEP_MS = 250;

// Written by the world that started this.
const place = JSON.parse(process.env.SANDBOX_ENCODER ?? "{}") as EncoderPlace;
const line = new Line(() => place.port);
let node: ChildProcess | undefined;
let faults: ReadonlySet<string> = new Set();
let isOut = false;
const stopped = new Set<number>();

const child = beChild({
  async onEnd() {
    const { pid } = node ?? {};
    if (node === undefined || pid === undefined) return;
    // It says goodbye, so that others have at once what it had.
    isIn(true);
    resume();
    const gone = once(node, "exit");
    node.kill("SIGTERM");
    await gone;
  },
  onFaults(told) {
    faults = new Set(told);
    isIn(!faults.has("partition"));
    resume();
    hold();
  },
});

await line.up();
node = spawn(process.execPath, [COMMAND, "encoder", ...argumentsOf(place, line.port)], {
  stdio: ["ignore", "inherit", "inherit"],
});
// Without it this is nothing.
node.once("exit", (code) => process.exit(code ?? 1));
child.ready();
// What it begins while its programs are stopped is stopped too.
for (;;) {
  hold();
  await sleep(STEP_MS);
}

function argumentsOf({ token, name, folder, slots, ffmpeg }: EncoderPlace, port: number): string[] {
  const where = ["--server", `http://127.0.0.1:${port}`, "--token", token, "--name", name];
  return [...where, "--work", folder, "--slots", String(slots), ...(ffmpeg === null ? [] : ["--ffmpeg", ffmpeg])];
}

/** Whether the line is in its socket. What was on its way when it was pulled out never arrives. */
function isIn(yes: boolean): void {
  if (yes && isOut) line.cut();
  isOut = !yes;
  line.silent(isOut);
}

/** Its clock stands still, with all that it has begun; or its ffmpegs alone, also those that went on when it was killed. */
function hold(): void {
  const { pid } = node ?? {};
  if (pid === undefined) return;
  const frozen = faults.has("freeze") ? [pid, ...descendants(pid)] : [];
  // What is started from a clone is a child of the command, so whose child a process is does not tell them apart.
  const still = faults.has("stall") ? calledWith(join(place.folder, "jobs"), " -progress ") : [];
  for (const one of [...frozen, ...still]) if (signal(one, "SIGSTOP")) stopped.add(one);
}

function resume(): void {
  for (const one of stopped) signal(one, "SIGCONT");
  stopped.clear();
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // it has ended meanwhile
  }
}
