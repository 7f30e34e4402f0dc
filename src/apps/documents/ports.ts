// What the stages of documents are given.

import type { ItemId, Service } from "../../engine/index.ts";
import type { FileKind, Places } from "./files/places.ts";
import type { DocumentLimits } from "./limits.ts";
import type { DocumentGateway } from "./services.ts";

import type { SourceRow } from "./store/documents.sql.ts";

export interface DocumentGiven {
  readonly store: DocumentStore;
  readonly places: Places;
  /** Names for files that are being written. */
  readonly newName: () => string;
}

export interface DocumentPorts extends DocumentGiven {
  readonly limits: DocumentLimits;
  readonly gateway: Service<DocumentGateway>;
}

export interface DocumentStore {
  /** By the database's clock. */
  now(): Promise<Date>;
  /** Undefined for an item that was never uploaded. */
  source(item: ItemId): Promise<SourceRow | undefined>;
  /** From now on it is not swept for a while. */
  touchResult(sha256: string, bytes: number): Promise<void>;
  expireSources(keepMs: number, most: number): Promise<number>;
  /** Those whose results went. */
  expireResults(keepMs: number, most: number): Promise<number>;
  /** Files that nothing refers to, oldest first; `remove` is called before it is forgotten that they are there. */
  forgetFiles(kind: FileKind, most: number, remove: (sha256: string) => Promise<void>): Promise<number>;
}
