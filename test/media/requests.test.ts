// Asking and choosing over HTTP: the server on a real database, with a metadata service and an indexer that are little real servers.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTorrent } from "../../sandbox/media/make-torrent.ts";
import { TmdbServer } from "../../sandbox/media/tmdb-server.ts";
import { TorznabServer } from "../../sandbox/media/torznab-server.ts";
import { mediaApp, prepareMediaTables } from "../../src/apps/media/index.ts";
import { openSluice, type Sluice, type Tables } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { newKeyText, readKeys } from "../../src/server/secrets/seal.ts";
import { Secrets } from "../../src/server/secrets/secrets.ts";
import { type Served, serveSluice } from "../../src/server/serve.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { startServer, type TestServer } from "../support/server.ts";

const TMDB_KEY = "0123456789abcdef0123456789abcdef";
const ADMIN = { name: "ann", password: "correct horse battery" };
const POSTER = Buffer.from("ffd8ffe000104a464946", "hex");
const CAM = "Metropolis.1927.CAM.x264-BAD";

const tmdb = new TmdbServer({
  key: TMDB_KEY,
  films: [{ id: 19, title: "Metropolis", date: "1927-01-10", runtimeMinutes: 60, posterPath: "/metropolis.jpg" }],
  series: [{ id: 7, title: "The Night", date: "2019-03-01", seasons: [{ season: 1, episodes: [{ episode: 1 }] }] }],
  images: new Map([["/metropolis.jpg", POSTER]]),
});
const indexer = new TorznabServer({ title: "Proof", apiKey: "an-indexers-key" });
let database: TestServer;
let sluice: Sluice;
let served: Served;
const cookies = new Map<string, string>();

beforeAll(async () => {
  const files = [{ path: `${CAM}.mkv`, content: Buffer.from(CAM) }];
  const { file } = makeTorrent({ name: CAM, files, announce: "http://127.0.0.1:9/announce" });
  indexer.world.add({ id: "cam", title: CAM, torrent: { file }, bytes: 2_000_000_000, seeders: 5, category: 2000 });
  [database] = await Promise.all([startServer(), tmdb.up(), indexer.up()]);
  const opened = Promise.withResolvers<Tables>();
  const keyring = readKeys(newKeyText());
  const later: Tables = {
    query: async (...given) => (await opened.promise).query(...given),
    transaction: async (...given) => (await opened.promise).transaction(...given),
  };
  const media = mediaApp({ tables: () => opened.promise, secrets: new Secrets(later, keyring) });
  const { metadata, indexer: toIndexer, torrents } = media.services;
  sluice = await openSluice({
    ...{ database: database.url(), pipelines: media.pipelines, log: silentLogger },
    services: { metadata, indexer: toIndexer, torrents },
    worker: {},
  });
  await prepareServerTables(sluice.tables);
  await prepareMediaTables(sluice.tables);
  opened.resolve(sluice.tables);
  served = await serveSluice({
    ...{ sluice, media, keyring, host: "127.0.0.1", port: 0, hosts: [], admin: ADMIN, log: silentLogger, version: "0" },
  });
  await signIn(ADMIN);
  for (const name of ["mia", "mo"]) {
    await api("POST", "/accounts", { name, role: "member", password: ADMIN.password });
    await signIn({ name, password: ADMIN.password });
  }
  await api("PUT", "/media/metadata", { url: tmdb.url, key: TMDB_KEY });
  await api("PUT", "/media/indexers/proof", { url: indexer.url, apiKey: "an-indexers-key", links: "lan" });
}, 120_000);

afterAll(async () => {
  await served?.close();
  await sluice?.close();
  await Promise.all([tmdb.down(), indexer.down()]);
  await database?.stop();
});

async function signIn(who: typeof ADMIN): Promise<void> {
  const response = await send("POST", "/session", who, "nobody");
  if (!response.ok) throw new Error(await response.text());
  cookies.set(who.name, response.headers.get("set-cookie")?.split(";")[0] ?? "");
}

