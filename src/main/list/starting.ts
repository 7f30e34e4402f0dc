// Commands that start something.

import type { Call } from "../commands/call.ts";
import { makeSay } from "../say.ts";
import type { CommandSpec } from "./spec.ts";

const start =
  (part: "up" | "server" | "worker") =>
  async ({ args, options, out }: Call) => {
    await (await import("../commands/start.ts")).startCommand(part, args[0], options, makeSay(out));
    return undefined;
  };

export const STARTING: readonly CommandSpec[] = [
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
