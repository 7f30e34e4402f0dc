// An example of every route: who asks what, so that it succeeds.

import { pinHostKey } from "../../src/apps/media/settings/servers.sql.ts";
import { type Asked, PASSWORD } from "./app-world.ts";
import { DOCUMENT_CHANGES, DOCUMENT_READS } from "./document-examples.ts";
import { ENCODER_WORD } from "./encoder-word.ts";
import type { ExampleWorld } from "./example-world.ts";

export interface Example extends Pick<Asked, "as" | "headers" | "body"> {
  /** In place of what stands in braces. */
  readonly params?: { readonly [name: string]: string };
  readonly query?: string;
  /** 200, where it is not another. */
  readonly status?: number;
}

export type Made = Example | ((world: ExampleWorld) => Promise<Example>);

/** What is done to one of mia's. */
const item =
  (title: string, body?: unknown, pipeline: Parameters<ExampleWorld["hand"]>[0] = "songs"): Made =>
  async ({ hand }) => ({ as: "mia", params: { item: (await hand(pipeline, title)).item }, body });
const request =
  (title: string, body?: unknown): Made =>
  async ({ hand }) => ({ as: "mia", params: { request: (await hand("songs", title)).request }, body });
const channel =
  (body?: unknown): Made =>
  async (world) => ({ as: "admin", params: { channel: await world.channel() }, body });
const operation: Made = async ({ hand, does }) => {
  const { request: one } = await hand("songs", "late");
  const order = { action: { type: "set-priority", priority: 4 }, filter: `request:${one}` };
  return { as: "mia", params: { operation: (await does("/bulk", order, { as: "mia" })).operation.id } };
};
const TMDB_KEY = "0123456789abcdef0123456789abcdef";
const finderDone = (body?: unknown): Example => ({ as: "admin", params: { finder: "seek" }, body });
const scheduled: Example = { as: "admin", params: { schedule: "nightly" } };
const read: Example = { as: "viewer" };
const admin: Example = { as: "admin" };
/** Somewhere that answers, though not as it should: what was tried is told all the same. */
const named =
  (what: "indexers" | "clients" | "profiles" | "encodings" | "servers", body?: object): Made =>
  async (world) => ({ as: "admin", params: { name: await world.mediaSet(what) }, body });
const encoder =
  (body?: object, isThere = false): Made =>
  async (world) => ({ as: "admin", params: { name: await world.encoder(isThere) }, body });
const mediaList =
  (what: "indexers" | "clients" | "servers"): Made =>
  async (world) => {
    await world.mediaSet(what);
    return { as: "admin" };
  };
/** What is looked up is kept for whoever looks next, so it is looked up before. */
const lookedUp =
  (at: string, example: Example): Made =>
  async ({ ask }) => {
    await ask(at, { as: "viewer" });
    return example;
  };
const film =
  (tmdb: number, body?: object): Made =>
  async (world) => ({ as: "mia", params: { ...(await world.film(tmdb)) }, body });
const workflow: Example = { as: "admin", body: { buy: false } };

