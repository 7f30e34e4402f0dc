// How a program ended → a fault. Exit codes mean what their program says, so only what the system itself says is fixed
// here; a connector brings the table of its program.

import { type Fault, permanent, transient, unavailable } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import { codeOf, errnoFault } from "./errno-faults.ts";

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ExitRule {
  readonly kind: "permanent" | "transient" | "unavailable";
  readonly code: string;
}

export type ExitTable = Readonly<Record<number, ExitRule>>;

/** For programs that keep to sysexits.h. Many do not: to some encoders 69 only means "failed". */
export const SYSEXITS: ExitTable = {
  64: { kind: "permanent", code: "USAGE" },
  65: { kind: "permanent", code: "BAD_INPUT" },
  66: { kind: "permanent", code: "NO_INPUT" },
  69: { kind: "unavailable", code: "NOT_REACHED" },
  74: { kind: "transient", code: "IO" },
  75: { kind: "transient", code: "TEMPORARY" },
  77: { kind: "permanent", code: "PERMISSION_DENIED" },
};

const MAKE = { permanent, transient, unavailable } as const;

/** Somebody ends this machine's processes; the work is not to blame. */
const INTERRUPTED = new Set(["SIGTERM", "SIGINT", "SIGHUP"]);
const SAID_BYTES = 300;

export interface ExitFacts {
  readonly program: string;
  readonly service?: string | undefined;
  readonly exits?: ExitTable | undefined;
  /** The last thing it complained about, for people. */
  readonly said?: string | undefined;
}

/** Undefined for a good end. */
export function exitFault(status: ExitStatus, facts: ExitFacts): Fault | undefined {
  const options = facts.service === undefined ? {} : { service: facts.service };
  const said = facts.said === undefined || facts.said === "" ? "" : `: ${lastOf(facts.said)}`;
  const { code, signal } = status;
  if (signal !== null) {
    const text = `${facts.program} was ended by ${signal}${said}`;
    if (INTERRUPTED.has(signal)) return unavailable("INTERRUPTED", text, { ...options, breaker: "none" });
    // The system kills what takes too much memory with SIGKILL: the same input may do it again, so it counts.
    return transient(signal === "SIGKILL" ? "KILLED" : "CRASHED", text, options);
  }
  if (code === 0) return undefined;
  const text = `${facts.program} left with ${code}${said}`;
  const rule = code === null ? undefined : facts.exits?.[code];
  if (rule !== undefined) return MAKE[rule.kind](rule.code, text, options);
  return transient(code === null ? "UNKNOWN" : `EXIT_${code}`, text, options);
}

/** It could not be started at all. A missing program is the machine's lack; every item would meet it. */
export function startFault(error: unknown, facts: ExitFacts): Fault {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "EACCES" || code === "ENOEXEC") {
    const options = { ...(facts.service === undefined ? {} : { service: facts.service }), cause: error };
    return unavailable("PROGRAM_MISSING", `cannot run ${facts.program}: ${safeText(error, SAID_BYTES)}`, options);
  }
  if (code === "E2BIG")
    return permanent("REQUEST_TOO_LARGE", `${facts.program} was given too many arguments`, { breaker: "none" });
  return errnoFault(error, `starting ${facts.program}`, facts.service);
}

function lastOf(text: string): string {
  return safeText(text.trimEnd().slice(-SAID_BYTES), SAID_BYTES);
}
