// What the pages of media ask for, and where.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  ClientView,
  EncodeJobView,
  EncoderView,
  EncodingView,
  IndexerView,
  List,
  MediaReleases,
  MediaRequest,
  MediaSeasons,
  MediaTitle,
  MetadataView,
  ProfileView,
  ServerView,
  TargetChoice,
} from "../../../src/server/contract/wire.ts";
import { ask, enc } from "./ask.ts";

const ROOT = "/api/v1/media";

export type MediaKind = MediaTitle["kind"];
/** What is set under a name of its own. */
export type MediaSet = "indexers" | "clients" | "profiles" | "servers" | "encodings" | "encoders";

export const mediaPaths = {
  requests: `${ROOT}/requests`,
  request: (id: string) => `${ROOT}/requests/${enc(id)}`,
  releases: (item: string) => `${ROOT}/items/${enc(item)}/releases`,
  choose: (item: string) => `${ROOT}/items/${enc(item)}/choose`,
  searchAgain: (item: string) => `${ROOT}/items/${enc(item)}/search`,
  all: (what: MediaSet) => `${ROOT}/${what}`,
  one: (what: MediaSet, name: string) => `${ROOT}/${what}/${enc(name)}`,
  test: (what: MediaSet, name: string) => `${ROOT}/${what}/${enc(name)}/test`,
  hostKey: (server: string) => `${ROOT}/servers/${enc(server)}/host-key`,
  encodes: (item: string) => `${ROOT}/items/${enc(item)}/encodes`,
  targets: `${ROOT}/targets`,
  metadata: `${ROOT}/metadata`,
  testMetadata: `${ROOT}/metadata/test`,
} as const;

/** A test gives up by itself after half a minute, and says what it came to until then. */
export const TEST_MS = 40_000;

const get =
  <Answer>(path: string) =>
  ({ signal }: { signal: AbortSignal }) =>
    ask<Answer>(path, { signal });

/** How encoders fare is told by no event: it is asked for while somebody looks. */
const LIVE_MS = 3_000;
const isOpen = ({ state }: EncodeJobView) => state === "waiting" || state === "running";

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
  servers: () =>
    queryOptions({ queryKey: ["media", "servers"], queryFn: get<List<ServerView>>(mediaPaths.all("servers")) }),
  encodings: () =>
    queryOptions({ queryKey: ["media", "encodings"], queryFn: get<List<EncodingView>>(mediaPaths.all("encodings")) }),
  encoders: () =>
    queryOptions({
      queryKey: ["media", "encoders"],
      queryFn: get<List<EncoderView>>(mediaPaths.all("encoders")),
      refetchInterval: LIVE_MS,
    }),
  encodes: (item: string) =>
    queryOptions({
      queryKey: ["media", "encodes", item],
      queryFn: get<List<EncodeJobView>>(mediaPaths.encodes(item)),
      refetchInterval: ({ state }) => (state.data?.entries.some(isOpen) === true ? LIVE_MS : false),
    }),
  targets: () => queryOptions({ queryKey: ["media", "targets"], queryFn: get<List<TargetChoice>>(mediaPaths.targets) }),
  metadata: () => queryOptions({ queryKey: ["media", "metadata"], queryFn: get<MetadataView>(mediaPaths.metadata) }),
};
