// `sluice completion bash|zsh|fish`: made from the list of commands, so that it never lags behind.

import { COMMANDS, type CommandSpec } from "../command-list.ts";
import { UsageError } from "../exit.ts";
import { commonOptions } from "../program.ts";
import type { Call, Ended } from "./call.ts";

export async function completion({ out, args: [shell = ""] }: Call): Ended {
  const make = SHELLS[shell];
  if (make === undefined)
    throw new UsageError(`there is no completion for ${JSON.stringify(shell)}`, "sluice completion bash, zsh or fish");
  out.text(make());
  return undefined;
}

const SHELLS: { readonly [shell: string]: () => string } = { bash, zsh, fish };

const firsts = () => [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0] ?? ""))];
const seconds = (first: string) =>
  COMMANDS.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(" ")[1] ?? ""] : []));
const flagsOf = (spec: CommandSpec) =>
  [...(spec.options ?? []), ...commonOptions(spec)]
    .map(([flags]) => flags.match(/--[a-z-]+/)?.[0] ?? "")
    .filter((flag) => flag !== "");

/** By the words typed so far: `services`, `user add`. */
function cases(): string {
  const lines = COMMANDS.map(
    (spec) =>
      `    "${spec.name}") words="${[...(spec.name.includes(" ") ? [] : seconds(spec.name)), ...flagsOf(spec)].join(" ")}" ;;`,
  );
  const groups = firsts().filter((first) => !COMMANDS.some(({ name }) => name === first));
  return [...lines, ...groups.map((first) => `    "${first}") words="${seconds(first).join(" ")}" ;;`)].join("\n");
}

function bash(): string {
  return `_sluice() {
  local words="" typed="\${COMP_WORDS[1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  case "$typed \${COMP_WORDS[2]}" in
${firsts()
  .flatMap((first) =>
    seconds(first).map(
      (second) => `    "${first} ${second}") [ "$COMP_CWORD" -gt 2 ] && typed="${first} ${second}" ;;`,
    ),
  )
  .join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${firsts().join(" ")}"; else case "$typed" in
${cases()}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _sluice sluice`;
}

function zsh(): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash()}`;
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const commands = firsts().map((first) => {
    const about = COMMANDS.find(({ name }) => name === first || name.startsWith(`${first} `))?.about ?? "";
    return `complete -c sluice -n __fish_use_subcommand -a ${first} -d ${quoted(about)}`;
  });
  const inner = COMMANDS.filter(({ name }) => name.includes(" ")).map(({ name, about }) => {
    const [first, second] = name.split(" ");
    return `complete -c sluice -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(about)}`;
  });
  const flags = COMMANDS.flatMap((spec) =>
    flagsOf(spec).map(
      (flag) => `complete -c sluice -n '__fish_seen_subcommand_from ${spec.name.split(" ")[0]}' -l ${flag.slice(2)}`,
    ),
  );
  return [...commands, ...inner, ...new Set(flags)].join("\n");
}
