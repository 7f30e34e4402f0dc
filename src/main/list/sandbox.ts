// Commands for the demo world that a server may stand in.

import { type CommandSpec, DRY } from "./spec.ts";

export const SANDBOX: readonly CommandSpec[] = [
  {
    name: "sandbox",
    about: "what there is to break in a demo world",
    group: "Look",
    examples: ["sluice sandbox", "sluice sandbox break converter stop"],
    via: "client",
    run: async (call) => (await import("../commands/sandbox.ts")).sandbox(call),
  },
  {
    name: "sandbox break",
    args: "<thing> <fault>",
    about: "break something of it",
    group: "Act",
    examples: ["sluice sandbox break converter stop", "sluice sandbox break worker kill"],
    options: [DRY],
    via: "client",
    run: async (call) => (await import("../commands/sandbox.ts")).breakThing(call),
  },
  {
    name: "sandbox mend",
    args: "[thing] [fault]",
    about: "mend it; everything, where nothing is named",
    group: "Act",
    examples: ["sluice sandbox mend", "sluice sandbox mend converter", "sluice sandbox mend converter stop"],
    options: [DRY],
    via: "client",
    run: async (call) => (await import("../commands/sandbox.ts")).mend(call),
  },
];