export const READS: { readonly [route: string]: Made } = {
  ...DOCUMENT_READS,
  "GET /healthz": {},
  "GET /readyz": {},
  "GET /metrics": read,
  "GET /": {},
  "GET /api/docs": {},
  "GET /api/v1/errors": {},
  "GET /api/v1/openapi.json": read,
  "GET /api/v1/me": read,
  "GET /api/v1/sessions": read,
  "GET /api/v1/keys": async ({ does }) => {
    const { entries } = await does("/keys");
    await does("/keys", { name: `mine${entries.length}`, scopes: ["read"] });
    return admin;
  },
  "GET /api/v1/accounts": admin,
  "GET /api/v1/audit": admin,
  "GET /api/v1/overview": read,
  "GET /api/v1/trends": { ...read, query: "range=7d&pipeline=songs" },
  "GET /api/v1/failures": read,
  "GET /api/v1/stuck": async ({ age }) => {
    await age();
    return read;
  },
  "GET /api/v1/doctor": read,
  "GET /api/v1/pipelines": read,
  "GET /api/v1/pipelines/{pipeline}/versions": { ...read, params: { pipeline: "songs" } },
  "GET /api/v1/retention": read,
  "GET /api/v1/retention/preview": admin,
  "GET /api/v1/services": read,
  "GET /api/v1/services/{service}": { ...read, params: { service: "shop" } },
  "GET /api/v1/workers": read,
  "GET /api/v1/sandbox": read,
  "GET /api/v1/media/indexers": mediaList("indexers"),
  "GET /api/v1/media/clients": mediaList("clients"),
  "GET /api/v1/media/servers": mediaList("servers"),
  "GET /api/v1/media/targets": read,
  "GET /api/v1/media/metadata": admin,
  "GET /api/v1/media/titles": { ...read, query: "query=metropolis" },
  "GET /api/v1/media/titles/series/{tmdb}": lookedUp("/api/v1/media/titles/series/7", {
    ...read,
    params: { tmdb: "7" },
  }),
  "GET /api/v1/media/posters/{file}": lookedUp("/api/v1/media/posters/poster.jpg", {
    ...read,
    params: { file: "poster.jpg" },
  }),
  "GET /api/v1/media/requests": async (world) => {
    for (const tmdb of [19, 20]) await world.film(tmdb);
    return { ...read, query: "show=waiting" };
  },
  "GET /api/v1/media/requests/{request}": film(19),
  "GET /api/v1/media/items/{item}/releases": film(19),
  "GET /api/v1/media/profiles": read,
  "GET /api/v1/media/encodings": read,
  "GET /api/v1/media/encoders": async (world) => {
    await world.encoder();
    return admin;
  },
  "GET /api/v1/media/items/{item}/encodes": async (world) => {
    const { item: id } = await world.film(20);
    await world.encode(id);
    return { as: "mia", params: { item: id } };
  },
  "GET /api/v1/schedules": read,
  "GET /api/v1/finders": read,
  "GET /api/v1/questions": read,
  "GET /api/v1/settings/workflow": read,
  "GET /api/settings/workflow": read,
  "GET /api/v1/alerts": read,
  "GET /api/v1/alert-rules": admin,
  "GET /api/v1/channels": admin,
  "GET /api/v1/deliveries": admin,
  "GET /api/v1/items": { ...read, query: "limit=200" },
  "GET /api/v1/items/{item}": item("slow"),
  "GET /api/v1/items/{item}/explain": item("late"),
  "GET /api/v1/items/{item}/actions": item("gone"),
  "GET /api/v1/items/{item}/history": item("slow"),
  "GET /api/v1/items/{item}/logs": item("slow"),
  "GET /api/v1/items/{item}/estimate": item("late"),
  "GET /api/v1/requests": { ...read, query: "limit=200" },
  "GET /api/v1/requests/{request}": request("fine"),
  "GET /api/v1/bulk": operation,
  "GET /api/v1/bulk/{operation}": operation,
  "GET /api/v1/bulk/{operation}/members": operation,
  "GET /api/v1/events": async ({ t }) => ({
    as: "viewer",
    query: `limit=500&after=${(await t.sluice.events({ limit: 1 })).cursor}`,
  }),
};

export const PAGED: ReadonlySet<string> = new Set([
  "GET /api/v1/accounts",
  "GET /api/v1/alerts",
  "GET /api/v1/audit",
  "GET /api/v1/bulk",
  "GET /api/v1/bulk/{operation}/members",
  "GET /api/v1/deliveries",
  "GET /api/v1/documents",
  "GET /api/v1/finders",
  "GET /api/v1/items",
  "GET /api/v1/items/{item}/history",
  "GET /api/v1/keys",
  "GET /api/v1/media/requests",
  "GET /api/v1/questions",
  "GET /api/v1/requests",
  "GET /api/v1/schedules",
  "GET /api/v1/sessions",
  "GET /api/v1/workers",
]);

