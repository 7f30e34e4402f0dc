// Events on the wire. What each field means is in docs/feed.md.

import { z } from "@hono/zod-openapi";
import { STATUSES } from "../feed/envelope.ts";
import { itemId, requestId, time } from "./common.ts";

const cursor = z.string().max(60).openapi({ example: "1ghk2-p0-4" });

const common = {
  id: cursor.nullable().openapi({ description: "Go on from here. Null for what is told only while it happens." }),
  at: time,
  pipeline: z.string().nullable(),
  version: z.int().nullable(),
  stage: z.string().nullable(),
  entityType: z.string().nullable(),
  entityId: z.string().nullable(),
  reason: z.string().nullable().optional(),
  code: z.string().nullable().optional(),
  message: z.string().nullable().optional(),
  worker: z.string().nullable().optional(),
};

export const jobProgress = z
  .object({
    ...common,
    type: z.literal("job.progress"),
    event: z.string().openapi({ example: "item.done" }),
    jobId: itemId,
    requestId,
    status: z.enum(STATUSES).nullable(),
    from: z.string().nullable().optional(),
    to: z.string().nullable().optional(),
    attempt: z.int().nullable().optional(),
    tookMs: z.int().nullable().optional(),
    progress: z.number().optional(),
    stageProgress: z.number().nullable().optional(),
  })
  .openapi("JobProgress");

const otherEvent = z.object({ ...common, type: z.string() }).openapi("OtherEvent");

export const envelope = z.union([jobProgress, otherEvent]).openapi("Event");

export const eventPage = z
  .object({
    events: z.array(envelope),
    cursor: cursor.openapi({ description: "Go on from here, also when the page is empty." }),
    isEnd: z.boolean().openapi({ description: "Nothing more for now." }),
  })
  .openapi("EventPage");

const subscribeQuery = z.object({
  after: cursor
    .optional()
    .openapi({ description: "The id of the last event that was seen. Without one: from now on." }),
  topics: z
    .string()
    .max(6_000)
    .optional()
    .openapi({ description: "Only about these.", example: "item:itm_0000000000001,pipeline:films" }),
});

export const socketQuery = subscribeQuery;

export const eventsQuery = subscribeQuery.extend({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(200)
    .openapi({ description: "Events a page looks at; it may show fewer, or none, and not be the end." }),
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(30)
    .default(0)
    .openapi({ type: "integer", description: "Seconds to wait for something, where a page would be empty." }),
});
