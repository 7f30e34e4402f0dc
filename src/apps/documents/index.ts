// The documents application: PDFs that become XML behind a conversion gateway.

export { type DocumentOptions, type DocumentsApp, documentsApp, prepareDocumentTables } from "./app.ts";
export { CODES, codeSentence, DOCUMENT_CODES, type DocumentCode, publicCode, toldWords } from "./codes.ts";
export type { Places } from "./files/places.ts";
export { Room } from "./files/room.ts";
export type { FetchOptions } from "./intake/fetch.ts";
export type { Sent, TakenIn, TurnedAway } from "./intake/take-in.ts";
export { type Arrived, arrive, enterAll, fetchAll, isTurnedAway, type Uploaded } from "./intake/upload.ts";
export { backoffOf, DOCUMENT_LIMITS, type DocumentLimits } from "./limits.ts";
export { documentPipelines } from "./pipeline.ts";
export type { DocumentStore } from "./ports.ts";
export { type DocumentGateway, GATEWAY } from "./services.ts";
export { countOpen, dropDocument } from "./store/documents.sql.ts";
export { documentStore } from "./store/store.ts";
export { BUSY, type Busy, busyOf, countsOf } from "./view/about.ts";
export type { DocumentStatus } from "./view/documents.sql.ts";
export {
  type DocumentsWanted,
  listDocuments,
  oneDocument,
  type SeenDocument,
  someDocuments,
} from "./view/documents.ts";
export { type DocumentHappening, happenings } from "./view/events.ts";
export { ARCHIVED_MOST, archiveOf, openResult, previewOf, readableOf } from "./view/results.ts";
