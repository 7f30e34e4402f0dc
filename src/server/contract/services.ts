// Services and workers on the wire.

import { z } from "@hono/zod-openapi";
import type { ServiceDetail, ServiceState, WorkerState } from "../../engine/index.ts";
import { itemId, time } from "./common.ts";

export const serviceState = z
  .object({
    name: z.string(),
    state: z.enum(["well", "down", "ramping", "busy"]).openapi({
      description:
        "`down`: only probed. `ramping`: it has just come back. `busy`: it asked to be left alone for a while.",
    }),
    since: time,
    until: time.nullable().openapi({ description: "When it is looked at, or called, again." }),
    capacity: z.int().nullable(),
    ramp: z.int().nullable().openapi({
      description: "While it is `ramping`: how many it is given at a time. Doubles as calls succeed.",
    }),
    limit: z.object({ count: z.int(), perMs: z.int() }).nullable(),
    behind: z.int().openapi({
      description: "Items that stand in line for it, to members their own; counted up to 10,000 for each stage.",
    }),
    error: z
      .object({ code: z.string(), message: z.string().nullable() })
      .nullable()
      .openapi({ description: "What it last said; null for members, because it may tell of others' items." }),
  })
  .openapi("Service");

/** `tellsAll`: to whoever may see everybody's items. */
export function toService(service: ServiceState, behind: number, tellsAll: boolean) {
  const { name, state, since, until, code, message, capacity, ramp, limit } = service;
  return {
    ...{ name, state, capacity, ramp, limit, behind },
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    error: tellsAll && code !== null ? { code, message } : null,
  };
}

export const serviceDetail = serviceState
  .extend({
    errors: z
      .array(
        z.object({
          at: time,
          item: itemId,
          pipeline: z.string(),
          stage: z.string(),
          code: z.string(),
          message: z.string().nullable(),
        }),
      )
      .openapi({
        description:
          "Faults that items met lately in stages that go through it, newest first; 20 at most. None for members.",
      }),
    turns: z
      .array(
        z.object({
          at: time,
          turned: z.enum(["opened", "closed"]),
          code: z.string().nullable().openapi({ description: "Why it opened; null for members." }),
          message: z.string().nullable(),
          openMs: z.int().nullable().openapi({ description: "Of one that closed: how long it was open." }),
        }),
      )
      .openapi({ description: "When its breaker opened and closed within a week, newest first; 50 at most." }),
    affects: z
      .array(
        z.object({
          pipeline: z.string(),
          version: z.int(),
          stage: z.string(),
          waiting: z.int(),
          running: z.int(),
        }),
      )
      .openapi({ description: "The stages whose work goes through it, and who stands there." }),
    calls: z
      .object({ p50Ms: z.number(), p90Ms: z.number(), samples: z.int() })
      .nullable()
      .openapi({ description: "How long its calls took, since the installation began; null for members." }),
  })
  .openapi("ServiceDetail");

export function toServiceDetail(service: ServiceDetail, behind: number, tellsAll: boolean) {
  const { errors, turns, affects, calls } = service;
  return {
    ...toService(service, behind, tellsAll),
    errors: tellsAll ? errors.map((one) => ({ ...one, at: one.at.toISOString() })) : [],
    turns: turns.map((one) => ({
      ...one,
      at: one.at.toISOString(),
      code: tellsAll ? one.code : null,
      message: tellsAll ? one.message : null,
    })),
    affects: affects.map((one) => ({ ...one })),
    calls: tellsAll ? calls : null,
  };
}

export const serviceTested = z
  .object({
    ok: z.boolean().openapi({ description: "It answered." }),
    would: z.string().nullable().openapi({ description: "Of a dry run: what would be called. Else null." }),
    code: z.string().nullable().openapi({ description: "What went wrong, where something did." }),
    message: z.string().nullable(),
    tookMs: z.int(),
  })
  .openapi("ServiceTested");

export const workerState = z
  .object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    pid: z.int().nullable().openapi({ description: "Null for all but admins." }),
    state: z.enum(["alive", "late", "left", "dead"]).openapi({
      description:
        "`late`: not heard of for a few beats. `left`: stopped in order. `dead`: others took over its items.",
    }),
    since: time,
    endedAt: time.nullable(),
    lastBeat: time.nullable().openapi({ description: "Null before its first." }),
    pipelines: z.array(z.object({ name: z.string(), version: z.int() })),
    services: z.array(z.string()),
    stages: z
      .array(z.string())
      .nullable()
      .openapi({ description: "The stages it serves, in all its pipelines; null for all of them." }),
    items: z.int().nullable().openapi({ description: "How many it has in its hands; null for members." }),
  })
  .openapi("Worker");

/** Which process it is helps those who run it, and whoever looks for a way in. */
export function toWorker(state: WorkerState, tells: { readonly process: boolean; readonly items: boolean }) {
  const { items, since, endedAt, lastBeat, pipelines, services, stages, host, pid, ...worker } = state;
  return {
    ...worker,
    // Its name; what follows, of the boot and the namespaces, is for other workers.
    host: host.split(" ", 1).join(),
    pid: tells.process ? pid : null,
    items: tells.items ? items : null,
    since: since.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    lastBeat: lastBeat?.toISOString() ?? null,
    pipelines: pipelines.map(({ name, version }) => ({ name, version })),
    services: [...services],
    stages: stages === null ? null : [...stages],
  };
}
