// `sluice --help`: examples first, then every command in its group, then how it ends. Pure.

import { COMMANDS } from "./list/index.ts";

const GROUPS = ["Start", "Look", "Act", "Run it"] as const;

export function helpText(): string {
  return `Sluice: durable pipelines for work that happens elsewhere

  sluice up pipelines.ts                      server, worker and database, here
  sluice submit media '{"title":"…"}' --wait --module pipelines.ts
                                              hand something in and wait for it
  sluice why itm_0000000000042                why it stands where it stands
  sluice ls state:failed                      what failed, to: sluice retry <id>

${GROUPS.map((group) => `${group}\n${groupLines(group)}`).join("\n\n")}

  sluice <command> --help        its flags and examples
  sluice --version

Commands look at the server that SLUICE_URL names (with SLUICE_API_KEY), else at
the database of DATABASE_URL, else at the one in ./data. Every answer is there
as JSON with --json; whatever is not the answer goes to standard error.
All settings: docs/configuration.md, and those in force: sluice config print

Ends with 0 ok, 1 failed, 2 usage, 3 not found, 4 not allowed, 5 refused,
6 unreachable, 7 partly, 8 timed out waiting, 130 interrupted.
`;
}

/** A command of commands takes one line. */
function groupLines(group: (typeof GROUPS)[number]): string {
  const lines = new Map<string, string>();
  for (const { name, args = "", about, group: own } of COMMANDS) {
    const [first = "", second] = name.split(" ");
    if (own !== group || (second !== undefined && lines.has(first))) continue;
    if (second === undefined) lines.set(first, line(`${name} ${args}`, about));
    else if (!COMMANDS.some((one) => one.name === first)) {
      const inside = COMMANDS.filter((one) => one.name.startsWith(`${first} `)).map((one) => one.name.split(" ")[1]);
      lines.set(first, line(`${first} ${inside.join("|")}`, GROUP_ABOUT[first] ?? about));
    }
  }
  return [...lines.values()].join("\n");
}

const GROUP_ABOUT: { readonly [name: string]: string } = {
  user: "accounts",
  key: "keys for programs",
  config: "the configuration",
};

const WIDTH = 26;

function line(usage: string, about: string): string {
  const text = `  ${usage.trim()}`;
  return text.length < WIDTH ? `${text.padEnd(WIDTH)}${about}` : `${text}\n${" ".repeat(WIDTH)}${about}`;
}
