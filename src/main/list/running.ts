// Commands for whoever runs it, on the database itself.

import type { Call } from "../commands/call.ts";
import { type CommandSpec, PASSWORD } from "./spec.ts";

const user = (name: "add" | "list" | "password" | "disable" | "enable") => async (call: Call) =>
  (await import("../commands/user.ts")).user(name, call);
const key = (name: "create" | "list" | "revoke") => async (call: Call) =>
  (await import("../commands/key.ts")).key(name, call);
const config = (name: "print" | "check" | "schema" | "set" | "unset") => async (call: Call) =>
  (await import("../commands/config.ts")).config(name, call);

export const RUNNING: readonly CommandSpec[] = [
  {
    name: "migrate",
    about: "bring the database's schema up to date, and end",
    group: "Run it",
    examples: ["DATABASE_URL=postgres://… sluice migrate"],
    via: "itself",
    run: async (call) => (await import("../commands/migrate.ts")).migrate(call),
  },
  {
    name: "doctor",
    about: "does the engine keep its rules? ends with 1 if not",
    group: "Run it",
    examples: ["sluice doctor"],
    via: "itself",
    run: async (call) => (await import("../commands/doctor.ts")).doctor(call),
  },
  {
    name: "user add",
    args: "<name>",
    about: "make an account",
    group: "Run it",
    examples: ["sluice user add ann --role admin", "echo $PASSWORD | sluice user add ann --password-stdin"],
    options: [
      ["--role <role>", "viewer, member or admin; member unless it is said"],
      ["--inherit", "work that was handed in for that name before is theirs"],
      PASSWORD,
    ],
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
      ["--scopes <a,b>", "read, submit, operate, admin, encode; read unless it is said"],
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
    run: async (call) => (await import("../commands/completion.ts")).completion(call),
  },
];
