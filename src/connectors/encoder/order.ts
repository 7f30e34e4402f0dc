// An order, before anything comes of it.

import { isAbsolute } from "node:path";
import { z } from "zod";
import { InputError } from "../../kit/index.ts";
import type { EncodeOrder } from "./encoder.ts";
import { encodingProfile } from "./profile.ts";

const LONGEST_PATH = 4_000;

const path = z.string().max(LONGEST_PATH).refine(isPath, "a path is absolute, and without a zero byte");
const order = z.object({
  key: z
    .string()
    .min(1, "a key is some text")
    .refine((key) => key.isWellFormed(), "a key is some text"),
  input: path,
  output: path,
  profile: encodingProfile,
});

export function checkedOrder(asked: EncodeOrder): EncodeOrder {
  const read = order.safeParse(asked);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new InputError(issue?.path.join(".") ?? "order", issue?.message ?? "this is no order for an encoder");
  }
  if (read.data.input === read.data.output) throw new InputError("output", "a film is not encoded over itself");
  return read.data;
}

export function isPath(text: string): boolean {
  return isAbsolute(text) && !text.includes("\0");
}
