// Handing in work.

import { z } from "@hono/zod-openapi";
import { ACCOUNT_NAME, NAME_RULE } from "../access/principal.ts";
import { itemId, requestId, text } from "./common.ts";

export const duration = z.union([z.number().min(0), z.string().max(64)]).openapi({ example: "6h" });

export const submitBody = z
  .strictObject({
    pipeline: text.min(1).max(200),
    version: z.int().min(1).max(1_000_000).optional().openapi({ description: "Without it the rollout decides." }),
    inputs: z.array(z.unknown()).min(1).max(10_000).openapi({ description: "One for each item." }),
    key: text.min(1).max(512).optional().openapi({ description: "Makes it unique within its pipeline." }),
    unique: z.union([z.enum(["live", "forever"]), z.strictObject({ window: duration })]).optional(),
    onConflict: z
      .enum(["join", "replace", "reschedule"])
      .optional()
      .openapi({ description: "When the key is taken. For members: join." }),
    owner: z
      .string()
      .regex(ACCOUNT_NAME, NAME_RULE)
      .optional()
      .openapi({ description: "For admins: somebody else's." }),
    priority: z.int().min(1).max(5).optional(),
    delay: duration.optional(),
    deadline: duration.optional(),
    fairness: text.min(1).max(256).optional(),
    trace: z.string().max(100).optional().openapi({ description: "A W3C traceparent." }),
  })
  .openapi("Submission");

export const submitted = z
  .object({
    request: requestId.nullable().openapi({ description: "Null for a dry run." }),
    items: z.array(itemId),
    joined: z.boolean().openapi({ description: "The same was asked for already, and this joined it, or would." }),
    would: z.object({ version: z.int(), items: z.int() }).nullable().openapi({ description: "Of a dry run." }),
  })
  .openapi("Submitted");
