// From the list of commands to what was typed: parsing, help, and how it ends.

import { Command, CommanderError } from "commander";
import { orElse } from "../kit/nearest.ts";
import { PATHS, settingOf } from "./config/settings.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "./exit.ts";
import { helpText } from "./help.ts";
import { COMMANDS, type CommandSpec } from "./list/index.ts";
import { makeOutput } from "./output.ts";

/** Resolves with the code to end with. What goes wrong is thrown, but for what commander has said already. */
export async function runProgram(argv: readonly string[], version: string): Promise<ExitCode> {
  let exit: ExitCode | undefined;
  const ended = (code: ExitCode | undefined) => {
    exit = code;
  };
  const program = makeProgram(version, ended);
  try {
    await program.parseAsync(withTerms(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  return exit ?? EXIT.ok;
}

/** `-owner:ann` is a term of a filter and no flag: such words go behind the flags. */
export function withTerms(argv: readonly string[]): string[] {
  const isTerm = (word: string) => /^-[a-z]+:/.test(word);
  if (argv.includes("--") || !argv.some(isTerm)) return [...argv];
  return [...argv.filter((word) => !isTerm(word)), "--", ...argv.filter(isTerm)];
}

function makeProgram(version: string, ended: (code: ExitCode | undefined) => void): Command {
  const program = new Command("sluice");
  program
    .version(version, "-v, --version", "this release")
    .helpOption("-h, --help", "this, or more about a command")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "sluice: ")) })
    .showHelpAfterError("  → sluice --help shows what there is")
    .configureHelp({ formatHelp: () => helpText() });
  for (const spec of COMMANDS) addCommand(program, spec, ended);
  return program;
}

function addCommand(program: Command, spec: CommandSpec, ended: (code: ExitCode | undefined) => void): void {
  const words = spec.name.split(" ");
  const [first = "", second] = words;
  const parent = second === undefined ? program : groupOf(program, first);
  const known = parent.commands.find((one) => one.name() === (second ?? first));
  const command = known ?? parent.command(second ?? first);
  command
    .description(spec.about)
    .summary(spec.about)
    .exitOverride()
    .allowExcessArguments(deedsOf(spec).length > 0)
    .showHelpAfterError(`  → sluice ${spec.name} --help`)
    .configureHelp({})
    .addHelpText("before", `${spec.examples.map((one) => `  ${one}`).join("\n")}\n`);
  for (const argument of spec.args?.match(/\S+/g) ?? []) command.argument(argument);
  for (const [flags, about] of spec.options ?? []) command.option(flags, about);
  for (const [flags, about] of commonOptions(spec)) command.option(flags, about);
  command.action(async (...given: unknown[]) => {
    refuseOtherDeeds(spec, command.args);
    const args = given
      .slice(0, -2)
      .flat()
      .filter((one) => typeof one === "string");
    ended(await run(spec, args, command.opts()));
  });
}

/** What can be done to a thing that is also a command by itself: `break` and `mend` of `sandbox`. */
function deedsOf({ name, args }: CommandSpec): string[] {
  if (args !== undefined) return [];
  return COMMANDS.filter((one) => one.name.startsWith(`${name} `)).map((one) => one.name.slice(name.length + 1));
}

/** To the parser such a word is one argument too many, which helps nobody who mistyped it. */
function refuseOtherDeeds(spec: CommandSpec, [word]: readonly string[]): void {
  const deeds = deedsOf(spec);
  if (word === undefined || deeds.length === 0) return;
  throw new UsageError(`there is no sluice ${spec.name} ${word}; ${orElse(word, deeds)}`, `sluice ${spec.name} --help`);
}

function groupOf(program: Command, name: string): Command {
  const found = program.commands.find((one) => one.name() === name);
  if (found !== undefined) return found;
  const group = program.command(name).exitOverride().helpCommand(false).configureHelp({});
  return group.showHelpAfterError(`  → sluice ${name} --help`);
}

/** Where it looks, and how it answers. */
function commonOptions(spec: CommandSpec): readonly (readonly [string, string])[] {
  const settings = PATHS.flatMap((path) => {
    const { flag, about, env } = settingOf(path);
    const isWanted = flag !== undefined && (spec.hasSettings === true || path === "database.url");
    return isWanted ? [[flag, `${about} (${env})`] as const] : [];
  });
  return [
    ...settings,
    ["--config <file>", "instead of ./sluice.yaml (SLUICE_CONFIG)"],
    ...(spec.via === "client" || spec.name === "doctor"
      ? ([
          ["--url <address>", "a server elsewhere (SLUICE_URL, with SLUICE_API_KEY)"],
          ["--profile <name>", "one of ~/.config/sluice/config.json (SLUICE_PROFILE)"],
          ["--module <file>", "without a server: the pipelines' code, where that has a say"],
        ] as const)
      : []),
    spec.hasSettings === true
      ? ["--json", "what it tells as lines of JSON"]
      : ["--json", "the answer as JSON, in the API's own shape"],
  ];
}

function known(spec: CommandSpec) {
  const options = [...(spec.options ?? []), ...commonOptions(spec)];
  return {
    name: spec.name,
    about: spec.about,
    flags: options.flatMap(([flags]) => flags.match(/--[a-z-]+/)?.[0] ?? []),
    takesTerms: spec.args?.includes("filter") === true,
  };
}

async function run(
  spec: CommandSpec,
  args: readonly string[],
  options: Record<string, unknown>,
): Promise<ExitCode | undefined> {
  const call = { args, options, known: COMMANDS.map(known), out: makeOutput(options.json === true) };
  if (spec.via === "itself") return await spec.run(call);
  const { connect } = await import("./client/connect.ts");
  const client = await connect(options);
  try {
    return await spec.run({ ...call, client });
  } catch (error) {
    throw namingCommand(error, spec.name);
  } finally {
    await client.close();
  }
}

/** Who answers does not know what was typed; here it is known which command has the help that is meant. */
function namingCommand(error: unknown, command: string): unknown {
  if (!(error instanceof CommandError) || !error.next.includes("<command>")) return error;
  return new CommandError(error.exit, error.message, error.next.replace("<command>", command));
}
