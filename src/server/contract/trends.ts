// How work went over time, on the wire.

import { z } from "@hono/zod-openapi";
import type { TrendRange, Trends } from "../../engine/index.ts";
import { termsText } from "../filter/filter.ts";
import { text, time } from "./common.ts";
import { byCode } from "./failures.ts";

const RANGES = ["1h", "24h", "7d", "30d"] as const satisfies readonly TrendRange[];
/** As the filter language says it. */
const AGES = { "1h": "1h", "24h": "1d", "7d": "7d", "30d": "30d" } as const;

export const trendsQuery = z.strictObject({
  range: z.enum(RANGES).default("24h"),
  pipeline: text.optional().openapi({ description: "This one alone." }),
});

const counts = z.array(z.int()).openapi({ description: "One for each time in `at`." });

export const trends = z
  .object({
    range: z.enum(RANGES),
    scope: z.enum(["all", "own"]).openapi({ description: "Whose items are counted." }),
    pipeline: z.string().nullable(),
    stepMs: z.int(),
    at: z.array(time).openapi({
      description:
        "When each step begins, oldest first. The first begins a little before the range; the last is not over.",
    }),
    done: counts,
    failed: counts,
    pipelines: z
      .array(z.object({ pipeline: z.string(), done: counts, failed: counts }))
      .openapi({ description: "Those in which anything ended." }),
    causes: z
      .array(
        z.object({
          code: z.string(),
          count: z.int(),
          filter: z
            .string()
            .openapi({ description: "Finds at least those that stand so now, in the filter language." }),
        }),
      )
      .openapi({ description: "Why items failed, the most frequent first; 20 at most." }),
    otherCauses: z.int().openapi({ description: "Failures by codes that are not among these." }),
    week: z
      .object({
        done: z.int(),
        failed: z.int(),
        failureRate: z.number().nullable().openapi({ description: "Of those that ended, from 0 to 1." }),
        took: z
          .object({ meanMs: z.int(), p50Ms: z.int(), p90Ms: z.int() })
          .nullable()
          .openapi({ description: "From submission to completion." }),
        stalls: z.int().nullable().openapi({ description: "Outside jobs that were caught standing still." }),
        breakerOpenings: z.int().nullable(),
        checkpointResumes: z.int().nullable().openapi({ description: "Visits that went on from a checkpoint." }),
      })
      .openapi({
        description: "Of the last seven days, whatever the range. Null to members: nobody knows whose they were.",
      }),
    isMore: z
      .boolean()
      .openapi({ description: "Of a member's items the newest 10,000 were looked at; there are more." }),
  })
  .openapi("Trends");

export function toTrends(told: Trends, pipeline: string | undefined, scope: "all" | "own") {
  const { at, causes, pipelines, done, failed, ...rest } = told;
  return {
    ...rest,
    ...{ scope, pipeline: pipeline ?? null },
    at: at.map((one) => one.toISOString()),
    ...{ done: [...done], failed: [...failed] },
    pipelines: pipelines.map((one) => ({ pipeline: one.pipeline, done: [...one.done], failed: [...one.failed] })),
    causes: causes.map((one) => ({ ...one, filter: filterOf(one.code, told.range, pipeline) })),
  };
}

function filterOf(code: string, range: TrendRange, pipeline: string | undefined): string {
  return termsText([
    ["state", "failed"],
    ["kind", "item"],
    ...byCode(code),
    ["age", AGES[range], "<"],
    ...(pipeline === undefined ? [] : [["pipeline", pipeline] as const]),
  ]);
}
