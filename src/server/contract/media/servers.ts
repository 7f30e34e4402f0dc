// Servers that films and episodes are delivered to, on the wire. Secrets go in and never come out.

import { z } from "@hono/zod-openapi";
import type { ServerRow } from "../../../apps/media/index.ts";
import { text } from "../common.ts";
import { address, secret } from "./settings.ts";

const kind = z.enum(["folder", "sftp"]);
const mediaServerKind = z.enum(["jellyfin", "emby", "plex"]);
const folder = text.max(255);

const mediaServerSetting = z.strictObject({
  kind: mediaServerKind,
  url: address,
  key: secret,
  root: text
    .min(1)
    .openapi({ description: "The server's root, as the media server sees its disk.", example: "/media" }),
});

export const serverSetting = z.strictObject({
  kind,
  host: text.max(253).nullable().default(null).openapi({ description: "Null of a folder." }),
  port: z.int().min(1).max(65_535).default(22),
  username: text.max(200).nullable().default(null),
  password: secret,
  privateKey: z
    .string()
    .min(1)
    .max(20_000)
    .refine((value) => !value.includes("\0"), "has a character that cannot be stored")
    .nullable()
    .optional()
    .openapi({ description: "As OpenSSH writes it, without a passphrase. Instead of a password." }),
  root: text.min(1).openapi({ description: "A folder that is there.", example: "/srv/media" }),
  films: folder.default("Films").openapi({ description: "Below root; empty for root itself." }),
  series: folder.default("Series"),
  bytesPerSecond: z.int().min(16_384).max(1e12).nullable().default(null),
  encoding: text
    .max(100)
    .nullable()
    .default(null)
    .openapi({ description: "Of a target that names none; null: as it was found." }),
  isDefault: z.boolean().default(false).openapi({ description: "Whether what names no target is delivered here." }),
  mediaServer: mediaServerSetting.nullable().default(null),
});

export const serverView = z
  .object({
    name: z.string(),
    kind,
    host: z.string().nullable(),
    port: z.int(),
    username: z.string().nullable(),
    hasPassword: z.boolean(),
    hasPrivateKey: z.boolean(),
    hostKey: z.string().nullable().openapi({
      description: "Remembered from the first visit; another one is refused until this is forgotten.",
      example: "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
    }),
    root: z.string(),
    films: z.string(),
    series: z.string(),
    bytesPerSecond: z.number().nullable(),
    encoding: z.string().nullable(),
    isDefault: z.boolean(),
    mediaServer: z.object({ kind: mediaServerKind, url: z.string(), hasKey: z.boolean(), root: z.string() }).nullable(),
    service: z.string().openapi({ description: "As it is called among the services." }),
  })
  .openapi("MediaServer");

export type ServerSetting = z.infer<typeof serverSetting>;
export type ServerView = z.infer<typeof serverView>;

export function toServerView(row: ServerRow): ServerView {
  const { name, kind: of, host, port, username, root, films, series, encoding } = row;
  const { media_kind, media_url, media_root, has_media_key: hasKey } = row;
  return {
    ...{ name, kind: of, host, port, username, root, films, series, encoding },
    ...{ hasPassword: row.has_password, hasPrivateKey: row.has_private_key, hostKey: row.host_key },
    ...{ bytesPerSecond: row.bytes_per_second, isDefault: row.is_default, service: `server:${name}` },
    mediaServer:
      media_kind === null || media_url === null
        ? null
        : { kind: media_kind, url: media_url, hasKey, root: media_root ?? "" },
  };
}
