// Films and series as the metadata service knows them, on the wire.

import { z } from "@hono/zod-openapi";
import type { SeenSeries, SeenTitle } from "../../../apps/media/index.ts";
import { requestId, text } from "../common.ts";

export const mediaKind = z.enum(["film", "series"]);
export const tmdbId = z.coerce.number().int().positive().max(2_147_483_647).openapi({ example: 603 });

export const poster = z
  .string()
  .nullable()
  .openapi({ description: "Where its picture is on this server.", example: "/api/v1/media/posters/abc.jpg" });

/** As the metadata service calls it: "/abc.jpg". */
export const toPoster = (path: string | null): string | null => (path === null ? null : `/api/v1/media/posters${path}`);

export const titleParam = z.object({ tmdb: tmdbId });
export const posterParam = z.object({
  file: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9_-]+\.(jpg|jpeg|png|webp)$/, "a picture's name, as in abc.jpg")
    .openapi({ example: "abc.jpg" }),
});

export const mediaTitle = z
  .object({
    kind: mediaKind,
    tmdb: z.int(),
    title: z.string(),
    year: z.int().nullable(),
    overview: z.string().nullable(),
    poster,
    request: z
      .object({ id: requestId, status: z.string() })
      .nullable()
      .openapi({ description: "The newest request for it that this account may see." }),
  })
  .openapi("MediaTitle");

export const titlesQuery = z.object({ query: text.min(1).max(200), kind: mediaKind.default("film") }).strict();

export const mediaSeasons = mediaTitle
  .extend({
    seasons: z.array(
      z.object({
        season: z.int(),
        episodes: z.int().openapi({ description: "How many it has." }),
        airs: z.string().nullable().openapi({ description: "The day of its first episode." }),
      }),
    ),
  })
  .openapi("MediaSeries");

export type MediaTitle = z.infer<typeof mediaTitle>;
export type MediaSeasons = z.infer<typeof mediaSeasons>;

export function toTitle({ poster: path, ...title }: SeenTitle): MediaTitle {
  return { ...title, poster: toPoster(path) };
}

export function toSeasons({ seasons, ...series }: SeenSeries): MediaSeasons {
  return { ...toTitle(series), seasons: [...seasons] };
}
