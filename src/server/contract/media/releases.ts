// What was found for a film or an episode, and which of it a person wants, on the wire.

import { z } from "@hono/zod-openapi";
import { type Offered, type Releases, releaseId } from "../../../apps/media/index.ts";
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
    canChoose: z.boolean().openapi({ description: "Whether this account may choose." }),
  })
  .openapi("MediaReleases");

export const mediaChoice = z.strictObject({ release: text.min(1).max(300) });

export type MediaReleases = z.infer<typeof mediaReleases>;

function toRelease(one: Offered) {
  const { title, indexer, bytes, seeders, infohash } = one;
  return { id: releaseId(one), title, indexer, bytes, seeders, infohash };
}

export function toReleases(
  { taken, next, refused, searchedAt }: Releases,
  sentence: string,
  canChoose: boolean,
): MediaReleases {
  return {
    taken: taken === null ? null : toRelease(taken),
    next: next.map(toRelease),
    refused: refused.map(({ code, reason, ...one }) => ({ ...toRelease(one), code, reason })),
    searchedAt: searchedAt?.toISOString() ?? null,
    ...{ sentence, canChoose },
  };
}
