// Indexers, download clients, the metadata service and quality profiles, on the wire. Secrets go in and never come out.

import { z } from "@hono/zod-openapi";
import type { ClientRow, IndexerRow, MetadataRow, Tested } from "../../../apps/media/index.ts";
import { text } from "../common.ts";

export const mediaName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, . _ and -, 63 at most");
export const mediaNameParam = z.object({ name: mediaName });

export const address = z.url({ protocol: /^https?$/ }).max(500);
const priority = z.int().min(1).max(50).default(25).openapi({ description: "Lower is preferred among equals." });
/** Left out of a change it stays as it is; null takes it away. */
export const secret = text.min(1).max(500).nullable().optional();

export const indexerSetting = z.strictObject({
  url: address,
  apiKey: secret,
  categories: z.array(z.int().min(0).max(999_999)).max(50).default([]),
  links: z.enum(["public", "lan"]).default("public"),
  priority,
  isOn: z.boolean().default(true),
});

export const indexerView = z
  .object({
    name: z.string(),
    url: z.string(),
    hasKey: z.boolean(),
    categories: z.array(z.int()),
    links: z.enum(["public", "lan"]),
    priority: z.int(),
    isOn: z.boolean(),
    service: z.string().openapi({ description: "As it is called among the services." }),
  })
  .openapi("MediaIndexer");

export function toIndexerView({ has_key: hasKey, is_on: isOn, ...row }: IndexerRow) {
  return { ...row, categories: [...row.categories], hasKey, isOn, service: `indexer:${row.name}` };
}

const pathMapping = z.object({
  theirs: text.min(1).openapi({ description: "A folder as the client sees it." }),
  ours: text.min(1).openapi({ description: "The same folder as we see it." }),
});

export const clientKind = z.enum(["qbittorrent", "embedded"]);

export const clientSetting = z.strictObject({
  kind: clientKind,
  url: address
    .nullable()
    .default(null)
    .openapi({ description: "Null: the embedded client that runs with this server." }),
  username: text.max(200).nullable().default(null),
  password: secret,
  folder: text.min(1).nullable().default(null).openapi({ description: "Where to, as the client sees its disk." }),
  paths: z.array(pathMapping).max(50).default([]),
  priority,
  isOn: z.boolean().default(true),
});

export const clientView = z
  .object({
    name: z.string(),
    kind: clientKind,
    url: z.string().nullable(),
    username: z.string().nullable(),
    hasPassword: z.boolean(),
    folder: z.string().nullable(),
    paths: z.array(pathMapping),
    priority: z.int(),
    isOn: z.boolean(),
    service: z.string(),
  })
  .openapi("MediaClient");

export function toClientView({ has_password: hasPassword, is_on: isOn, ...row }: ClientRow) {
  return { ...row, paths: [...row.paths], hasPassword, isOn, service: `torrents:${row.name}` };
}

export const metadataSetting = z.strictObject({
  key: secret,
  language: z
    .string()
    .regex(/^[a-z]{2}(-[A-Z]{2})?$/)
    .nullable()
    .default(null),
  url: address.nullable().default(null).openapi({ description: "Null: TMDB's own." }),
});

export const metadataView = z
  .object({ hasKey: z.boolean(), language: z.string().nullable(), url: z.string().nullable(), service: z.string() })
  .openapi("MediaMetadata");

export function toMetadataView({ has_key: hasKey, ...row }: MetadataRow) {
  return { ...row, hasKey, service: "metadata" };
}

/** What was tried, step by step, as far as it came. */
export const mediaTested = z
  .object({
    ok: z.boolean(),
    steps: z.array(
      z.object({
        tried: z.string().openapi({ example: "signed in as admin" }),
        ok: z.boolean(),
        found: z.string().openapi({ example: "qBittorrent 4.5.2" }),
        code: z.string().nullable(),
      }),
    ),
    would: z.string().nullable(),
  })
  .openapi("MediaTested");

/** Of a dry run nothing was tried. */
export function toTested(tested: Tested = { ok: true, steps: [] }, would: string | null = null) {
  return { ok: tested.ok, steps: [...tested.steps], would };
}

const words = z.array(z.string());
export const profileView = z
  .object({
    name: z.string(),
    resolutions: words,
    sources: words,
    codecs: words,
    minMbPerMinute: z.number(),
    preferredMbPerMinute: z.number(),
    maxMbPerMinute: z.number(),
    minMb: z.number(),
    maxMb: z.number(),
    bannedGroups: words,
    requiredWords: words,
    forbiddenWords: words,
    languages: words,
    minimumSeeders: z.int(),
    preferPropers: z.boolean(),
  })
  .openapi("MediaProfile");
/** What is left out is as in the standard one; what is wrong is said by the field. */
export const profileSetting = profileView.omit({ name: true }).partial().strict();

export type IndexerSetting = z.infer<typeof indexerSetting>;
export type IndexerView = z.infer<typeof indexerView>;
export type ClientSetting = z.infer<typeof clientSetting>;
export type ClientView = z.infer<typeof clientView>;
export type MetadataSetting = z.infer<typeof metadataSetting>;
export type MetadataView = z.infer<typeof metadataView>;
export type MediaTested = z.infer<typeof mediaTested>;
export type ProfileView = z.infer<typeof profileView>;
