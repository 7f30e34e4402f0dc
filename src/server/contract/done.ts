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

/** One that code or a limit keeps short, and so is whole; told like a page, so that whoever reads pages reads it too. */
export const list = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ entries: z.array(entry), next: z.null().openapi({ description: "This is all of it." }) });

export const whole = <Entry>(entries: Entry[]) => ({ entries, next: null });
