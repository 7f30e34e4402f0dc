// What is handed in for a document. The file itself lies among the sources, by its hash.

import { z } from "zod";

export const MAPPING = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const SHA256 = /^[0-9a-f]{64}$/;

export const document = z.object({
  /** As its owner calls it; shown, and never a path. */
  name: z.string().min(1).max(300),
  mapping: z.string().regex(MAPPING),
  bytes: z.int().positive(),
  sha256: z.string().regex(SHA256),
});

export type Document = z.infer<typeof document>;
