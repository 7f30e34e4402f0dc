// Commands that change something.

import type { ClientCall } from "../commands/call.ts";
import { type CommandSpec, DRY, NOTE, YES } from "./spec.ts";

const act = (name: "retry" | "cancel" | "replay" | "take-back" | "skip" | "run-once") => async (call: ClientCall) =>
  (await import("../commands/act.ts")).act(name, call);
const hold = (name: "hold" | "resume") => async (call: ClientCall) =>
  (await import("../commands/hold.ts")).hold(name, call);

export const ACTING: readonly CommandSpec[] = [
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
      ["--wait", "stay until it is over; ends with 1 where something failed, 7 where only some did"],
      ["--timeout <time>", "wait no longer, such as 10m; ends with 8 then"],
      ["--key <key>", "the same key again is the same request"],
      DRY,
    ],
    via: "client",
    run: async (call) => (await import("../commands/submit.ts")).submit(call),
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
    run: async (call) => (await import("../commands/hold.ts")).switchStage(call),
  },
];
