// What the pages of documents ask for, and where.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  DocumentAbout,
  DocumentEvent,
  DocumentPreview,
  DocumentShow,
  DocumentView,
  List,
} from "../../../src/server/contract/wire.ts";
import { ask, enc } from "./ask.ts";

const ROOT = "/api/v1/documents";

export type Whose = "me" | "everyone";

export interface DocumentsWanted {
  readonly show: DocumentShow;
  readonly owner: Whose;
  readonly name: string;
}

export const documentPaths = {
  all: ROOT,
  list: ({ show, owner, name }: DocumentsWanted) =>
    `${ROOT}?${new URLSearchParams({ show, owner, ...(name === "" ? {} : { name }), limit: "50" })}`,
  one: (id: string) => `${ROOT}/${enc(id)}`,
  download: (id: string) => `${ROOT}/${enc(id)}/download`,
  retry: (id: string) => `${ROOT}/${enc(id)}/retry`,
  /** Without ids: the newest that are complete. */
  archive: (owner: Whose, ids: readonly string[] = []) =>
    `${ROOT}/archive?${new URLSearchParams({ owner, ...(ids.length === 0 ? {} : { ids: ids.join(",") }) })}`,
} as const;

const get =
  <Answer>(path: string) =>
  ({ signal }: { signal: AbortSignal }) =>
    ask<Answer>(path, { signal });

export const documentQueries = {
  about: () =>
    queryOptions({
      queryKey: ["documents", "about"],
      queryFn: get<DocumentAbout>(`${ROOT}/about`),
      placeholderData: keepPreviousData,
    }),
  one: (id: string) =>
    queryOptions({ queryKey: ["documents", "one", id], queryFn: get<DocumentView>(documentPaths.one(id)) }),
  events: (id: string) =>
    queryOptions({
      queryKey: ["documents", "events", id],
      queryFn: get<List<DocumentEvent>>(`${documentPaths.one(id)}/events`),
    }),
  /** Of this result, which never changes; another has another hash. */
  preview: (id: string, sha256: string) =>
    queryOptions({
      queryKey: ["documents", "preview", id, sha256],
      queryFn: get<DocumentPreview>(`${documentPaths.one(id)}/preview`),
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
