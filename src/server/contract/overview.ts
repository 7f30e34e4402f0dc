// A first look on the wire: how everything stands, what is stuck, what is broken.

import { z } from "@hono/zod-openapi";
import type { Diagnosis, StuckItem } from "../../engine/index.ts";
import type { Principal } from "../access/principal.ts";
import { itemId, time } from "./common.ts";
import { explanation, toExplanation } from "./explanation.ts";
import { valve } from "./pipelines.ts";
import { serviceState } from "./services.ts";

const standing = z.object({
  pipeline: z.string(),
  queued: z.int(),
  running: z.int(),
  waiting: z.int(),
  needsYou: z.int(),
  isMore: z.boolean().openapi({ description: "A count stopped at 10,000." }),
  done: z.int().openapi({ description: "Within a day." }),
  failed: z.int().openapi({
    description:
      "Failures within a day: what was retried and failed again counts twice. To members, those of their items that failed within a day and were not retried.",
  }),
  took: z
    .object({ p50Ms: z.number(), p90Ms: z.number() })
    .nullable()
    .openapi({ description: "From submission to completion, of the newest items." }),
});

export const overview = z
  .object({
    at: time,
    version: z.string(),
    hasSandbox: z
      .boolean()
      .openapi({ description: "It stands in a demo world, whose things can be broken: `/api/v1/sandbox`." }),
    apps: z
      .array(z.string())
      .openapi({ description: "Applications it was started with, each with routes of its own.", example: ["media"] }),
    database: z.object({ version: z.string(), bytes: z.int() }),
    scope: z.enum(["all", "own"]).openapi({ description: "Whose items are counted." }),
    pipelines: z.array(standing),
    needsYou: z.int(),
    stuck: z.int().openapi({ description: "Counted up to 100." }),
    services: z.array(serviceState).openapi({ description: "Those that are not well." }),
    workers: z
      .object({ alive: z.int(), late: z.int(), dead: z.int() })
      .openapi({ description: "`dead`: within a day, and none of its name came after it." }),
    closed: z.array(valve).openapi({ description: "What is held or switched off." }),
  })
  .openapi("Overview");

export const stuckItem = z
  .object({
    item: itemId,
    pipeline: z.string(),
    version: z.int(),
    stage: z.string(),
    wait: explanation,
  })
  .openapi("StuckItem");

export function toStuck({ explanation: why, ...stuck }: StuckItem, principal: Principal) {
  return { ...stuck, wait: toExplanation(why, principal) };
}

export const diagnosis = z
  .object({
    isOk: z.boolean(),
    checks: z.array(
      z.object({
        name: z.string(),
        isOk: z.boolean(),
        found: z.array(z.string()).openapi({ description: "Examples; none for members." }),
        wrong: z.string(),
        remedy: z.string(),
        since: time.nullable(),
      }),
    ),
  })
  .openapi("Diagnosis");

export function toDiagnosis({ isOk, checks }: Diagnosis, tellsAll: boolean) {
  return {
    isOk,
    checks: checks.map(({ place: _, since, found, ...check }) => ({
      ...check,
      found: tellsAll ? [...found] : [],
      since: since?.toISOString() ?? null,
    })),
  };
}
