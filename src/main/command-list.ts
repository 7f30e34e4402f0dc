// Every command: what it is called and takes, and where its code is. Nothing here loads that code before it is asked for: what a
// dead worker held waits for this program to start again in its children, and `sluice --help` for nothing at all.

import type { Call, ClientCall, Ended } from "./commands/call.ts";

interface Described {
  /** Two words for a command of a command. */
  readonly name: string;
  readonly args?: string;
  readonly about: string;
  readonly group: "Start" | "Look" | "Act" | "Run it";
  readonly examples: readonly string[];
  readonly options?: readonly (readonly [flags: string, about: string])[];
  /** Takes the settings that have a flag. */
  readonly hasSettings?: true;
}

/** `client` commands go through the API, here or elsewhere; the others look after themselves. */
export type CommandSpec =
  | (Described & { readonly via: "client"; run(call: ClientCall): Ended })
  | (Described & { readonly via: "itself"; run(call: Call): Ended });

const DRY = ["--dry-run", "say what would be done, and do nothing"] as const;
const YES = ["--yes", "do not ask"] as const;
const NOTE = ["--note <text>", "why; shown to everybody who waits for it"] as const;
const PASSWORD = ["--password-stdin", "take the password from standard input"] as const;

const start =
  (part: "up" | "server" | "worker") =>
  async ({ args, options }: Call) => {
    await (await import("./commands/start.ts")).startCommand(part, args[0], options);
    return undefined;
  };
const act = (name: "retry" | "cancel" | "replay" | "take-back" | "skip" | "run-once") => async (call: ClientCall) =>
  (await import("./commands/act.ts")).act(name, call);
const hold = (name: "hold" | "resume") => async (call: ClientCall) =>
  (await import("./commands/hold.ts")).hold(name, call);
const user = (name: "add" | "list" | "password" | "disable" | "enable") => async (call: Call) =>
  (await import("./commands/user.ts")).user(name, call);
const key = (name: "create" | "list" | "revoke") => async (call: Call) =>
  (await import("./commands/key.ts")).key(name, call);
const config = (name: "print" | "check" | "schema" | "set" | "unset") => async (call: Call) =>
  (await import("./commands/config.ts")).config(name, call);

const STARTING: readonly CommandSpec[] = [
  {
    name: "up",
    args: "[module]",
    about: "server, worker and, without DATABASE_URL, a database",
    group: "Start",
    examples: ["sluice up", "sluice up pipelines.ts --port 8080"],
    hasSettings: true,
    via: "itself",
    run: start("up"),
  },
  {
    name: "server",
    args: "[module]",
    about: "the HTTP side alone, on a database that workers share",
    group: "Start",
    examples: ["DATABASE_URL=postgres://… sluice server"],
    hasSettings: true,
    via: "itself",
    run: start("server"),
  },
  {
    name: "worker",
    args: "<module>",
    about: "works on a module's pipelines; needs DATABASE_URL",
    group: "Start",
    examples: [
      "DATABASE_URL=postgres://… sluice worker pipelines.ts",
      "sluice worker pipelines.ts --stages encode --name enc-02",
    ],
    hasSettings: true,
    via: "itself",
    run: start("worker"),
  },
];

