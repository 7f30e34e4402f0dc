// The connectors, and the kit to write others: everything that is imported from "sluice/connectors".

export * from "./destinations/index.ts";
export * from "./encoder/index.ts";
export * from "./gateway/index.ts";
export * from "./http-job/index.ts";
export * from "./kit/index.ts";
export * from "./media-servers/index.ts";
export * from "./tmdb/index.ts";
export * from "./torrents/index.ts";
export * from "./torznab/index.ts";
export * from "./video/index.ts";
