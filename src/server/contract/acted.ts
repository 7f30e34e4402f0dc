// What an action answers.

import { z } from "@hono/zod-openapi";
import { type ActionResult, SluiceError } from "../../engine/index.ts";

/** On every action: nothing is done, the answer says what would be. */
export const dryRun = z.object({
  dryRun: z
    .stringbool()
    .default(false)
    .openapi({ type: "boolean", description: "Nothing is done; the answer says what would be." }),
});

export const acted = z
  .object({
    ok: z.literal(true),
    would: z
      .object({
        items: z.int(),
        stage: z.string().nullable(),
        keeps: z.array(z.string()),
        redoes: z.array(z.string()),
      })
      .nullable()
      .openapi({ description: "Of a dry run: what would be done. Else null." }),
  })
  .openapi("Acted");

/** Throws what a refusal is told as: 409, with the sentence. */
export function toActed(result: ActionResult) {
  if (!result.ok) throw new SluiceError("REFUSED", result.reason);
  const { would } = result;
  if (would === undefined) return { ok: true as const, would: null };
  return { ok: true as const, would: { ...would, keeps: [...would.keeps], redoes: [...would.redoes] } };
}