const LOOKING: readonly CommandSpec[] = [
  {
    name: "status",
    about: "how everything stands, in a few lines",
    group: "Look",
    examples: ["sluice status"],
    via: "client",
    run: async (call) => (await import("./commands/status.ts")).status(call),
  },
  {
    name: "ls",
    args: "[filter...]",
    about: "items, newest first",
    group: "Look",
    examples: [
      "sluice ls",
      "sluice ls state:failed pipeline:media",
      "sluice ls state:failed --json | jq -r '.entries[].id'",
    ],
    options: [
      ["--limit <items>", "at most so many; 50 unless it is said"],
      ["--after <cursor>", "the page after this one"],
    ],
    via: "client",
    run: async (call) => (await import("./commands/ls.ts")).ls(call),
  },
  {
    name: "show",
    args: "<id>",
    about: "an item or a request, whole",
    group: "Look",
    examples: ["sluice show itm_0000000000042", "sluice show req_1 --json"],
    via: "client",
    run: async (call) => (await import("./commands/show.ts")).show(call),
  },
  {
    name: "why",
    args: "<item>",
    about: "why it stands where it stands, and what you can do",
    group: "Look",
    examples: ["sluice why itm_0000000000042"],
    via: "client",
    run: async (call) => (await import("./commands/why.ts")).why(call),
  },
  {
    name: "watch",
    args: "[filter...]",
    about: "what lives, as it moves",
    group: "Look",
    examples: ["sluice watch", "sluice watch pipeline:media", "sluice watch --jsonl | jq .stage"],
    options: [
      ["--jsonl", "a line of JSON for each event, for scripts"],
      ["--after <id>", "with --jsonl: begin after this event"],
    ],
    via: "client",
    run: async (call) => (await import("./commands/watch.ts")).watch(call),
  },
  {
    name: "logs",
    args: "<item>",
    about: "what an item's visits noted",
    group: "Look",
    examples: ["sluice logs itm_0000000000042 -f"],
    options: [["-f, --follow", "stay until the item has ended"]],
    via: "client",
    run: async (call) => (await import("./commands/logs.ts")).logs(call),
  },
  {
    name: "services",
    about: "how the services stand that pipelines use",
    group: "Look",
    examples: ["sluice services", "sluice services check converter"],
    via: "client",
    run: async (call) => (await import("./commands/services.ts")).services(call),
  },
  {
    name: "services check",
    args: "<name>",
    about: "have a service that is down looked at now",
    group: "Act",
    examples: ["sluice services check converter"],
    options: [DRY],
    via: "client",
    run: async (call) => (await import("./commands/services.ts")).checkService(call),
  },
  {
    name: "workers",
    about: "who works here",
    group: "Look",
    examples: ["sluice workers"],
    via: "client",
    run: async (call) => (await import("./commands/services.ts")).workers(call),
  },
];

const ACTING: readonly CommandSpec[] = [
  {
    name: "submit",
    args: "<pipeline> [input]",
    about: "hand in work: JSON, @file, or - for stdin",
    group: "Act",
    examples: [
      `sluice submit media '{"title":"Trap House"}' --wait`,
      "sluice submit media@2 @inputs.json",
      "cat inputs.jsonl | sluice submit media -",
    ],
    options: [
      ["--module <file>", "without a server elsewhere: the module that has the pipeline, which checks the input"],
      ["--wait", "stay until it is over; ends with 1 where something failed, 7 where only some did"],
      ["--timeout <time>", "wait no longer, such as 10m; ends with 8 then"],
      ["--key <key>", "the same key again is the same request"],
      DRY,
    ],
    via: "client",
    run: async (call) => (await import("./commands/submit.ts")).submit(call),
  },
  {
    name: "retry",
    args: "<id...>",
    about: "begin what failed again, with new attempts",
    group: "Act",
    examples: ["sluice retry itm_0000000000042", "sluice ls state:failed | cut -f1 | xargs sluice retry"],
    options: [["--parts", "only the parts of it that failed"], DRY],
    via: "client",
    run: act("retry"),
  },
  {
    name: "cancel",
    args: "<id...>",
    about: "end items, or a whole request",
    group: "Act",
    examples: ["sluice cancel itm_0000000000042 --dry-run", "sluice cancel req_0000000000007"],
    options: [DRY, YES],
    via: "client",
    run: act("cancel"),
  },
  {
    name: "replay",
    args: "<id...>",
    about: "do it again from a stage on; the rest is kept",
    group: "Act",
    examples: ["sluice replay itm_0000000000042 --from encode"],
    options: [["--from <stage>", "the stage to begin with"], ["--copy", "as a new item in a new request"], DRY],
    via: "client",
    run: act("replay"),
  },
  {
    name: "take-back",
    args: "<id...>",
    about: "take it from the worker that holds it; it queues again",
    group: "Act",
    examples: ["sluice take-back itm_0000000000042"],
    options: [DRY],
    via: "client",
    run: act("take-back"),
  },
  {
    name: "skip",
    args: "<id...>",
    about: "go on without the stage it is in",
    group: "Act",
    examples: ['sluice skip itm_0000000000042 --reason "no subtitles exist"'],
    options: [["--reason <text>", "kept in its history"], ["--stage <stage>", "only while it is in this one"], DRY],
    via: "client",
    run: act("skip"),
  },
  {
    name: "run-once",
    args: "<id...>",
    about: "let an item through a switch or a hold, once",
    group: "Act",
    examples: ["sluice run-once itm_0000000000042"],
    options: [DRY],
    via: "client",
    run: act("run-once"),
  },
  {
    name: "hold",
    args: "<scope>",
    about: "begin nothing more in media, media@2 or media/encode",
    group: "Act",
    examples: ["sluice hold media", 'sluice hold media/encode --note "disk is being changed"'],
    options: [NOTE, DRY],
    via: "client",
    run: hold("hold"),
  },
  {
    name: "resume",
    args: "<scope>",
    about: "the opposite of hold",
    group: "Act",
    examples: ["sluice resume media"],
    options: [DRY],
    via: "client",
    run: hold("resume"),
  },
  {
    name: "switch",
    args: "<stage> <on|off>",
    about: "switch a stage on or off: media/encode",
    group: "Act",
    examples: ["sluice switch media/deliver off"],
    options: [NOTE, DRY],
    via: "client",
    run: async (call) => (await import("./commands/hold.ts")).switchStage(call),
  },
];

