// The media application: films and episodes, searched for and downloaded.

export { MEDIA_LIMITS, type MediaLimits } from "./limits.ts";
export { mediaPipelines } from "./pipeline.ts";
export type { MediaGiven, MediaStore } from "./ports.ts";
export type { DownloadClient } from "./stages/download.ts";
export type { Downloaded } from "./stages/own-file.ts";
export { choiceSignal } from "./stages/search.ts";
export { Setbacks } from "./stages/setbacks.ts";
export { setClient, setIndexer } from "./store/settings.sql.ts";
export { mediaStore } from "./store/store.ts";
export { MEDIA_TABLES } from "./store/tables.sql.ts";
export { type SeriesAsked, seriesAsked, type WantedItem, wanted } from "./wanted.ts";
