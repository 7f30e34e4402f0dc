// The media application: films and episodes, searched for and downloaded.

export { type MediaApp, type MediaOptions, mediaApp, prepareMediaTables } from "./app.ts";
export type { EmbeddedPlace } from "./clients/clients.ts";
export type { DeliveryServer } from "./clients/servers.ts";
export { type AgentOptions, EncodingAgent } from "./encoding/agent.ts";
export { type EncodeBoard, encodeBoard } from "./encoding/board.ts";
export type { BoardWord, EncoderWord, JobReport, Speaker } from "./encoding/conversation.ts";
export type { Caller } from "./encoding/encoders.sql.ts";
export type { EncoderSeen, JobSeen } from "./encoding/encoders.ts";
export { deskSpeaker, type HttpSpeakerOptions, httpSpeaker } from "./encoding/speakers.ts";
export type { Listing, Offered } from "./found.ts";
export { MEDIA_LIMITS, type MediaLimits } from "./limits.ts";
export { mediaPipelines } from "./pipeline.ts";
export type { MediaGiven, MediaStore } from "./ports.ts";
export { chooseRelease, searchAgain } from "./releases-view/choose.ts";
export { type Releases, releaseId, releasesOf, releasesSentence } from "./releases-view/releases.ts";
export { type AskAnswer, type AskPorts, ask } from "./requests/ask.ts";
export type { Asked, AskOutcome } from "./requests/asked.ts";
export { type Card, type CardDetail, listCards, type ReadyBy, readCard } from "./requests/cards.ts";
export type { TargetState } from "./requests/target-states.ts";
export type { SecretKeeper } from "./secrets.ts";
export { encodings, removeEncoding, type SetEncoding, saveEncoding } from "./settings/encodings.ts";
export { profileNamed, profiles, removeProfile, saveProfile } from "./settings/profiles.ts";
export { type ServerRow, setServer } from "./settings/servers.sql.ts";
export {
  type ClientRow,
  type IndexerRow,
  type MetadataRow,
  setClient,
  setEmbeddedOnce,
  setIndexer,
} from "./settings/settings.sql.ts";
export type { DownloadClient } from "./stages/download.ts";
export type { Downloaded } from "./stages/own-file.ts";
export { Setbacks } from "./stages/setbacks.ts";
export { mediaStore } from "./store/store.ts";
export { MEDIA_TABLES } from "./store/tables.sql.ts";
export { Posters } from "./titles/posters.ts";
export { type SeenSeries, type SeenTitle, searchTitles, seriesSeasons } from "./titles/search-titles.ts";
export type { Tested } from "./trial/steps.ts";
export { type SeriesAsked, seriesAsked, type WantedItem, wanted } from "./wanted.ts";
