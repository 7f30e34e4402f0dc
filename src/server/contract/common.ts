// Shapes that many routes share.

import { z } from "@hono/zod-openapi";
import { FILTER_LENGTH } from "../filter/parse.ts";

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ example: "NOT_FOUND" }),
    detail: z.string().openapi({ description: "A sentence for people." }),
    requestId: z.string(),
    field: z.string().optional(),
    retryAfter: z.int().optional().openapi({ description: "Seconds." }),
    instead: z.array(z.string()).optional().openapi({ description: "What would work instead." }),
    actions: z
      .array(z.string())
      .optional()
      .openapi({ description: "Of an action that is refused: those that are possible." }),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    at: z.int().optional().openapi({ description: "Of a filter: where the word stands that is wrong." }),
    word: z.string().optional(),
  })
  .openapi("Problem");

/** As the database takes it: without NUL. */
export const text = z
  .string()
  .max(1_000)
  .refine((value) => !value.includes("\0"), "has a character that cannot be stored");

export const time = z.iso.datetime().openapi({ example: "2026-11-16T06:00:00.000Z" });

/** A tenth is all that anybody sees; never rounded up to what is done. */
export const tenths = (percent: number): number => Math.floor(percent * 10) / 10;

export const itemId = z.string().openapi({ example: "itm_0000000000001" });
export const requestId = z.string().openapi({ example: "req_0000000000001" });

export const pageQuery = z.object({
  after: text.optional().openapi({ description: "The `next` of the page before." }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** A list's question: a page of what a filter finds, and nothing else that would be taken no notice of. */
export const listQuery = (example: string) =>
  pageQuery
    .extend({
      filter: z.string().max(FILTER_LENGTH).default("").openapi({ description: "In the filter language.", example }),
    })
    .strict();

export const page = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    entries: z.array(entry),
    next: z.string().nullable().openapi({
      description: "Where the next page goes on. A page may be short, or empty, and still have a next one.",
    }),
  });

/** Asked for by a whole id, one without its zeros, or the beginning of one. */
export const itemParam = z.object({ item: z.string().max(40).openapi({ example: "itm_0000000000001" }) });
export const requestParam = z.object({ request: z.string().max(40).openapi({ example: "req_0000000000001" }) });

export const jsonBody = <Schema extends z.ZodType>(schema: Schema, required = true) => ({
  body: { required, content: { "application/json": { schema } } },
});

export const answers = <Body extends z.ZodType>(description: string, body: Body) => ({
  200: { description, content: { "application/json": { schema: body } } },
  default: { description: "What went wrong", content: { "application/problem+json": { schema: problem } } },
});
