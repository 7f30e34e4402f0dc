// The media application: films and episodes, searched for and downloaded.

export { type MediaApp, type MediaOptions, mediaApp, prepareMediaTables } from "./app.ts";
export { MEDIA_LIMITS, type MediaLimits } from "./limits.ts";
export { mediaPipelines } from "./pipeline.ts";
export type { MediaGiven, MediaStore } from "./ports.ts";
export type { SecretKeeper } from "./secrets.ts";
export { setClient, setIndexer } from "./settings/settings.sql.ts";
export type { DownloadClient } from "./stages/download.ts";
export type { Downloaded } from "./stages/own-file.ts";
export { choiceSignal } from "./stages/search.ts";
export { Setbacks } from "./stages/setbacks.ts";
export { mediaStore } from "./store/store.ts";
export { MEDIA_TABLES } from "./store/tables.sql.ts";
export { type SeriesAsked, seriesAsked, type WantedItem, wanted } from "./wanted.ts";
