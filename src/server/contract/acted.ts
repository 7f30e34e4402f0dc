// What an action answers.

import { z } from "@hono/zod-openapi";
import type { ActionResult } from "../../engine/index.ts";
import { itemId, requestId } from "./common.ts";

/** On every action: nothing is done, the answer says what would be. */
export const dryRun = z
  .object({
    dryRun: z
      .stringbool()
      .default(false)
      .openapi({ type: "boolean", description: "Nothing is done; the answer says what would be." }),
  })
  .strict();

/** As every route reads it, for what stands in front of them. */
export const asksDryRun = (given: string | undefined) => dryRun.safeParse({ dryRun: given }).data?.dryRun === true;

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
    copy: z
      .object({ item: itemId, request: requestId })
      .nullable()
      .openapi({ description: "Of a replay as a copy: what was made." }),
    left: z.boolean().openapi({ description: "Others asked for it too: it goes on for them, and is yours no more." }),
  })
  .openapi("Acted");

export function toActed({ would, copy, left }: Extract<ActionResult, { ok: true }>) {
  return {
    ok: true as const,
    would: would === undefined ? null : { ...would, keeps: [...would.keeps], redoes: [...would.redoes] },
    copy: copy ?? null,
    left: left ?? false,
  };
}
