#!/usr/bin/env node
// The command line. The only place, with its neighbours here, that reads arguments and the environment.
//
// Loaded by the children too that visit what a dead worker held, and those items wait for it: nothing heavy is imported before it is
// known which command it is.

import { enableCompileCache } from "node:module";
import { EXIT, type ExitCode } from "./exit.ts";
import { packageVersion } from "./version.ts";

// What is compiled once is kept in the system's temporary folder: `sluice status` takes 0.6 s instead of 1.1.
enableCompileCache();

// Whoever reads may stop reading: sluice ls | head.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed),
);

main(process.argv.slice(2)).then(
  (exit) => {
    process.exitCode = exit;
  },
  async (error: unknown) => {
    const { exit, text } = (await import("./ending.ts")).endingOf(error);
    process.stderr.write(`${text}\n`);
    process.exit(exit);
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
