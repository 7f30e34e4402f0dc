// Documents as the application has them → as they are told.

import type { Busy, DocumentHappening, SeenDocument } from "../../../apps/documents/index.ts";
import { tenths } from "../common.ts";
import type { DocumentEvent, DocumentView } from "./documents.ts";

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export function toDocument(document: SeenDocument): DocumentView {
  const { result, source, error } = document;
  return {
    ...document,
    progress: tenths(document.progress),
    lastAttemptAt: iso(document.lastAttemptAt),
    retryAfter: iso(document.retryAfter),
    createdAt: document.createdAt.toISOString(),
    queuedAt: document.queuedAt.toISOString(),
    startedAt: iso(document.startedAt),
    finishedAt: iso(document.finishedAt),
    error: error === null ? null : { ...error },
    result: result === null ? null : { ...result, expiresAt: iso(result.expiresAt) },
    expiredAt: iso(document.expiredAt),
    source: { isThere: source.isThere, goneAt: iso(source.goneAt) },
  };
}

export function toDocumentEvent({ type, at, meta: { retryAfter, ...meta } }: DocumentHappening): DocumentEvent {
  return {
    type,
    at: at.toISOString(),
    meta: { ...meta, ...(retryAfter === undefined ? {} : { retryAfter: retryAfter.toISOString() }) },
  };
}

export function toBusy({ banner, busySince, nextCheckAt }: Busy) {
  return { banner, busySince: iso(busySince), nextCheckAt: iso(nextCheckAt) };
}
