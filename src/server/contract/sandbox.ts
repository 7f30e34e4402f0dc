// The things of a demo world on the wire: how they stand, and how each can be broken.

import { z } from "@hono/zod-openapi";
import type { SandboxThing } from "../sandbox-port.ts";
import { text, time } from "./common.ts";

const fault = z
  .object({
    name: z.string().openapi({ example: "stop" }),
    does: z.string().openapi({ description: "What breaking it does, in a sentence." }),
    expect: z.string().openapi({ description: "What one should see then, in a sentence or two." }),
    brokenSince: time.nullable().openapi({ description: "Null while it is whole." }),
  })
  .openapi("SandboxFault");

export const sandboxThing = z
  .object({
    name: z.string().openapi({ example: "converter" }),
    about: z.string(),
    service: z
      .string()
      .nullable()
      .openapi({ description: "Its name among the services; null for what is none, such as the worker." }),
    state: z.enum(["up", "starting", "down"]).openapi({ description: "Of its process." }),
    faults: z.array(fault),
  })
  .openapi("SandboxThing");

const thingName = text.min(1).max(100).openapi({ example: "converter" });
const faultName = text.min(1).max(100).openapi({ example: "stop" });

export const breakBody = z.strictObject({ thing: thingName, fault: faultName }).openapi("SandboxBreak");

export const mendBody = z
  .strictObject({
    thing: thingName.optional().openapi({ description: "Left out: everything that is broken." }),
    fault: faultName.optional().openapi({ description: "Left out: all that is broken about that thing." }),
  })
  .refine(({ thing, fault }) => fault === undefined || thing !== undefined, {
    path: ["thing"],
    message: "say of which thing that fault is",
  })
  .openapi("SandboxMend");

export function toThing({ faults, ...thing }: SandboxThing) {
  return {
    ...thing,
    faults: faults.map(({ brokenSince, ...one }) => ({ ...one, brokenSince: brokenSince?.toISOString() ?? null })),
  };
}
