// `sluice completion bash|zsh|fish`: made from the list of commands, so that it never lags behind.

import { UsageError } from "../exit.ts";
import type { Call, Ended, KnownCommand } from "./call.ts";

type Known = readonly KnownCommand[];

export async function completion({ out, args: [shell = ""], known }: Call): Ended {
  const make = SHELLS[shell];
  if (make === undefined)
    throw new UsageError(`there is no completion for ${JSON.stringify(shell)}`, "sluice completion bash, zsh or fish");
  out.text(make(known));
  return undefined;
}

const SHELLS: { readonly [shell: string]: (known: Known) => string } = { bash, zsh, fish };

const firsts = (known: Known) => [...new Set(known.map(({ name }) => name.split(" ")[0] ?? ""))];
const seconds = (known: Known, first: string) =>
  known.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(" ")[1] ?? ""] : []));

/** By the words typed so far: `services`, `user add`. */
function cases(known: Known): string {
  const lines = known.map(({ name, flags }) => {
    const inner = name.includes(" ") ? [] : seconds(known, name);
    return `    "${name}") words="${[...inner, ...flags].join(" ")}" ;;`;
  });
  const groups = firsts(known).filter((first) => !known.some(({ name }) => name === first));
  return [...lines, ...groups.map((first) => `    "${first}") words="${seconds(known, first).join(" ")}" ;;`)].join(
    "\n",
  );
}

function bash(known: Known): string {
  const pairs = firsts(known).flatMap((first) => seconds(known, first).map((second) => `${first} ${second}`));
  return `_sluice() {
  local words="" typed="\${COMP_WORDS[1]}" current="\${COMP_WORDS[COMP_CWORD]}"
  case "$typed \${COMP_WORDS[2]}" in
${pairs.map((pair) => `    "${pair}") [ "$COMP_CWORD" -gt 2 ] && typed="${pair}" ;;`).join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${firsts(known).join(" ")}"; else case "$typed" in
${cases(known)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _sluice sluice`;
}

function zsh(known: Known): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(known)}`;
}

function fish(known: Known): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const commands = firsts(known).map((first) => {
    const about = known.find(({ name }) => name === first || name.startsWith(`${first} `))?.about ?? "";
    return `complete -c sluice -n __fish_use_subcommand -a ${first} -d ${quoted(about)}`;
  });
  const inner = known
    .filter(({ name }) => name.includes(" "))
    .map(({ name, about }) => {
      const [first, second] = name.split(" ");
      return `complete -c sluice -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(about)}`;
    });
  const flags = known.flatMap(({ name, flags }) =>
    flags.map(
      (flag) => `complete -c sluice -n '__fish_seen_subcommand_from ${name.split(" ")[0]}' -l ${flag.slice(2)}`,
    ),
  );
  return [...commands, ...inner, ...new Set(flags)].join("\n");
}