function send(method: string, at: string, body?: unknown, as = "ann"): Promise<Response> {
  return fetch(`${served.url}/api/v1${at}`, {
    method,
    headers: {
      ...{ cookie: cookies.get(as) ?? "", origin: served.url },
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

type Told = ReturnType<typeof JSON.parse>;

const told = async (answer: Response): Promise<Told> => JSON.parse(await answer.text());

/** Has to succeed. */
async function api(method: string, at: string, body?: unknown, as?: string): Promise<Told> {
  const answer = await send(method, at, body, as);
  if (!answer.ok) throw new Error(`${method} ${at} answered ${answer.status}: ${await answer.text()}`);
  return await told(answer);
}

describe("a film, over HTTP", () => {
  let request = "";
  let item = "";

  it("is looked for, and shown with its poster", async () => {
    const { entries } = await api("GET", "/media/titles?query=metropolis", undefined, "mia");
    expect(entries).toMatchObject([
      { tmdb: 19, title: "Metropolis", year: 1927, poster: "/api/v1/media/posters/metropolis.jpg", request: null },
    ]);
    const poster = await send("GET", "/media/posters/metropolis.jpg", undefined, "mia");
    expect([poster.status, poster.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(poster.headers.get("cache-control")).toContain("max-age");
    expect(Buffer.from(await poster.arrayBuffer())).toEqual(POSTER);
    await send("GET", "/media/posters/metropolis.jpg");
    expect(tmdb.requests.filter((one) => one.startsWith("/t/p/"))).toEqual(["/t/p/w342/metropolis.jpg"]);
    expect((await send("GET", "/media/posters/none.jpg")).status).toBe(404);
    expect((await send("GET", "/media/posters/..%2f3%2fmovie")).status).toBe(400);
  });

  it("is asked for, and waits until somebody chooses what was refused", async () => {
    const answer = await send("POST", "/media/requests", { kind: "film", tmdb: 19 }, "mia");
    expect(answer.status).toBe(201);
    ({ request } = await told(answer));
    const waiting = async () => (await api("GET", `/media/requests/${request}`, undefined, "mia")).sentence;
    await expect.poll(waiting).toContain("not available");
    const { items, title } = await api("GET", `/media/requests/${request}`, undefined, "mia");
    expect([title, items.length, items[0].status]).toEqual(["Metropolis", 1, "PENDING"]);
    item = items[0].item;
    const releases = await api("GET", `/media/items/${item}/releases`, undefined, "mia");
    expect(releases).toMatchObject({ taken: null, canChoose: true, refused: [{ title: CAM, indexer: "proof" }] });
    expect(JSON.stringify(releases)).not.toContain("an-indexers-key");
    const choice = { release: releases.refused[0].id };
    expect((await send("POST", `/media/items/${item}/choose`, choice, "mo")).status).toBe(404);
    expect(await api("POST", `/media/items/${item}/choose`, choice, "mia")).toMatchObject({ ok: true });
    const taken = async () => (await api("GET", `/media/items/${item}/releases`)).taken?.title ?? null;
    await expect.poll(taken).toBe(CAM);
  });

  it("belongs to who asked for it, and to who joins", async () => {
    const seen = async () => (await api("GET", "/media/requests", undefined, "mo")).entries.length;
    expect(await seen()).toBe(0);
    expect((await send("GET", `/media/requests/${request}`, undefined, "mo")).status).toBe(404);
    const joined = await send("POST", "/media/requests", { kind: "film", tmdb: 19 }, "mo");
    expect([joined.status, await told(joined)]).toMatchObject([200, { outcome: "joined", request }]);
    expect(await seen()).toBe(1);
    const { entries } = await api("GET", "/media/titles?query=metropolis", undefined, "mo");
    expect(entries[0].request).toMatchObject({ id: request, status: "PROCESSING" });
    expect(await api("POST", `/requests/${request}/cancel`, undefined, "mo")).toMatchObject({ ok: true, left: true });
    expect(await seen()).toBe(0);
  });
});

it("what is handed in past these routes stands among them", async () => {
  const series = { tmdb: 7, seasons: [1], profile: {} };
  const handed = await api("POST", "/requests", { pipeline: "media-series", inputs: [series] }, "mo");
  const listed = async () => (await api("GET", "/media/requests?show=mine", undefined, "mo")).entries;
  await expect.poll(async () => (await listed())[0]?.items.length).toBe(1);
  expect(await listed()).toMatchObject([{ request: handed.request, title: "The Night", counts: { total: 1 } }]);
  expect((await api("GET", "/media/titles/series/7")).seasons).toEqual([{ season: 1, episodes: 1, airs: null }]);
});

it("a metadata service that is away is told as such, and nobody is turned away for it who asks for something", async () => {
  await tmdb.down();
  const away = await send("GET", "/media/titles?query=x");
  const { code, detail } = await told(away);
  expect([away.status, code]).toEqual([503, "SERVICE_AWAY"]);
  expect(detail).toContain("NOT_REACHED");
  // What it said, and where it is, is for those who run it.
  const member = await told(await send("GET", "/media/titles?query=x", undefined, "mo"));
  expect(member.detail).toBe("the metadata service does not answer");
  expect((await send("POST", "/media/requests", { kind: "film", tmdb: 20 })).status).toBe(201);
  await tmdb.up();
});

it("what is no good input is refused by its name", async () => {
  const wrong = async (body: object) => (await told(await send("POST", "/media/requests", body))).field;
  expect(await wrong({ kind: "film", tmdb: 19, profile: "none" })).toBe("profile");
  expect(await wrong({ kind: "film", tmdb: 404 })).toBe("tmdb");
  expect(await wrong({ kind: "film", tmdb: 0 })).toBe("tmdb");
  expect(await wrong({ kind: "series", tmdb: 7, seasons: [-1] })).toBe("seasons.0");
});
