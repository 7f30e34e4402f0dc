// A program of the runner: confined, in the runner's own group, with the last of its complaints.

import { spawn } from "node:child_process";

export interface ProgramOptions {
  readonly confined: readonly string[];
  readonly program: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  readonly wallMs?: number;
  readonly onLine?: (line: string) => void;
  readonly onStart?: (pid: number) => void;
  readonly onComplaint?: (tail: string) => void;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isLate: boolean;
  readonly complaints: string;
}

export const TAIL_CHARACTERS = 8_192;
/** Of one line; what is longer is not what anybody waits for. */
const LINE_CHARACTERS = 65_536;
/** As env and unshare say it: the program is not there, or may not be run. */
export const CANNOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

export function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  const [program = "", ...args] = [...options.confined, options.program, ...options.args];
  const { signal, wallMs, onLine } = options;
  signal.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ["ignore", onLine === undefined ? "ignore" : "pipe", "pipe"],
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LC_ALL: "C", SVT_LOG: "1" },
  });
  let complaints = "";
  let isLate = false;
  let rest = "";
  const kill = () => child.kill("SIGKILL");
  const late = () => {
    isLate = true;
    kill();
  };
  const timer = wallMs === undefined ? undefined : setTimeout(late, wallMs);
  signal.addEventListener("abort", kill);
  if (child.pid !== undefined) options.onStart?.(child.pid);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-TAIL_CHARACTERS);
    options.onComplaint?.(complaints);
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = (lines.pop() ?? "").slice(0, LINE_CHARACTERS);
    for (const line of lines) onLine?.(line);
  });
  return new Promise((resolve) => {
    const over = (code: number | null, by: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", kill);
      if (rest !== "") onLine?.(rest);
      resolve({ code, signal: by, isLate, complaints });
    };
    child.once("error", (error) => {
      complaints = error.message;
      // Where it has started the exit comes as well.
      if (child.pid === undefined) over(127, null);
    });
    child.once("close", over);
  });
}
