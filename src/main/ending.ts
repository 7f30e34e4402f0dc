// From what went wrong to what is said about it and the code it ends with. Pure.

import { printable, SluiceError, safeText } from "../kit/index.ts";
import { CommandError, EXIT, type ExitCode } from "./exit.ts";
import { troubleOf } from "./trouble.ts";

export interface Ending {
  readonly exit: ExitCode;
  readonly text: string;
}

export function endingOf(error: unknown): Ending {
  const { exit, what, next } = partsOf(error);
  // A server elsewhere, or a file, may have put anything into it; a stack keeps its lines.
  const harmless = (text: string) => text.split("\n").map(printable).join("\n");
  return { exit, text: `sluice: ${harmless(what)}\n  → ${printable(next)}` };
}

interface Parts {
  readonly exit: ExitCode;
  readonly what: string;
  readonly next: string;
}

function partsOf(error: unknown): Parts {
  if (error instanceof CommandError) return { exit: error.exit, what: error.message, next: error.next };
  if (error instanceof SluiceError) return { exit: exitOf(error), what: error.message, next: nextAfter(error) };
  const trouble = troubleOf(error);
  if (trouble !== undefined) {
    const what = `the database cannot be opened: ${trouble.words} (${safeText(error, 200)})`;
    return { exit: EXIT.unreachable, what, next: "sluice config print shows which one is meant" };
  }
  if (isOfTheSystem(error))
    return { exit: EXIT.failed, what: error.message, next: "mend that on this machine, and try again" };
  // Not said on purpose: a bug, and its stack is what matters.
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exit: EXIT.failed, what, next: "this is a bug of ours; please report it with the lines above" };
}

/** A disk that is full, a file that may not be read: not our bug, and nothing that a stack tells more about. */
function isOfTheSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "code" in error && /^E[A-Z]+$/.test(String(error.code));
}

function exitOf({ code }: SluiceError): ExitCode {
  if (code === "NOT_FOUND") return EXIT.notFound;
  if (code === "FORBIDDEN" || code === "UNAUTHENTICATED") return EXIT.notAllowed;
  return code === "CONFLICT" || code === "REFUSED" ? EXIT.refused : EXIT.usage;
}

function nextAfter({ code }: SluiceError): string {
  if (code === "CANNOT_LISTEN") return "sluice up --port 0 takes any that is free";
  if (code === "CONFLICT" || code === "NOT_FOUND")
    return "sluice user list, sluice key list and sluice ls show what there is";
  return "sluice config print shows what is in force; sluice <command> --help what it takes";
}
