// Runs a program within limits: no shell, no environment but what is named, a group of its own that ends as a whole.
//
//   spawn ──▶ running ──exit──▶ leftovers of the group ended ──output drained──▶ ended
//                └─ time over, silent, aborted: SIGTERM to the group ──grace──▶ SIGKILL
//
// Its output comes through pipes. They break when this process dies, and a program that then writes to them is ended by
// SIGPIPE; one that shall outlive us has to write its progress to a file.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Fault, permanent, transient } from "../../engine/index.ts";
import { type Clock, InputError, invariant, systemClock } from "../../kit/index.ts";
import { Deadline } from "./deadline.ts";
import { type ExitFacts, type ExitStatus, type ExitTable, exitFault, startFault } from "./exit-faults.ts";
import { endLeftovers, signalGroup } from "./process-group.ts";
import { type ProcessIdentity, processState } from "./process-identity.ts";
import { LineReader, Tail } from "./process-output.ts";

export interface ProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** All of its environment, beside what is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names taken over from our own environment. Nothing else is: secrets live there. */
  readonly inherit?: readonly string[];
  /** Open files, which it has as its descriptors 3, 4, …: what it is handed it need not be allowed to open. */
  readonly handed?: readonly number[];
  readonly wallMs: number;
  /** Without output for so long, it is ended. */
  readonly idleMs?: number;
  readonly graceMs?: number;
  /** How much of the end of each output is kept. */
  readonly tailBytes?: number;
  readonly onLine?: (line: string) => void;
  readonly exits?: ExitTable;
  readonly service?: string;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
}

export interface ProcessEnd extends ExitStatus {
  /** The last of what it printed. */
  readonly output: string;
  readonly complaints: string;
  /** Undefined for a good end. */
  readonly fault: Fault | undefined;
}

export interface RunningProcess {
  /** To be stored before anything else is awaited: after a crash of ours it is the way to find the child. */
  readonly identity: ProcessIdentity;
  /** Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends it with its group; resolves when it is gone. */
  stop(): Promise<ProcessEnd>;
}

const INHERITED = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"];
const TAIL_BYTES = 16 * 1024;
const GRACE_MS = 5_000;
/** A program it started may have left the group and hold the pipes open. */
const DRAIN_MS = 1_000;

