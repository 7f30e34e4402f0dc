// Every setting there is. The reader, the help, the documentation and the schema for editors are made from this table alone.

import { DOCUMENT_SETTINGS } from "./document-settings.ts";
import type { Values } from "./kinds.ts";
import type { Setting } from "./setting.ts";

/** Those that come with Sluice. */
export const APPS = ["media", "documents"] as const;

const DAY_MS = 86_400_000;
const seconds = (lowest: number, highest: number) => ({ type: "whole", lowest, highest, unit: "s" }) as const;

/** By their place in sluice.yaml. */
export const SETTINGS = {
  apps: {
    env: "APPS",
    flag: "--apps <a,b>",
    kind: { type: "list", of: APPS },
    fallback: [] as readonly string[],
    about: "applications that come with Sluice, beside a module's pipelines",
  },
  "database.url": {
    env: "DATABASE_URL",
    flag: "--database <url|folder>",
    kind: { type: "text" },
    secret: true,
    about: "postgres://… or a folder for a PostgreSQL of its own; unset: ./data",
  },
  "database.pooled": {
    env: "DATABASE_POOLED",
    kind: { type: "yes-no" },
    fallback: false,
    about: "the address leads through a pooler in transaction mode",
  },
  "database.connections": {
    env: "DATABASE_CONNECTIONS",
    kind: { type: "whole", lowest: 2, highest: 1_000 },
    about: "in the pool, at most, and two besides it; unset: 10 for up and server, 5 for a worker",
  },
  "server.host": {
    env: "SERVER_HOST",
    flag: "--host <address>",
    kind: { type: "text" },
    fallback: "127.0.0.1",
    about: "where the server listens; 127.0.0.1 is reached from this machine alone",
  },
  "server.port": {
    env: "SERVER_PORT",
    flag: "--port <number>",
    kind: { type: "whole", lowest: 0, highest: 65_535 },
    fallback: 7470,
    about: "0 takes any that is free",
  },
  "server.hosts": {
    env: "SERVER_HOSTS",
    kind: { type: "list" },
    fallback: [] as readonly string[],
    about: "names it is known by on the internet; addresses and local names need none",
  },
  "server.publicUrl": {
    env: "SERVER_PUBLIC_URL",
    kind: { type: "url" },
    stored: true,
    about: "what people type to reach it, for links in messages; its name needs no entry among the hosts",
  },
  "server.trustedProxies": {
    env: "SERVER_TRUSTED_PROXIES",
    kind: { type: "list" },
    fallback: [] as readonly string[],
    about: "addresses or networks (10.0.0.0/8) whose X-Forwarded-For is believed",
  },
  "server.adminName": {
    env: "SERVER_ADMIN_NAME",
    kind: { type: "text" },
    about: "the first account, made at the first start instead of printing a set-up link",
  },
  "server.adminPassword": {
    env: "SERVER_ADMIN_PASSWORD",
    kind: { type: "text" },
    secret: true,
    about: "its password; of no use once there is an account",
  },
  "server.secretKey": {
    env: "SERVER_SECRET_KEY",
    kind: { type: "text" },
    secret: true,
    about:
      "what stored secrets are encrypted with: 32 bytes as hex or base64, several with the newest first; unset: secret.key in the data folder, made at the first start; of a database elsewhere it has to be set before there can be any",
  },
  "worker.name": {
    env: "WORKER_NAME",
    flag: "--name <name>",
    kind: { type: "text" },
    about: "shown in history; unset: the host's name",
  },
  "worker.concurrency": {
    env: "WORKER_CONCURRENCY",
    flag: "--concurrency <items>",
    kind: { type: "whole", lowest: 1, highest: 100_000, unit: "items" },
    fallback: 100,
    about: "items at a time",
  },
  "worker.stages": {
    env: "WORKER_STAGES",
    flag: "--stages <a,b>",
    kind: { type: "list" },
    fallback: [] as readonly string[],
    about: "works on these stages alone; unset: on all",
  },
  "worker.leaseTtlSec": {
    env: "WORKER_LEASE_TTL_SEC",
    kind: seconds(5, 3_600),
    fallback: 8,
    about: "a silent worker is dead after so long; the same for all workers of a database",
  },
  "worker.graceSec": {
    env: "WORKER_GRACE_SEC",
    kind: seconds(0, 3_600),
    fallback: 30,
    about: "how long to wait for visits when stopping",
  },
  "log.level": {
    env: "LOG_LEVEL",
    flag: "--log-level <level>",
    kind: { type: "choice", of: ["info", "warn", "error", "silent"] },
    fallback: "info",
    stored: true,
    about: "what is not worth less than this is logged",
  },
  "log.format": {
    env: "LOG_FORMAT",
    flag: "--log-format <format>",
    kind: { type: "choice", of: ["json", "pretty"] },
    about: "unset: pretty on a terminal, else json",
  },
  "log.requests": {
    env: "LOG_REQUESTS",
    flag: "--log-requests <which>",
    kind: { type: "choice", of: ["all", "failed"] },
    about: "which requests are logged; unset: on a terminal those that failed, else all",
  },
  "retention.history": {
    env: "RETENTION_HISTORY",
    kind: { type: "duration", shortestMs: 7 * DAY_MS },
    stored: true,
    about: "how long what happened is kept, beyond how it ended; unset: as it was last set, at first 90 d",
  },
  "retention.audit": {
    env: "RETENTION_AUDIT",
    kind: { type: "duration", shortestMs: DAY_MS },
    stored: true,
    about: "how long it is kept who did what; unset: likewise, at first 730 d",
  },
  "retention.signals": {
    env: "RETENTION_SIGNALS",
    kind: { type: "duration", shortestMs: 3_600_000 },
    stored: true,
    about: "how long signals are kept that nobody took; unset: likewise, at first 30 d",
  },
  "media.embedded": {
    env: "MEDIA_EMBEDDED",
    kind: { type: "yes-no" },
    fallback: true,
    about: "sluice up --apps media starts a download client of its own",
  },
  "media.downloads": {
    env: "MEDIA_DOWNLOADS",
    kind: { type: "text" },
    about: "the folder of that client; unset: downloads in the data folder",
  },
  "media.peerHost": {
    env: "MEDIA_PEER_HOST",
    kind: { type: "text" },
    fallback: "0.0.0.0",
    about: "where peers may reach it; 127.0.0.1: nowhere",
  },
  "media.peerPort": {
    env: "MEDIA_PEER_PORT",
    kind: { type: "whole", lowest: 0, highest: 65_535 },
    fallback: 7472,
    about: "with that; to be opened in a router; 0 takes any that is free",
  },
  "media.lan": {
    env: "MEDIA_LAN",
    kind: { type: "yes-no" },
    fallback: false,
    about: "it also calls trackers and peers in networks of one's own",
  },
  "media.encoder": {
    env: "MEDIA_ENCODER",
    kind: { type: "yes-no" },
    fallback: true,
    about: "sluice up --apps media encodes on this machine, too",
  },
  "media.encoderSlots": {
    env: "MEDIA_ENCODER_SLOTS",
    kind: { type: "whole", lowest: 1, highest: 1_000, unit: "films" },
    fallback: 5,
    about: "so many at a time",
  },
  "media.encoderWork": {
    env: "MEDIA_ENCODER_WORK",
    kind: { type: "text" },
    about: "what it needs meanwhile; unset: encoder in the data folder",
  },
  "media.encodes": {
    env: "MEDIA_ENCODES",
    kind: { type: "text" },
    about: "the folder films are encoded to, the same for servers and workers; unset: encodes in the data folder",
  },
  ...DOCUMENT_SETTINGS,
} as const satisfies { readonly [path: string]: Setting };

export type SettingPath = keyof typeof SETTINGS;

type Known<Path extends SettingPath> = (typeof SETTINGS)[Path];

/** The whole configuration, by the same names. */
export type Config = {
  readonly [Path in SettingPath]: Known<Path> extends { readonly fallback: unknown }
    ? Values[Known<Path>["kind"]["type"]]
    : Values[Known<Path>["kind"]["type"]] | undefined;
};

export const PATHS = Object.keys(SETTINGS) as readonly SettingPath[]; // Object.keys forgets the names

export function isPath(path: string): path is SettingPath {
  return Object.hasOwn(SETTINGS, path);
}

export function settingOf(path: SettingPath): Setting {
  return SETTINGS[path];
}
