// What the pages ask for: each resource once, under a key that the live feed marks as stale.

import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type {
  AlertRule,
  AuditEntry,
  BulkOperation,
  Channel,
  Diagnosis,
  Estimate,
  FailureGroups,
  Item,
  ItemLine,
  List,
  Me,
  Overview,
  Page,
  Pipeline,
  PossibleActions,
  Question,
  Request,
  Retention,
  RetentionPreview,
  SandboxThing,
  Service,
  ServiceDetail,
  StuckItem,
  Trends,
  Version,
  VisitNotes,
  Worker,
} from "../../../src/server/contract/wire.ts";
import { ask, enc } from "./ask.ts";
import { untilClosed } from "./closing.ts";
import { firstFound } from "./first-found.ts";
import { forget } from "./forget.ts";

const get =
  <Answer>(path: string) =>
  ({ signal }: { signal: AbortSignal }) =>
    ask<Answer>(path, { signal });

async function getMe({ client, signal }: { readonly client: QueryClient; readonly signal: AbortSignal }): Promise<Me> {
  const me = await ask<Me>("/api/v1/me", { signal });
  const before = client.getQueryData<Me>(["me"]);
  // In another tab somebody else signed in.
  if (before !== undefined && before.user !== me.user) forget(client);
  return me;
}

export const queries = {
  me: () => queryOptions({ queryKey: ["me"], queryFn: getMe, retry: false, staleTime: 60_000 }),
  overview: () => queryOptions({ queryKey: ["overview"], queryFn: get<Overview>("/api/v1/overview") }),
  trends: (range: "1h" | "24h" | "7d" | "30d", pipeline?: string) =>
    queryOptions({
      queryKey: ["trends", range, pipeline ?? ""],
      queryFn: get<Trends>(`/api/v1/trends?${params({ range, pipeline })}`),
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
    }),
  items: (filter: string, after?: string) =>
    queryOptions({
      queryKey: ["items", filter, after ?? ""],
      queryFn: ({ signal }) =>
        firstFound(
          (place) => ask<Page<ItemLine>>(`/api/v1/items?${params({ filter, after: place, limit: "50" })}`, { signal }),
          after,
        ),
    }),
  item: (id: string) => queryOptions({ queryKey: ["item", id], queryFn: get<Item>(`/api/v1/items/${enc(id)}`) }),
  logs: (id: string) =>
    queryOptions({
      queryKey: ["item", id, "logs"],
      queryFn: get<{ readonly visits: VisitNotes[] }>(`/api/v1/items/${enc(id)}/logs`),
    }),
  estimate: (id: string) =>
    queryOptions({ queryKey: ["item", id, "estimate"], queryFn: get<Estimate>(`/api/v1/items/${enc(id)}/estimate`) }),
  actions: (id: string) =>
    queryOptions({
      queryKey: ["item", id, "actions"],
      queryFn: get<PossibleActions>(`/api/v1/items/${enc(id)}/actions`),
    }),
  request: (id: string) =>
    queryOptions({ queryKey: ["request", id], queryFn: get<Request>(`/api/v1/requests/${enc(id)}`) }),
  questions: () => queryOptions({ queryKey: ["questions"], queryFn: get<List<Question>>("/api/v1/questions") }),
  pipelines: () =>
    queryOptions({
      queryKey: ["pipelines"],
      queryFn: get<List<Pipeline>>("/api/v1/pipelines"),
      refetchInterval: ({ state }) => untilClosed(state.data),
    }),
  services: () => queryOptions({ queryKey: ["services"], queryFn: get<List<Service>>("/api/v1/services") }),
  service: (name: string) =>
    queryOptions({
      queryKey: ["services", name],
      queryFn: get<ServiceDetail>(`/api/v1/services/${enc(name)}`),
    }),
  failures: () => queryOptions({ queryKey: ["failures"], queryFn: get<FailureGroups>("/api/v1/failures") }),
  workers: () => queryOptions({ queryKey: ["workers"], queryFn: get<List<Worker>>("/api/v1/workers") }),
  operation: (id: string) =>
    queryOptions({ queryKey: ["operations", id], queryFn: get<BulkOperation>(`/api/v1/bulk/${enc(id)}`) }),
  audit: (after?: string) =>
    queryOptions({
      queryKey: ["audit", after ?? ""],
      queryFn: get<Page<AuditEntry>>(`/api/v1/audit?${params({ after })}`),
      placeholderData: keepPreviousData,
    }),
  channels: () => queryOptions({ queryKey: ["channels"], queryFn: get<List<Channel>>("/api/v1/channels") }),
  rules: () => queryOptions({ queryKey: ["rules"], queryFn: get<List<AlertRule>>("/api/v1/alert-rules") }),
  /** Only a demo world has one; everywhere else it is not there. */
  sandbox: () =>
    queryOptions({
      queryKey: ["sandbox"],
      queryFn: get<List<SandboxThing>>("/api/v1/sandbox"),
      retry: false,
    }),
  retention: () => queryOptions({ queryKey: ["retention"], queryFn: get<Retention>("/api/v1/retention") }),
  /** Costly: not under ["retention"], so that nothing but its own button asks for it. */
  retentionPreview: () =>
    queryOptions({ queryKey: ["retentionPreview"], queryFn: get<RetentionPreview>("/api/v1/retention/preview") }),
  doctor: () => queryOptions({ queryKey: ["doctor"], queryFn: get<Diagnosis>("/api/v1/doctor") }),
  versions: (pipeline: string) =>
    queryOptions({
      // Not under ["pipelines"], which every event marks: comparing thousands of items is not for every two seconds.
      queryKey: ["versions", pipeline],
      queryFn: get<List<Version>>(`/api/v1/pipelines/${enc(pipeline)}/versions`),
      refetchInterval: 15_000,
    }),
  stuck: () => queryOptions({ queryKey: ["overview", "stuck"], queryFn: get<List<StuckItem>>("/api/v1/stuck") }),
  questionsOf: (item: string) =>
    queryOptions({
      queryKey: ["questions", item],
      queryFn: get<Page<Question>>(`/api/v1/questions?${params({ item })}`),
    }),
};

function params(given: { readonly [name: string]: string | undefined }): string {
  const set = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
  return new URLSearchParams(set).toString();
}