/** Lists that code or a limit keeps short, and that are answered whole. */
export const WHOLE: ReadonlySet<string> = new Set([
  "GET /api/v1/alert-rules",
  "GET /api/v1/channels",
  "GET /api/v1/documents/{item}/events",
  "GET /api/v1/errors",
  "GET /api/v1/pipelines",
  "GET /api/v1/pipelines/{pipeline}/versions",
  "GET /api/v1/services",
  "GET /api/v1/failures",
  "GET /api/v1/media/clients",
  "GET /api/v1/media/encoders",
  "GET /api/v1/media/encodings",
  "GET /api/v1/media/indexers",
  "GET /api/v1/media/items/{item}/encodes",
  "GET /api/v1/media/profiles",
  "GET /api/v1/media/servers",
  "GET /api/v1/media/targets",
  "GET /api/v1/media/titles",
  "GET /api/v1/sandbox",
  "GET /api/v1/stuck",
]);

export const CHANGES: { readonly [route: string]: Made } = {
  ...DOCUMENT_CHANGES,
  "POST /api/v1/requests": { as: "mia", body: { pipeline: "songs", inputs: [{ title: "fine" }] }, status: 201 },
  "POST /api/v1/requests/{request}/cancel": request("late"),
  "POST /api/v1/requests/{request}/remove": request("late"),
  "POST /api/v1/requests/{request}/priority": request("late", { priority: 1 }),
  "POST /api/v1/items/{item}/retry": item("gone"),
  "POST /api/jobs/{item}/retry": item("gone"),
  "POST /api/v1/items/{item}/cancel": item("late"),
  "POST /api/v1/items/{item}/take-back": item("held", undefined, "slow"),
  "POST /api/v1/items/{item}/run-once": item("next", undefined, "shelf"),
  "POST /api/v1/items/{item}/retry-parts": item("both", undefined, "copies"),
  "POST /api/v1/items/{item}/replay": item("fine", { from: "find", as: "copy" }),
  "POST /api/v1/items/{item}/skip": item("late", { reason: "not wanted" }),
  "POST /api/v1/items/{item}/priority": item("late", { priority: 1 }),
  "POST /api/v1/bulk": { as: "mia", body: { action: { type: "retry" }, filter: "state:failed" }, status: 202 },
  "POST /api/v1/bulk/{operation}/stop": operation,
  "POST /api/v1/questions/{question}/answer": async ({ hand, does }) => {
    const { item: asking } = await hand("songs", "which");
    const [asked] = (await does(`/questions?item=${asking}`)).entries;
    return { as: "mia", params: { question: asked.id }, body: { answer: "a" } };
  },
  "POST /api/v1/services/{service}/check": { as: "admin", params: { service: "shop" } },
  "POST /api/v1/services/{service}/test": { as: "admin", params: { service: "catalogue" } },
  "POST /api/v1/sandbox/break": { as: "admin", body: { thing: "converter", fault: "stop" } },
  "POST /api/v1/sandbox/mend": async ({ does }) => {
    await does("/sandbox/break", { thing: "worker", fault: "slow" });
    return { as: "admin", body: { thing: "worker" } };
  },
  "POST /api/v1/media/requests": async ({ does }) => {
    await does("/media/servers/nas", { kind: "folder", root: "/nowhere/nas" }, { method: "PUT" });
    const body = { kind: "film", tmdb: 24, targets: [{ name: "nas" }] };
    await does("/media/requests?dryRun=true", body, { as: "mia" });
    return { as: "mia", body, status: 201 };
  },
  "POST /api/v1/media/items/{item}/choose": async (world) => {
    // Where somebody has set indexers, all of them have it.
    await world.mediaSet("indexers");
    const params = await world.film(21);
    const { refused } = await world.does(`/media/items/${params.item}/releases`);
    return { as: "mia", params: { ...params }, body: { release: refused[0].id } };
  },
  "POST /api/v1/media/items/{item}/search": film(22),
  "PUT /api/v1/media/indexers/{name}": async ({ hook }) => ({
    as: "admin",
    params: { name: "another" },
    body: { url: `${hook.url}/1/`, apiKey: "k3y" },
  }),
  "DELETE /api/v1/media/indexers/{name}": named("indexers"),
  "POST /api/v1/media/indexers/{name}/test": named("indexers"),
  "PUT /api/v1/media/clients/{name}": async ({ hook }) => ({
    as: "admin",
    params: { name: "another" },
    body: { kind: "qbittorrent", url: hook.url, username: "admin", password: "secret", folder: "/downloads" },
  }),
  "DELETE /api/v1/media/clients/{name}": named("clients"),
  "POST /api/v1/media/clients/{name}/test": named("clients"),
  "PUT /api/v1/media/servers/{name}": {
    as: "admin",
    params: { name: "attic" },
    body: { kind: "sftp", host: "attic", username: "media", password: "secret", root: "/srv/media" },
  },
  "DELETE /api/v1/media/servers/{name}": named("servers"),
  "DELETE /api/v1/media/servers/{name}/host-key": async ({ does, t }) => {
    const set = { kind: "sftp", host: "shed", username: "media", password: "secret", root: "/srv/media" };
    const name = "shed";
    await does(`/media/servers/${name}`, set, { method: "PUT" });
    await pinHostKey(t.db, { name, host: "shed", port: 22 }, `SHA256:${"A".repeat(43)}`);
    return { as: "admin", params: { name } };
  },
  "POST /api/v1/media/servers/{name}/test": named("servers"),
  "PUT /api/v1/media/metadata": { as: "admin", body: { key: TMDB_KEY, language: "de-DE" } },
  "POST /api/v1/media/metadata/test": async ({ hook }) => ({
    as: "admin",
    body: { key: TMDB_KEY, url: `${hook.url}/3/` },
  }),
  "PUT /api/v1/media/profiles/{name}": { as: "admin", params: { name: "small" }, body: { resolutions: ["720p"] } },
  "DELETE /api/v1/media/profiles/{name}": named("profiles"),
  "PUT /api/v1/media/encodings/{name}": {
    as: "admin",
    params: { name: "tv" },
    body: { codec: "hevc", maxHeight: 1080 },
  },
  "DELETE /api/v1/media/encodings/{name}": named("encodings"),
  "PUT /api/v1/media/encoders/{name}": encoder({ isOn: false }),
  "DELETE /api/v1/media/encoders/{name}": encoder(),
  "POST /api/v1/media/encoders/{name}/test": encoder(undefined, true),
  "POST /api/v1/media/encoders/{name}/say": { as: "admin", params: { name: "far" }, body: ENCODER_WORD },
  "POST /api/v1/hold": { as: "admin", body: { pipeline: "copies", note: "disk" } },
  "POST /api/v1/resume": async ({ does }) => {
    await does("/hold", { pipeline: "slow" });
    return { as: "admin", body: { pipeline: "slow" } };
  },
  "PUT /api/v1/switches": { as: "admin", body: { pipeline: "copies", stage: "deliver", on: false } },
  "PUT /api/v1/pipelines/{pipeline}/rollout": {
    as: "admin",
    params: { pipeline: "songs" },
    body: { shares: { 1: 100 }, note: "all of it" },
  },
  "POST /api/v1/pipelines/{pipeline}/versions/{version}/hold": {
    as: "admin",
    params: { pipeline: "songs", version: "1" },
    body: { note: "wrong covers" },
  },
  "POST /api/v1/pipelines/{pipeline}/versions/{version}/release": {
    as: "admin",
    params: { pipeline: "songs", version: "1" },
  },
  "PUT /api/v1/retention": { as: "admin", body: { history: "30d" } },
  "PUT /api/v1/settings/workflow": workflow,
  "PUT /api/settings/workflow": { ...workflow, body: { buy: true } },
  "POST /api/v1/schedules/{schedule}/run": scheduled,
  "POST /api/v1/schedules/{schedule}/pause": scheduled,
  "POST /api/v1/schedules/{schedule}/resume": scheduled,
  "POST /api/v1/finders/{finder}/run": finderDone(),
  "POST /api/v1/finders/{finder}/rewind": finderDone({ after: { page: 1 } }),
  "POST /api/v1/finders/{finder}/pause": finderDone(),
  "POST /api/v1/finders/{finder}/resume": finderDone(),
  "POST /api/v1/alerts/{alert}/snooze": async ({ does }) => {
    const [alert] = (await does("/alerts")).entries;
    return { as: "admin", params: { alert: alert.id }, body: { until: "2030-01-02T00:00:00.000Z" } };
  },
  "PUT /api/v1/alert-rules/{rule}": { as: "admin", params: { rule: "stuck" }, body: { on: false } },
  "POST /api/v1/channels": async ({ hook }) => ({
    as: "admin",
    body: { name: "phone", type: "ntfy", url: `${hook.url}/topic` },
  }),
  "PATCH /api/v1/channels/{channel}": channel({ on: false }),
  "DELETE /api/v1/channels/{channel}": channel(),
  "POST /api/v1/deliveries/{delivery}/redeliver": async ({ does }) => {
    const sent = (await does("/deliveries")).entries.find(({ state }: { state: string }) => state === "sent");
    return { as: "admin", params: { delivery: sent.id } };
  },
  "POST /api/v1/channels/{channel}/test": channel(),
  "POST /api/v1/accounts": { as: "admin", body: { name: "nel", role: "member", password: PASSWORD } },
  "PATCH /api/v1/accounts/{name}": async ({ account }) => ({
    as: "admin",
    params: { name: await account() },
    body: { role: "member", password: `${PASSWORD} two` },
  }),
  "PUT /api/v1/me/password": { as: "mo", body: { old: PASSWORD, password: `${PASSWORD} two` } },
  "DELETE /api/v1/sessions": async ({ signIn }) => {
    await signIn("vic");
    return { as: "vic" };
  },
  "DELETE /api/v1/sessions/{session}": async ({ signIn, does }) => {
    await signIn("vic");
    const { entries } = await does("/sessions", undefined, { as: "vic" });
    return { as: "vic", params: { session: entries.find(({ isThis }: { isThis: boolean }) => !isThis).id } };
  },
  "POST /api/v1/keys": { as: "mia", body: { name: "ci", scopes: ["read"], days: 1 } },
  "DELETE /api/v1/keys/{key}": async ({ does }) => ({
    as: "mia",
    params: { key: (await does("/keys", { name: "old", scopes: ["read"] }, { as: "mia" })).id },
  }),
};

