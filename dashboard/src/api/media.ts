// What the pages of media ask for, and where.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  ClientView,
  IndexerView,
  List,
  MediaReleases,
  MediaRequest,
  MediaSeasons,
  MediaTitle,
  MetadataView,
  ProfileView,
} from "../../../src/server/contract/wire.ts";
import { ask, enc } from "./ask.ts";

const ROOT = "/api/v1/media";

export type MediaKind = MediaTitle["kind"];
/** What is set under a name of its own. */
export type MediaSet = "indexers" | "clients" | "profiles";

export const mediaPaths = {
  requests: `${ROOT}/requests`,
  request: (id: string) => `${ROOT}/requests/${enc(id)}`,
  releases: (item: string) => `${ROOT}/items/${enc(item)}/releases`,
  choose: (item: string) => `${ROOT}/items/${enc(item)}/choose`,
  searchAgain: (item: string) => `${ROOT}/items/${enc(item)}/search`,
  all: (what: MediaSet) => `${ROOT}/${what}`,
  one: (what: MediaSet, name: string) => `${ROOT}/${what}/${enc(name)}`,
  test: (what: MediaSet, name: string) => `${ROOT}/${what}/${enc(name)}/test`,
  metadata: `${ROOT}/metadata`,
  testMetadata: `${ROOT}/metadata/test`,
} as const;

const get =
  <Answer>(path: string) =>
  ({ signal }: { signal: AbortSignal }) =>
    ask<Answer>(path, { signal });

export const mediaQueries = {
  request: (id: string) =>
    queryOptions({ queryKey: ["media", "request", id], queryFn: get<MediaRequest>(mediaPaths.request(id)) }),
  releases: (item: string) =>
    queryOptions({ queryKey: ["media", "releases", item], queryFn: get<MediaReleases>(mediaPaths.releases(item)) }),
  titles: (kind: MediaKind, query: string) =>
    queryOptions({
      queryKey: ["media", "titles", kind, query],
      queryFn: get<List<MediaTitle>>(`${ROOT}/titles?${new URLSearchParams({ query, kind })}`),
      // Why the metadata service cannot be asked is worth more than a wait; it was given its time.
      retry: false,
      staleTime: 60_000,
    }),
  seasons: (tmdb: number) =>
    queryOptions({
      queryKey: ["media", "seasons", String(tmdb)],
      queryFn: get<MediaSeasons>(`${ROOT}/titles/series/${tmdb}`),
      staleTime: 60_000,
    }),
  profiles: () =>
    queryOptions({
      queryKey: ["media", "profiles"],
      queryFn: get<List<ProfileView>>(mediaPaths.all("profiles")),
      placeholderData: keepPreviousData,
    }),
  indexers: () =>
    queryOptions({ queryKey: ["media", "indexers"], queryFn: get<List<IndexerView>>(mediaPaths.all("indexers")) }),
  clients: () =>
    queryOptions({ queryKey: ["media", "clients"], queryFn: get<List<ClientView>>(mediaPaths.all("clients")) }),
  metadata: () => queryOptions({ queryKey: ["media", "metadata"], queryFn: get<MetadataView>(mediaPaths.metadata) }),
};
