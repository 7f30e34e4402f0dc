// What a change answers that is about no single item.

import { z } from "@hono/zod-openapi";

export const done = z
  .object({
    ok: z.literal(true),
    would: z
      .string()
      .nullable()
      .openapi({ description: "Of a dry run: what would be done, in a sentence. Else null." }),
  })
  .openapi("Done");

export const DONE = { ok: true as const, would: null };

export const list = <Entry extends z.ZodType>(entry: Entry) => z.object({ entries: z.array(entry) });
