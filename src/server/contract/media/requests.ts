// What somebody asks for, and how that stands, on the wire.

import { z } from "@hono/zod-openapi";
import type { Card, CardDetail, ReadyBy, TargetState } from "../../../apps/media/index.ts";
import { itemId, pageQuery, requestId, tenths, text, time } from "../common.ts";
import { mediaName } from "./settings.ts";
import { mediaKind, poster, toPoster } from "./titles.ts";

const target = z.object({
  name: mediaName.openapi({ description: "A server's." }),
  encoding: text
    .max(100)
    .nullable()
    .optional()
    .openapi({ description: "Unset: as that server is set. Null: as it was found." }),
});

const common = {
  tmdb: z.int().positive(),
  profile: text.max(100).optional().openapi({ description: "A quality profile's name; unset: the standard one." }),
  targets: z.array(target).max(50).default([]).openapi({
    description: "None: the servers that are set for what names none; where there are none, it is only downloaded.",
  }),
  policy: z.enum(["best-effort", "all-or-nothing"]).default("best-effort"),
  priority: z.int().min(1).max(5).optional(),
};

export const mediaAsk = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("film"), ...common }),
    z.strictObject({
      kind: z.literal("series"),
      ...common,
      seasons: z
        .array(z.int().min(0))
        .max(200)
        .optional()
        .openapi({ description: "Neither seasons nor episodes: all but the specials." }),
      episodes: z
        .array(z.object({ season: z.int().min(0), episode: z.int().min(0) }))
        .max(5_000)
        .optional(),
    }),
  ])
  .openapi("MediaAsk");

export const mediaAsked = z
  .object({
    request: requestId.nullable().openapi({ description: "Null of a dry run of something new." }),
    outcome: z.enum(["new", "joined", "there"]).openapi({
      description: "`joined`: somebody had asked for it. `there`: it is completed; replay it to have it anew.",
    }),
    sentence: z.string(),
    would: z.string().nullable().openapi({ description: "Of a dry run: what would be done. Else null." }),
  })
  .openapi("MediaAsked");

const readyBy = z
  .object({ low: time, high: time })
  .nullable()
  .openapi({ description: "When it is likely there, by how long such things took; null where nobody knows." });

/** How a film or an episode stands at one server. */
const mediaTarget = z
  .object({
    server: z.string(),
    encoding: z.string().nullable(),
    state: z.enum(["pending", "delivered", "failed"]),
    progress: z.number().openapi({ description: "Of what is sent, in percent." }),
    code: z.string().nullable().openapi({ description: "Why it failed, or what it waits for." }),
    sentence: z.string().nullable().openapi({ description: "The same in words." }),
    path: z.string().nullable().openapi({ description: "Below the server's root." }),
    bytes: z.number().nullable(),
    sentBytes: z
      .number()
      .nullable()
      .openapi({ description: "Less than all where it went on from a part, or was there." }),
    mediaServer: z
      .object({ ok: z.boolean(), sentence: z.string().nullable() })
      .nullable()
      .openapi({ description: "Whether its media server was told; null where there is none, or it was not yet." }),
    at: time.nullable().openapi({ description: "When it was delivered, or failed." }),
    part: itemId.nullable().openapi({ description: "The item that does it, which can be retried alone." }),
  })
  .openapi("MediaTarget");

/** One film or one episode. */
const mediaItem = z
  .object({
    item: itemId,
    season: z.int().nullable(),
    episode: z.int().nullable(),
    name: z.string().nullable(),
    airs: z.string().nullable(),
    status: z.string().openapi({ example: "DOWNLOADING" }),
    state: z.string(),
    progress: z.number(),
  })
  .openapi("MediaItem");

export const mediaCard = z
  .object({
    request: requestId,
    kind: mediaKind,
    tmdb: z.int(),
    title: z.string(),
    year: z.int().nullable(),
    poster,
    status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "PARTIAL", "FAILED", "CANCELLED"]),
    counts: z.object({
      total: z.int(),
      completed: z.int(),
      partly: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    }),
    progress: z.number(),
    readyBy,
    sentence: z.string().openapi({ description: "What is going on, and what ends it." }),
    owners: z.array(z.string()),
    createdAt: time,
    items: z
      .array(mediaItem)
      .openapi({ description: "Films and episodes in their order, the first 100 of them in a list." }),
  })
  .openapi("MediaRequest");

export const mediaShow = z.enum(["all", "mine", "ready", "waiting", "problems"]);
export const mediaRequestsQuery = pageQuery.extend({ show: mediaShow.default("all") }).strict();

export const mediaRequest = mediaCard
  .extend({
    overview: z.string().nullable(),
    profile: z.string(),
    targets: z.array(z.object({ name: z.string(), encoding: z.string().nullable() })),
    policy: z.enum(["best-effort", "all-or-nothing"]),
    unknown: z.array(z.string()).openapi({
      description: "Of what was asked for, what the metadata service does not know.",
      example: ["season 9"],
    }),
    items: z.array(
      mediaItem.extend({
        sentence: z.string(),
        readyBy,
        targets: z.array(mediaTarget),
      }),
    ),
  })
  .openapi("MediaRequestDetail");

export type MediaAsk = z.infer<typeof mediaAsk>;
export type MediaAsked = z.infer<typeof mediaAsked>;
export type MediaCard = z.infer<typeof mediaCard>;
export type MediaRequest = z.infer<typeof mediaRequest>;
export type MediaTarget = z.infer<typeof mediaTarget>;
export type MediaShow = z.infer<typeof mediaShow>;

const toReadyBy = (by: ReadyBy | null) =>
  by === null ? null : { low: by.low.toISOString(), high: by.high.toISOString() };

export function toCard({ poster: path, readyBy: by, createdAt, counts, owners, items, ...card }: Card): MediaCard {
  const { total, completed, partly, failed, cancelled } = counts;
  return {
    ...card,
    poster: toPoster(path),
    counts: { total, completed, partly, failed, cancelled },
    progress: tenths(card.progress),
    readyBy: toReadyBy(by),
    owners: [...owners],
    createdAt: createdAt.toISOString(),
    items: items.map((item) => ({ ...item, progress: tenths(item.progress) })),
  };
}

export function toMediaRequest({ overview, profile, policy, targets, unknown, ...card }: CardDetail): MediaRequest {
  return {
    ...toCard(card),
    ...{ overview, profile, policy: policy === "all-or-nothing" ? policy : "best-effort" },
    targets: targets.map(({ name, encoding }) => ({ name, encoding })),
    unknown: [...unknown],
    items: card.items.map((item) => ({
      ...item,
      progress: tenths(item.progress),
      readyBy: toReadyBy(item.readyBy),
      targets: item.targets.map(toTarget),
    })),
  };
}

function toTarget({ at, progress, ...target }: TargetState): MediaTarget {
  return { ...target, progress: tenths(progress), at: at?.toISOString() ?? null };
}
