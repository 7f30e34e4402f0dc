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

/** Does it, or says what it would do. */
export async function doUnless(
  isDry: boolean,
  would: string | (() => Promise<string>),
  act: () => Promise<unknown>,
): Promise<z.infer<typeof done>> {
  if (isDry) return { ok: true as const, would: typeof would === "string" ? would : await would() };
  await act();
  return DONE;
}

export const list = <Entry extends z.ZodType>(entry: Entry) => z.object({ entries: z.array(entry) });