/** Coming in and going out, which nothing can be said of without doing it: the only changes that have no dry run. */
export const NO_DRY_RUN: { readonly [route: string]: Made } = {
  "POST /api/v1/session": { body: { name: "vic", password: PASSWORD } },
  "DELETE /api/v1/session": async ({ signIn }) => ({ headers: { authorization: `Bearer ${await signIn("vic")}` } }),
};

/** Those that no example can be asked for here, each with why. */
export const ELSEWHERE: { readonly [route: string]: string } = {
  "POST /api/v1/setup": "every world begins with it, and it can be done once",
  ...Object.fromEntries(
    ["GET {job}/source", "GET {job}/source/hash", "GET {job}/film", "PATCH {job}/film", "POST {job}/film"].map(
      (route) => [
        route.replace("{job}", "/api/v1/media/encoders/{name}/jobs/{key}/{turn}"),
        "there is no film here; test/media/encoding-far.test.ts has it",
      ],
    ),
  ),
  "POST /api/v1/media/encoders/{name}/wait": "it only waits, and changes nothing; media-settings.test.ts has it",
  "GET /api/v1/ws": "there is no socket without a server; feed.test.ts has it",
};

/** Makes what it is about. */
export async function made(example: Made, world: ExampleWorld): Promise<Example> {
  return typeof example === "function" ? await example(world) : example;
}
