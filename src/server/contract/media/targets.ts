// What may be known of servers by whoever asks for something: what they are called, and what they get where nothing is said.

import { z } from "@hono/zod-openapi";
import type { ServerRow } from "../../../apps/media/index.ts";

export const targetChoice = z
  .object({
    name: z.string(),
    encoding: z.string().nullable().openapi({ description: "Where nothing is said; null: as it was found." }),
    isDefault: z.boolean().openapi({ description: "Whether what names no target is delivered here." }),
  })
  .openapi("MediaTargetChoice");

export type TargetChoice = z.infer<typeof targetChoice>;

export function toTargetChoice({ name, encoding, is_default: isDefault }: ServerRow): TargetChoice {
  return { name, encoding, isDefault };
}