const RUNNING: readonly CommandSpec[] = [
  {
    name: "migrate",
    about: "bring the database's schema up to date, and end",
    group: "Run it",
    examples: ["DATABASE_URL=postgres://… sluice migrate"],
    via: "itself",
    run: async (call) => (await import("./commands/migrate.ts")).migrate(call),
  },
  {
    name: "doctor",
    about: "does the engine keep its own rules? 1 where it does not",
    group: "Run it",
    examples: ["sluice doctor"],
    via: "itself",
    run: async (call) => (await import("./commands/doctor.ts")).doctor(call),
  },
  {
    name: "user add",
    args: "<name>",
    about: "make an account",
    group: "Run it",
    examples: ["sluice user add ann --role admin", "echo $PASSWORD | sluice user add ann --password-stdin"],
    options: [["--role <role>", "viewer, member or admin; member unless it is said"], PASSWORD],
    via: "itself",
    run: user("add"),
  },
  {
    name: "user list",
    about: "accounts",
    group: "Run it",
    examples: ["sluice user list"],
    via: "itself",
    run: user("list"),
  },
  {
    name: "user password",
    args: "<name>",
    about: "set a password; ends all sessions of that account",
    group: "Run it",
    examples: ["sluice user password ann"],
    options: [PASSWORD],
    via: "itself",
    run: user("password"),
  },
  {
    name: "user disable",
    args: "<name>",
    about: "shut an account and its keys out",
    group: "Run it",
    examples: ["sluice user disable bob"],
    via: "itself",
    run: user("disable"),
  },
  {
    name: "user enable",
    args: "<name>",
    about: "let an account in again",
    group: "Run it",
    examples: ["sluice user enable bob"],
    via: "itself",
    run: user("enable"),
  },
  {
    name: "key create",
    args: "<name>",
    about: "make a key for a program; it is shown once",
    group: "Run it",
    examples: ["sluice key create backup --for ann --scopes read,submit --days 90"],
    options: [
      ["--for <account>", "whose key it is"],
      ["--scopes <a,b>", "read, submit, operate, admin; read unless it is said"],
      ["--days <days>", "how long it is good for"],
    ],
    via: "itself",
    run: key("create"),
  },
  {
    name: "key list",
    about: "keys, without what lets anybody in",
    group: "Run it",
    examples: ["sluice key list"],
    options: [["--for <account>", "of this account alone"]],
    via: "itself",
    run: key("list"),
  },
  {
    name: "key revoke",
    args: "<id>",
    about: "a key lets nobody in any more",
    group: "Run it",
    examples: ["sluice key revoke 3"],
    via: "itself",
    run: key("revoke"),
  },
  {
    name: "config print",
    about: "what is in force, and where each value comes from",
    group: "Run it",
    examples: ["sluice config print"],
    via: "itself",
    run: config("print"),
  },
  {
    name: "config check",
    about: "all problems at once, each with its place",
    group: "Run it",
    examples: ["sluice config check"],
    via: "itself",
    run: config("check"),
  },
  {
    name: "config schema",
    about: "a JSON Schema of sluice.yaml, for editors",
    group: "Run it",
    examples: ["sluice config schema > sluice.schema.json"],
    via: "itself",
    run: config("schema"),
  },
  {
    name: "config set",
    args: "<setting> <value>",
    about: "set one in the database",
    group: "Run it",
    examples: ["sluice config set log.level warn"],
    via: "itself",
    run: config("set"),
  },
  {
    name: "config unset",
    args: "<setting>",
    about: "take it out of the database",
    group: "Run it",
    examples: ["sluice config unset log.level"],
    via: "itself",
    run: config("unset"),
  },
  {
    name: "completion",
    args: "<bash|zsh|fish>",
    about: "a script that completes commands and flags",
    group: "Run it",
    examples: ['eval "$(sluice completion bash)"', "sluice completion fish > ~/.config/fish/completions/sluice.fish"],
    via: "itself",
    run: async (call) => (await import("./commands/completion.ts")).completion(call),
  },
];

export const COMMANDS: readonly CommandSpec[] = [...STARTING, ...LOOKING, ...ACTING, ...RUNNING];