/** Throws a fault where the program cannot be started. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { program, service, exits, signal } = options;
  for (const name of ["wallMs", "idleMs", "graceMs", "tailBytes"] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isFinite(value) && value >= 0)) {
      throw new InputError(name, `${name} must be a number from 0, got ${value}`);
    }
  }
  const facts: ExitFacts = { program, service, exits };
  if (signal?.aborted) throw abortFault(signal, facts);
  const child = spawn(program, [...options.args], {
    cwd: options.cwd,
    env: environment(options),
    detached: true,
    shell: false,
    stdio: ["ignore", "pipe", "pipe", ...(options.handed ?? [])],
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<unknown>((resolve) => child.once("error", resolve));
    // The system says ENOENT for a missing folder as for a missing program.
    if (options.cwd !== undefined && !existsSync(options.cwd)) {
      throw permanent("NO_FOLDER", `there is no folder to run ${program} in`, { cause: error, breaker: "none" });
    }
    throw startFault(error, facts);
  }
  const state = processState(pid);
  invariant(state !== undefined, `process ${pid} is not in the table right after its start`);
  return new Running(child, { pid, started: state.started }, options, facts);
}

function environment({ env = {}, inherit = INHERITED }: ProcessOptions): Record<string, string> {
  const taken = inherit.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(taken), ...env };
}

class Running implements RunningProcess {
  readonly identity: ProcessIdentity;
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #options: ProcessOptions;
  readonly #facts: ExitFacts;
  readonly #clock: Clock;
  readonly #wall: Deadline;
  readonly #idle: Deadline;
  readonly #over = new AbortController();
  readonly #output: Tail;
  readonly #complaints: Tail;
  #why: Fault | undefined;
  #isEnding = false;

  constructor(child: ChildProcess, identity: ProcessIdentity, options: ProcessOptions, facts: ExitFacts) {
    this.#child = child;
    this.identity = identity;
    this.#options = options;
    this.#facts = facts;
    this.#clock = options.clock ?? systemClock;
    this.#wall = new Deadline(this.#clock);
    this.#idle = new Deadline(this.#clock);
    const { tailBytes = TAIL_BYTES, wallMs } = options;
    this.#output = new Tail(tailBytes);
    this.#complaints = new Tail(tailBytes);
    this.ended = this.#run();
    this.#wall.arm(wallMs, () => this.#giveUp(this.#fault("TIMEOUT", `ran longer than ${wallMs} ms`)));
  }

  stop(): Promise<ProcessEnd> {
    this.#giveUp(this.#fault("ABORTED", "was stopped", { breaker: "none" }));
    return this.ended;
  }

  async #run(): Promise<ProcessEnd> {
    const { signal } = this.#options;
    const onAbort = () => this.#giveUp(abortFault(signal, this.#facts));
    signal?.addEventListener("abort", onAbort);
    this.#listen();
    const status = await new Promise<ExitStatus>((resolve) => {
      this.#child.once("exit", (code, by) => resolve({ code, signal: by }));
    });
    this.#over.abort("over");
    signal?.removeEventListener("abort", onAbort);
    this.#wall.disarm();
    this.#idle.disarm();
    endLeftovers(this.identity.pid);
    await this.#drained();
    const complaints = this.#complaints.text();
    const fault = this.#why ?? exitFault(status, { ...this.#facts, said: complaints });
    return { ...status, output: this.#output.text(), complaints, fault };
  }

  #listen(): void {
    const { onLine } = this.#options;
    const lines = new LineReader((line) => this.#tell(onLine, line));
    const heard = () => {
      const { idleMs } = this.#options;
      if (idleMs === undefined || this.#over.signal.aborted) return;
      this.#idle.arm(idleMs, () => this.#giveUp(this.#fault("STALLED", `printed nothing for ${idleMs} ms`)));
    };
    heard();
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      heard();
      this.#output.push(chunk);
      lines.push(chunk);
    });
    this.#child.stdout?.once("end", () => lines.end());
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      heard();
      this.#complaints.push(chunk);
    });
    // Signals could not be sent, or a pipe broke; the end tells everything that matters.
    this.#child.on("error", () => undefined);
  }

  /** An error of the listener ends the program: what it would go on to say could not be understood. */
  #tell(onLine: ((line: string) => void) | undefined, line: string): void {
    try {
      onLine?.(line);
    } catch (error) {
      this.#giveUp(
        error instanceof Fault ? error : this.#fault("UNKNOWN", "printed a line that was refused", { cause: error }),
      );
    }
  }

  async #drained(): Promise<void> {
    const closed = new AbortController();
    this.#child.once("close", () => closed.abort("closed"));
    // `close` may have come with the exit already; then both streams are over.
    if (this.#child.stdout?.closed && this.#child.stderr?.closed) return;
    await this.#clock.sleep(DRAIN_MS, closed.signal);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #giveUp(why: Fault): void {
    if (this.#over.signal.aborted) return;
    this.#why ??= why;
    if (!this.#isEnding) void this.#end();
    this.#isEnding = true;
  }

  async #end(): Promise<void> {
    signalGroup(this.identity.pid, "SIGTERM");
    await this.#clock.sleep(this.#options.graceMs ?? GRACE_MS, this.#over.signal);
    // Not reaped by Node before its exit was heard, so the number is still its own.
    if (!this.#over.signal.aborted) signalGroup(this.identity.pid, "SIGKILL");
  }

  #fault(code: string, what: string, options: { breaker?: "none"; cause?: unknown } = {}): Fault {
    const { program, service } = this.#facts;
    return transient(code, `${program} ${what}`, { ...(service === undefined ? {} : { service }), ...options });
  }
}

function abortFault(signal: AbortSignal | undefined, { program, service }: ExitFacts): Fault {
  const reason: unknown = signal?.reason;
  if (reason instanceof Fault) return reason;
  const options = { ...(service === undefined ? {} : { service }), cause: reason, breaker: "none" as const };
  return transient("ABORTED", `${program} was given up`, options);
}
