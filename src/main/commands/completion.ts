// `sluice completion bash|zsh|fish`: made from the list of commands and of what filters go by, so that it never lags behind.

import { type Field, ITEM_FIELDS } from "../../server/filter/fields.ts";
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
const takingTerms = (known: Known) => known.flatMap(({ name, takesTerms }) => (takesTerms ? [name] : []));

const FIELDS: readonly (readonly [string, Field])[] = Object.entries(ITEM_FIELDS);

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

/** What is between blanks and quotes is a term, whatever the shell takes for a word: bash breaks words at colons outside of quotes. */
function terms(known: Known): string {
  const worded = FIELDS.flatMap(([name, { words }]) =>
    words === undefined
      ? []
      : [`      ${name}:*) before="\${piece%"\${piece##*[:,]}"}"; words="${words.join(" ")}" ;;`],
  );
  return `  local line="\${COMP_LINE:0:$COMP_POINT}" before=""
  local piece="\${line##*[[:space:]\\'\\"]}"
  local asked="--filter[ =]+('[^']*|\\"[^\\"]*|[^[:space:]]*)\\$" taking=" ${takingTerms(known).join(" ")} "
  if [[ "$line" =~ $asked ]] || { [[ "$COMP_CWORD" -gt 1 && "$taking" == *" $typed "* && "$piece" != -* ]]; }; then
    case "$piece" in
${worded.join("\n")}
      *:*) words="" ;;
      *) words="${FIELDS.map(([name]) => `${name}:`).join(" ")}" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "\${piece#"$before"}"))
    case "$current" in
      [\\'\\"]*) before="\${current#?}"; before="\${before%"\${before##*[[:space:]:,]}"}" ;;
      *) case "$COMP_WORDBREAKS" in *:*) before="\${before##*:}" ;; esac ;;
    esac
    COMPREPLY=("\${COMPREPLY[@]/#/$before}")
    type compopt >/dev/null 2>&1 && { compopt +o filenames +o default; [[ "$words" == *: ]] && compopt -o nospace; }
    return
  fi`;
}

function bash(known: Known): string {
  const pairs = firsts(known).flatMap((first) => seconds(known, first).map((second) => `${first} ${second}`));
  return `_sluice() {
  local words="" typed="\${COMP_WORDS[1]}" current="\${COMP_WORDS[COMP_CWORD]}"
${terms(known)}
  case "$typed \${COMP_WORDS[2]}" in
${pairs.map((pair) => `    "${pair}") [ "$COMP_CWORD" -gt 2 ] && typed="${pair}" ;;`).join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${firsts(known).join(" ")}"; else case "$typed" in
${cases(known)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -o default -F _sluice sluice`;
}

function zsh(known: Known): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(known)}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

function fish(known: Known): string {
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
  const seen = (name: string) => `__fish_seen_subcommand_from ${name.split(" ")[0]}`;
  const flags = known.flatMap(({ name, flags }) =>
    flags.map((flag) =>
      flag === "--filter"
        ? `complete -c sluice -n '${seen(name)}' -l filter -x -a ${quoted(fishTerms.join(" "))}`
        : `complete -c sluice -n '${seen(name)}' -l ${flag.slice(2)}`,
    ),
  );
  const filters = takingTerms(known).flatMap((name) =>
    FIELDS.map(([field, { about, words }]) => {
      const values = words === undefined ? [`${field}:`] : words.map((word) => `${field}:${word}`);
      return `complete -c sluice -f -n '${seen(name)}' -a ${quoted(values.join(" "))} -d ${quoted(about)}`;
    }),
  );
  return [...commands, ...inner, ...new Set(flags), ...filters].join("\n");
}

const fishTerms = FIELDS.flatMap(([field, { words }]) => words?.map((word) => `${field}:${word}`) ?? [`${field}:`]);
