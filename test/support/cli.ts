// The command line as a process of its own.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";

export const CLI = path.resolve(import.meta.dirname, "../../src/main/cli.ts");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs to its end. Of the surroundings only what a program needs to start is passed on. */
export async function runCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
  input?: string,
): Promise<Ran> {
  const options = { env: surroundings(env), timeout: 60_000, ...(cwd === undefined ? {} : { cwd }) };
  const running = promisify(execFile)("node", [CLI, ...args], options);
  running.child.stdin?.end(input ?? "");
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

const surroundings = (env: NodeJS.ProcessEnv) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: "/nonexistent", TZ: "UTC", ...env };
};

export interface Going {
  readonly child: ChildProcess;
  /** What it wrote so far, to both. */
  said(): string;
  /** Resolves with what the pattern found. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Goes on until it is told to end. */
export function startCli(args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Going {
  const options = { env: surroundings(env), stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] };
  const child = spawn("node", [CLI, ...args], cwd === undefined ? options : { ...options, cwd });
  let heard = "";
  const waiting = new Set<() => void>();
  const hear = (chunk: unknown) => {
    heard += String(chunk);
    for (const look of waiting) look();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.once("exit", () => {
    for (const look of waiting) look();
  });
  return {
    child,
    said: () => heard,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(heard);
          if (found === null && child.exitCode === null && child.signalCode === null) return;
          waiting.delete(look);
          if (found !== null) resolve(found);
          else reject(new Error(`it ended without having said ${pattern}, but: ${heard}`));
        };
        waiting.add(look);
        look();
      }),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = await once(child, "exit");
      return code as number | null;
    },
  };
}
