// What was found for a film or an episode, and which of it a person wants, on the wire.

import { z } from "@hono/zod-openapi";
import { text, time } from "../common.ts";

const release = z
  .object({
    id: z.string().openapi({ description: "By which it is chosen." }),
    title: z.string(),
    indexer: z.string(),
    bytes: z.number().nullable(),
    seeders: z.int().nullable(),
    infohash: z.string().nullable(),
  })
  .openapi("MediaRelease");

export const mediaReleases = z
  .object({
    taken: release.nullable().openapi({ description: "The one that is being downloaded, or was." }),
    next: z.array(release).openapi({ description: "What is tried after it, the best first." }),
    refused: z.array(
      release.extend({
        code: z.string(),
        reason: z.string().openapi({ description: "Why it is not taken by itself, in words." }),
      }),
    ),
    searchedAt: time.nullable(),
    sentence: z.string().openapi({ description: "How the search stands: when it is searched again, and why not now." }),
    canChoose: z
      .boolean()
      .openapi({ description: "Whether this account may choose, and the item is not delivered yet." }),
  })
  .openapi("MediaReleases");

export const mediaChoice = z.strictObject({ release: text.min(1).max(300) });

export type MediaReleases = z.infer<typeof mediaReleases>;
