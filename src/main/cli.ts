#!/usr/bin/env node
// The command line. The only place, with its neighbours here, that reads arguments and the environment.
//
// Loaded by the children too that visit what a dead worker held, and those items wait for it: nothing heavy is imported before it is
// known which command it is.

import { SluiceError } from "../kit/errors.ts";
import { CommandError, EXIT, type ExitCode } from "./exit.ts";
import { packageVersion } from "./version.ts";

// Whoever reads may stop reading: sluice ls | head.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed),
);

main(process.argv.slice(2)).then(
  (exit) => {
    process.exitCode = exit;
  },
  (error: unknown) => {
    process.stderr.write(`${told(error)}\n`);
    process.exit(
      error instanceof CommandError ? error.exit : error instanceof SluiceError ? exitOf(error) : EXIT.failed,
    );
  },
);

/** What everybody asks first is answered without anything that reads flags. */
async function main(argv: readonly string[]): Promise<ExitCode> {
  const [only = "--help"] = argv;
  if (argv.length < 2 && ["--help", "-h", "help"].includes(only)) {
    process.stdout.write((await import("./help.ts")).helpText());
    return EXIT.ok;
  }
  return await (await import("./program.ts")).runProgram(argv, await packageVersion());
}

/** What we say on purpose is for people; anything else is a bug, and its stack is what matters. */
function told(error: unknown): string {
  if (error instanceof CommandError)
    return `sluice: ${error.message}${error.next === undefined ? "" : `\n  → ${error.next}`}`;
  if (error instanceof SluiceError) return `sluice: ${error.message}`;
  return `sluice: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function exitOf({ code }: SluiceError): number {
  if (code === "NOT_FOUND") return EXIT.notFound;
  if (code === "FORBIDDEN" || code === "UNAUTHENTICATED") return EXIT.notAllowed;
  return code === "CONFLICT" || code === "REFUSED" ? EXIT.refused : EXIT.usage;
}
