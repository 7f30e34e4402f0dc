// Indexers, download clients, metadata and profiles over HTTP, with services that answer, and with all the ways in which they do not.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { mediaApp } from "../../src/apps/media/index.ts";
import { systemClock } from "../../src/kit/index.ts";
import { makeApp } from "../../src/server/app.ts";
import { type AppWorld, type Asked, openAppWorld } from "../support/app-world.ts";
import { ENCODER_WORD } from "../support/encoder-word.ts";
import { INDEXER_KEY, MediaServices, TMDB_KEY } from "../support/media-services.ts";

let world: AppWorld;
const services = new MediaServices();
const { indexer, other, metadata, client } = services;
const PASSWORD = "Kanarie7client4xQ9";
const said: string[] = [];

beforeAll(async () => {
  world = await openAppWorld([]);
  await services.start();
});
afterAll(async () => {
  await services.stop();
  await world.close();
});

async function api(method: string, at: string, body?: unknown, as: Asked["as"] = "admin") {
  const answer = await world.ask(`/api/v1/media${at}`, { method, body, as });
  said.push(answer.text);
  return answer;
}
const put = async (at: string, body: unknown) => {
  const { status, json, text } = await api("PUT", at, body);
  expect(status, text).toBe(200);
  return json;
};
const tested = async (at: string, body?: unknown) => (await api("POST", `${at}/test`, body)).json;
/** The steps as lines, with the code where one went wrong. */
const lines = ({ steps }: { steps: { tried: string; ok: boolean; found: string; code: string | null }[] }) =>
  steps.map(({ tried, ok, found, code }) => `${ok ? "✓" : code} ${tried}: ${found}`);

describe("an indexer", () => {
  const set = () => ({ url: indexer.url, apiKey: INDEXER_KEY });
  beforeEach(async () => {
    indexer.troubles.length = 0;
    indexer.standing = undefined;
    await put("/indexers/proof", set());
  });

  it("is set, looked at without its key, changed without giving it again, and removed", async () => {
    const view = { name: "proof", url: indexer.url, hasKey: true, categories: [], links: "public", priority: 25 };
    expect((await api("GET", "/indexers")).json.entries).toEqual([{ ...view, isOn: true, service: "indexer:proof" }]);
    expect(await put("/indexers/proof", { url: indexer.url, priority: 3, categories: [2040] })).toMatchObject({
      ...{ hasKey: true, priority: 3, categories: [2040] },
    });
    expect((await tested("/indexers/proof")).ok).toBe(true);
    expect(await put("/indexers/proof", { url: indexer.url, apiKey: null })).toMatchObject({ hasKey: false });
    expect((await api("DELETE", "/indexers/proof")).json).toEqual({ ok: true, would: null });
    expect((await api("DELETE", "/indexers/proof")).json).toMatchObject({ code: "NOT_FOUND" });
    expect((await api("POST", "/indexers/proof/test")).json).toMatchObject({ code: "NOT_FOUND" });
  });

  it("says step by step what was tried", async () => {
    const result = await tested("/indexers/proof");
    expect(result).toMatchObject({ ok: true, would: null });
    expect(lines(result)).toEqual([
      `✓ reached ${indexer.url}: somebody answers there`,
      expect.stringMatching(/^✓ asked what it can search: Proof: films by .*q/),
      "✓ searched for a film: nothing found, which is an answer",
    ]);
  });

  it("is tested before it is set, and nothing is set by it", async () => {
    expect((await tested("/indexers/new", set())).ok).toBe(true);
    expect((await api("GET", "/indexers")).json.entries).toHaveLength(1);
  });

  const troubles: [string, () => void, string, RegExp][] = [
    ["a web page", () => (indexer.standing = "web-page"), "BAD_ANSWER", /a web page, not XML/],
    ["half an answer", () => (indexer.standing = "by-half"), "BAD_ANSWER", /./],
    ["a limit", () => (indexer.standing = { status: 429 }), "RATE_LIMITED", /./],
    ["trouble of its own", () => (indexer.standing = { status: 500 }), "HTTP_500", /./],
  ];
  it.each(troubles)("answering with %s is told in words", async (_, plan, code, words) => {
    plan();
    const { ok, steps } = await tested("/indexers/proof");
    expect([ok, steps[0].ok, steps[1].code]).toEqual([false, true, code]);
    expect(steps[1].found).toMatch(words);
  });

  it("that counts as down is looked at at once where a person's test goes well, and not where it does not", async () => {
    const { db } = world.t;
    const down = `insert into sluice.service (name, is_open, changed_at, resumed_at, probe_at, code)
      values ('indexer:proof', true, sluice.now(), sluice.now(), sluice.now() + interval '1 hour', 'HTTP_500')
      on conflict (name) do update set is_open = true, probe_at = excluded.probe_at`;
    const text = "select probe_at <= sluice.now() as due from sluice.service where name = 'indexer:proof'";
    const isDue = async () => (await db.query<{ due: boolean }>({ name: "t-due", text }, []))[0]?.due;
    await db.query({ name: "t-down", text: down }, []);
    indexer.standing = { status: 500 };
    expect([(await tested("/indexers/proof")).ok, await isDue()]).toEqual([false, false]);
    indexer.standing = undefined;
    expect([(await tested("/indexers/proof", set())).ok, await isDue()]).toEqual([true, false]);
    expect([(await tested("/indexers/proof")).ok, await isDue()]).toEqual([true, true]);
    await db.query({ name: "t-up", text: "delete from sluice.service where name = 'indexer:proof'" }, []);
  });

  it("with a wrong key, a wrong path, a port without anybody, and a place nobody is to be sent to", async () => {
    const codes = async (body: object) => (await tested("/indexers/new", body)).steps.map((one: Step) => one.code);
    expect(await codes({ ...set(), apiKey: "wrong-key-of-mine" })).toEqual([null, "AUTH"]);
    expect(await codes({ url: `${indexer.origin}/7/`, apiKey: INDEXER_KEY })).toEqual([null, "WRONG_ADDRESS"]);
    expect(await codes({ url: "http://127.0.0.1:1/" })).toEqual(["NOT_REACHED"]);
    for (const url of ["http://169.254.169.254/latest/", "http://[fe80::1]/", "http://0.0.0.0:80/"])
      expect(await codes({ url })).toEqual(["EGRESS_REFUSED"]);
    expect(await codes({ url: "http://no-such-host.invalid/" })).toEqual(["NOT_REACHED"]);
    expect(said.join()).not.toContain("wrong-key-of-mine");
  });

  it("that never answers is given up in time", async () => {
    const { sluice } = world.ports;
    // A fiftieth of the time that people wait.
    const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 50, signal) };
    const secrets = world.ports.media?.secrets ?? expect.fail("the world has media");
    const hasty = makeApp({ ...world.ports, media: mediaApp({ tables: async () => sluice.tables, secrets, clock }) });
    indexer.standing = "silent";
    const headers = { host: "localhost", origin: "http://localhost", cookie: world.cookieOf("admin") };
    const answer = await hasty.app.request("/api/v1/media/indexers/proof/test", { method: "POST", headers });
    const { steps } = (await answer.json()) as { steps: Step[] };
    expect(steps).toMatchObject([{ ok: false, code: "TIMEOUT", found: expect.stringContaining("within the 10 s") }]);
  });

  it("has its key sent to no other address, in no way", async () => {
    const before = other.requests.length;
    const kept = { status: 400, json: { code: "INVALID_INPUT", field: "apiKey" } };
    expect(await api("PUT", "/indexers/proof", { url: other.url })).toMatchObject(kept);
    expect(await api("POST", "/indexers/proof/test", { url: other.url })).toMatchObject(kept);
    expect(other.requests).toHaveLength(before);
    // Given again it may go there; a name without a key has none.
    expect((await tested("/indexers/proof", { url: other.url, apiKey: "another" })).ok).toBe(true);
    expect((await tested("/indexers/nobody", { url: indexer.url })).steps[1].code).toBe("AUTH");
  });

  it.each([
    [{ url: "ftp://nas/" }, "url"],
    [{ url: "http://ann:secret@nas/" }, "url"],
    [{ url: "http://nas/api?apikey=secret" }, "url"],
    [{ url: "http://nas/", links: "everywhere" }, "links"],
    [{ url: "http://nas/", key: "x" }, "json"],
  ])("is refused as %j, by the field", async (body, field) => {
    expect((await api("PUT", "/indexers/odd", body)).json).toMatchObject({ code: "INVALID_INPUT", field });
  });

  it("of a dry run is neither set nor asked", async () => {
    const before = indexer.requests.length;
    const { json } = await api("POST", "/indexers/proof/test?dryRun=true");
    expect(json).toEqual({
      ...{ ok: true, steps: [], would: `Would ask ${indexer.url} what it can search, and search it once.` },
    });
    expect(indexer.requests).toHaveLength(before);
    await api("PUT", "/indexers/proof?dryRun=true", { url: indexer.url, apiKey: null });
    expect((await api("GET", "/indexers")).json.entries[0].hasKey).toBe(true);
  });
});

interface Step {
  readonly tried: string;
  readonly ok: boolean;
  readonly found: string;
  readonly code: string | null;
}

describe("a download client", () => {
  const set = (more: object = {}) => ({
    ...{ kind: "qbittorrent", url: client.url, username: "admin", password: PASSWORD },
    ...{ paths: [{ theirs: "/downloads", ours: services.folder }], ...more },
  });
  beforeEach(() => client.doors.forgive());

  it("is set, and tested down to its folder here", async () => {
    expect(await put("/clients/nas", set())).toMatchObject({
      hasPassword: true,
      service: "torrents:nas",
      folder: null,
    });
    const result = await tested("/clients/nas");
    expect(lines(result)).toEqual([
      `✓ reached ${client.url}: somebody answers there`,
      "✓ signed in as admin: it lets us in",
      "✓ asked what it is: qBittorrent 4.6.7",
      "✓ asked where it puts things: /downloads",
      `✓ looked for /downloads here: ${services.folder} is there and can be read`,
      "✓ asked how much room it has: 5.0 GB",
      "✓ asked whether peers can reach it: they can",
    ]);
    expect(result.ok).toBe(true);
  });

  it("whose folder is not here is told so, with the rest", async () => {
    const folder = (more: object) => tested("/clients/new", set(more));
    const code = async (more: object) => (await folder(more)).steps[4].code;
    expect(await code({ folder: "/downloads/films" })).toBeNull();
    expect(await code({ folder: "/downloads/series" })).toBe("PLACE_NOT_FOUND");
    expect(await code({ folder: "/elsewhere" })).toBe("PATH_NOT_MAPPED");
    const result = await folder({ paths: [] });
    expect([result.ok, result.steps.length]).toEqual([false, 7]);
    expect(result.steps[4].found).toContain("here /downloads is not there: mount or make it");
  });

  it("whose mapping leads to another folder is found out by what it has downloaded", async () => {
    const infohash = "a".repeat(40);
    const files = [{ path: "Metropolis.mkv", bytes: 10 }];
    client.world.publish({ infohash, name: "Metropolis.mkv", files });
    client.world.add(infohash, "/downloads", ["sluice", "sluice-x"], undefined);
    for (let ticks = 0; ticks < 10; ticks += 1) client.world.tick();
    const { steps } = await tested("/clients/new", set());
    expect(steps[4]).toMatchObject({ ok: false, code: "PATH_NOT_MAPPED" });
    expect(steps[4].found).toContain(`${services.folder}/Metropolis.mkv, which it has downloaded, is not`);
    client.world.remove(infohash, true);
  });

  it("that does not let us in says so, and the password is told to nobody", async () => {
    const result = await tested("/clients/new", set({ password: "not-the-password" }));
    expect(lines(result)).toEqual([
      `✓ reached ${client.url}: somebody answers there`,
      "AUTH signed in as admin: torrents:new does not take this name and password",
    ]);
    expect(JSON.stringify(result)).not.toContain("not-the-password");
  });

  it.each([
    [{ kind: "qbittorrent", url: null }, "url"],
    [{ folder: "downloads" }, "folder"],
    [{ folder: "/downloads/../etc" }, "folder"],
    [{ paths: [{ theirs: "C:\\downloads", ours: "/mnt" }] }, "paths.0.theirs"],
    [{ paths: [{ theirs: "/downloads", ours: "mnt" }] }, "paths.0.ours"],
    [{ kind: "embedded", url: null, username: null, password: "x" }, "password"],
    [{ kind: "embedded", url: null, password: null }, "username"],
    [{ kind: "transmission" }, "kind"],
  ])("is refused as %j, by the field", async (more, field) => {
    expect((await api("PUT", "/clients/odd", set(more))).json).toMatchObject({ code: "INVALID_INPUT", field });
  });

  it("that is the embedded one of a server without one says that it does not run", async () => {
    await put("/clients/own", { kind: "embedded" });
    expect(lines(await tested("/clients/own"))).toEqual([
      "NOT_REACHED reached the embedded client: the embedded download client does not run on this machine",
    ]);
    await api("DELETE", "/clients/own");
  });

  it("may be one of fifty", async () => {
    const there = (await api("GET", "/clients")).json.entries.length;
    for (let n = there; n < 50; n += 1) await put(`/clients/c${n}`, { kind: "embedded", isOn: false });
    expect((await api("PUT", "/clients/more", { kind: "embedded" })).json).toMatchObject({
      ...{ code: "REFUSED", detail: "there are 50 download clients already; remove one that is not needed" },
    });
    await put("/clients/c49", { kind: "embedded", isOn: false, priority: 2 });
    for (let n = there; n < 50; n += 1) await api("DELETE", `/clients/c${n}`);
  });
});

describe("the metadata service", () => {
  it("is set, and tested down to a film", async () => {
    expect((await api("GET", "/metadata")).json).toEqual({
      ...{ hasKey: false, language: null, url: null, service: "metadata" },
    });
    expect(lines(await tested("/metadata"))).toEqual(["METADATA_NOT_SET looked for a key: no key of TMDB is set"]);
    expect(await put("/metadata", { key: TMDB_KEY, url: metadata.url })).toMatchObject({ hasKey: true });
    expect(lines(await tested("/metadata"))).toEqual([
      `✓ reached ${metadata.url}: somebody answers there`,
      "✓ used the key: it is accepted",
      "✓ searched for Metropolis: Metropolis (1927)",
    ]);
  });

  it("refuses what is no key, says when a key is not taken, and keeps it for its address", async () => {
    expect((await api("PUT", "/metadata", { key: "letmein" })).json).toMatchObject({ field: "key" });
    const wrong = { key: "f".repeat(32), url: metadata.url };
    expect((await tested("/metadata", wrong)).steps[1]).toMatchObject({ ok: false, code: "AUTH" });
    for (const [method, at] of [
      ["PUT", "/metadata"],
      ["POST", "/metadata/test"],
    ] as const)
      expect((await api(method, at, { url: "http://127.0.0.1:1/3/" })).json).toMatchObject({ field: "key" });
    expect(await put("/metadata", { url: metadata.url, language: "de-DE" })).toMatchObject({ hasKey: true });
    expect(await put("/metadata", { key: null })).toMatchObject({ hasKey: false, url: null });
  });
});

describe("profiles", () => {
  it("have a standard one, which may be changed and does not go; the others follow it", async () => {
    const names = async () =>
      (await api("GET", "/profiles", undefined, "viewer")).json.entries.map((one: { name: string }) => one.name);
    expect(await names()).toEqual(["standard"]);
    await put("/profiles/standard", { minimumSeeders: 7 });
    expect(await put("/profiles/small", { resolutions: ["720p"] })).toMatchObject({
      ...{ name: "small", resolutions: ["720p"], minimumSeeders: 7, codecs: ["h265", "h264"] },
    });
    expect(await names()).toEqual(["small", "standard"]);
    expect((await api("DELETE", "/profiles/standard")).json).toMatchObject({ code: "REFUSED" });
    await api("DELETE", "/profiles/small");
    expect((await api("DELETE", "/profiles/small")).json).toMatchObject({ code: "NOT_FOUND" });
    expect(await put("/profiles/standard", {})).toMatchObject({ minimumSeeders: 1 });
  });

  it.each([
    [{ resolutions: [] }, "resolutions", "allow at least one resolution"],
    [{ resolutions: ["8k"] }, "resolutions.0", '"8k" is no resolution'],
    [{ minMb: 50, maxMb: 40 }, "maxMb", "maxMb has to be at least minMb"],
    [{ requiredWords: ["HDR"], forbiddenWords: ["hdr"] }, "requiredWords", "required and forbidden"],
  ])("are refused as %j, by the field", async (body, field, words) => {
    const { json } = await api("PUT", "/profiles/odd", body);
    expect(json).toMatchObject({ code: "INVALID_INPUT", field });
    expect(json.detail).toContain(words);
  });
});

describe("whoever is no admin", () => {
  it.each(["viewer", "member"] as const)("sees profiles and nothing else: %s", async (as) => {
    const asked: [string, string, unknown?][] = [
      ...["/indexers", "/clients", "/metadata"].map((at): [string, string] => ["GET", at]),
      ...[
        ["PUT", "/indexers/x", { url: indexer.url }],
        ["DELETE", "/indexers/x"],
        ["POST", "/indexers/x/test"],
      ],
      ...[
        ["PUT", "/clients/x", { kind: "embedded" }],
        ["DELETE", "/clients/x"],
        ["POST", "/clients/x/test"],
      ],
      ...[
        ["PUT", "/metadata", {}],
        ["POST", "/metadata/test"],
        ["PUT", "/profiles/x", {}],
        ["DELETE", "/profiles/x"],
      ],
    ] as never;
    for (const [method, at, body] of asked)
      expect((await api(method, at, body, as)).status, `${method} ${at}`).toBe(403);
    expect((await api("GET", "/profiles", undefined, as)).status).toBe(200);
  });
});

it("no secret was ever answered, logged or noted", async () => {
  const audit = await world.ask("/api/v1/audit?limit=200", { as: "admin" });
  expect(audit.text).toContain("media.client.test");
  const all = [...said, audit.text, ...world.logged].join("\n");
  for (const secret of [INDEXER_KEY, PASSWORD, TMDB_KEY]) expect(all).not.toContain(secret);
});

it("a server without media has none of it, and says so", async () => {
  const { media: _, ...ports } = world.ports;
  const { app, policies } = makeApp(ports);
  expect(policies.filter(({ path }) => path.includes("media"))).toEqual([]);
  const headers = { host: "localhost", cookie: world.cookieOf("admin") };
  expect(await (await app.request("/api/v1/overview", { headers })).json()).toMatchObject({ apps: [] });
  expect((await world.ask("/api/v1/overview", { as: "viewer" })).json.apps).toEqual(["media"]);
});

describe("an encoding", () => {
  it("comes along in three kinds, is set whole, changed and removed; what is wrong is said by its field", async () => {
    const names = async () =>
      (await api("GET", "/encodings", undefined, "viewer")).json.entries.map((one: { name: string }) => one.name);
    expect(await names()).toEqual(["av1", "h264", "hevc"]);
    const tv = await put("/encodings/tv", { codec: "hevc", maxHeight: 1080, audio: { codec: "aac" } });
    expect(tv).toMatchObject({
      name: "tv",
      crf: 24,
      preset: "medium",
      audio: { keep: "all", codec: "aac", kbps: 160 },
    });
    expect(await put("/encodings/h264", { codec: "h264", crf: 18 })).toMatchObject({ crf: 18, isAsItCame: false });
    expect(await names()).toEqual(["av1", "h264", "hevc", "tv"]);
    for (const name of ["h264", "tv"]) expect((await api("DELETE", `/encodings/${name}`)).status).toBe(200);
    expect((await api("DELETE", "/encodings/h264")).json).toMatchObject({ code: "REFUSED" });
    expect((await api("DELETE", "/encodings/tv")).json).toMatchObject({ code: "NOT_FOUND" });
    const wrong = async (name: string, body: object) => (await api("PUT", `/encodings/${name}`, body)).json.field;
    expect(await wrong("x", { codec: "hevc", crf: 60 })).toBe("crf");
    expect(await wrong("x", { codec: "av1", preset: "slow" })).toBe("preset");
    expect(await wrong("x", { codec: "mpeg2" })).toBe("codec");
    expect(await wrong("original", { codec: "hevc" })).toBe("name");
    expect((await api("PUT", "/encodings/x", { codec: "hevc" }, "member")).status).toBe(403);
  });

  it("that is not there is refused to whoever asks for a film with it", async () => {
    expect((await api("PUT", "/servers/nas", { kind: "folder", root: "/srv/media" })).status).toBe(200);
    const targets = [{ name: "nas", encoding: "hevk" }];
    const { status, json } = await api("POST", "/requests", { kind: "film", tmdb: 19, targets }, "member");
    expect([status, json.field, json.detail]).toEqual([
      400,
      "targets",
      expect.stringContaining('did you mean "hevc"?'),
    ]);
  });
});

describe("an encoder", () => {
  const say = (name: string, change: object = {}) =>
    api("POST", `/encoders/${name}/say`, { ...ENCODER_WORD, ...change });

  it("is there from its first word on, switched off and on, and forgotten when it is not online", async () => {
    expect((await say("far")).json).toMatchObject({ begin: [], drop: [], taken: [], trial: null });
    const [seen] = (await api("GET", "/encoders")).json.entries;
    expect(seen).toMatchObject({
      ...{
        name: "far",
        where: "remote",
        state: "online",
        isOn: true,
        program: "ffmpeg 7.0",
        codecs: ["hevc"],
        slots: 2,
      },
    });
    expect(await put("/encoders/far", { isOn: false })).toMatchObject({ isOn: false });
    expect((await api("DELETE", "/encoders/far")).json).toMatchObject({ code: "REFUSED" });
    await say("far", { isFirst: false, isLast: true });
    expect((await api("GET", "/encoders")).json.entries[0].state).toBe("stopped");
    expect((await api("DELETE", "/encoders/far")).json).toEqual({ ok: true, would: null });
    expect((await api("PUT", "/encoders/far", { isOn: true })).json).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is heard with a key for encoding, which opens nothing else", async () => {
    const admin = { user: "ann", role: "admin", via: "session", scopes: null } as const;
    const { key } = await world.access.makeKey(admin, { name: "enc", scopes: ["encode"] }, "here");
    const headers = { authorization: `Bearer ${key}` };
    const as = (method: string, at: string, body?: unknown) => world.ask(`/api/v1${at}`, { method, body, headers });
    expect((await as("POST", "/media/encoders/near/say", ENCODER_WORD)).status).toBe(200);
    for (const at of ["/media/encoders", "/media/requests", "/items"]) expect((await as("GET", at)).status).toBe(403);
    expect((await as("PUT", "/media/encoders/near", { isOn: false })).status).toBe(403);
  });

  it("has its key for itself: who has it speaks for no other, and has its name while it is online", async () => {
    const admin = { user: "ann", role: "admin", via: "session", scopes: null } as const;
    const speaker = async (name: string) => {
      const { key } = await world.access.makeKey(admin, { name, scopes: ["encode"] }, "here");
      return async (as: string, change: object = {}) => {
        const body = { ...ENCODER_WORD, life: name, ...change };
        const headers = { authorization: `Bearer ${key}` };
        return (await world.ask(`/api/v1/media/encoders/${as}/say`, { method: "POST", body, headers })).json;
      };
    };
    const [shed, attic] = [await speaker("shed"), await speaker("attic")];
    expect(await shed("shed")).toMatchObject({ begin: [] });
    expect(await shed("attic")).toMatchObject({
      ...{ status: 409, code: "KEY_OF_ANOTHER" },
      detail: "this key is encoder shed's; make one for attic, or forget shed first",
    });
    expect(await attic("shed")).toMatchObject({ status: 409, code: "CONFLICT" });
    expect(await attic("attic")).toMatchObject({ begin: [] });
    // Forgotten, its key is free; and its name is another's.
    await shed("shed", { isFirst: false, isLast: true });
    await attic("attic", { isFirst: false, isLast: true });
    for (const name of ["shed", "attic"]) expect((await api("DELETE", `/encoders/${name}`)).status).toBe(200);
    expect(await attic("shed")).toMatchObject({ begin: [] });
    expect(await shed("attic")).toMatchObject({ begin: [] });
    for (const [name, speak] of [
      ["shed", attic],
      ["attic", shed],
    ] as const) {
      await speak(name, { isFirst: false, isLast: true });
      await api("DELETE", `/encoders/${name}`);
    }
  });

  it("waits until there is something for it, and is told whether there is", async () => {
    await say("idle");
    const wait = async (jobs: object[], query = "") =>
      (await api("POST", `/encoders/idle/wait${query}`, { jobs })).json;
    expect(await wait([{ key: "another-s", turn: 1 }])).toEqual({ isNews: true });
    expect(await wait([], "?dryRun=true")).toEqual({ isNews: false });
    const waiting = wait([]);
    const testing = tested("/encoders/idle");
    expect(await waiting).toEqual({ isNews: true });
    const trial = (await say("idle", { isFirst: false })).json.trial;
    await say("idle", {
      isFirst: false,
      tried: { trial: trial.trial, sees: true, self: ENCODER_WORD.self, failure: null },
    });
    expect(lines(await testing)[0]).toContain("it speaks");
    await say("idle", { isFirst: false, isLast: true });
  });

  it("that is tested says what was tried; one that is silent is told so", async () => {
    await say("told");
    const testing = tested("/encoders/told");
    const trial = await vi.waitUntil(async () => (await say("told", { isFirst: false })).json.trial, {
      timeout: 9_000,
    });
    const report = { trial: trial.trial, sees: true, self: ENCODER_WORD.self, failure: null };
    await say("told", { isFirst: false, tried: report });
    expect(lines(await testing)).toEqual([
      "✓ listened for it: it speaks, and has tried what it can",
      "✓ ran its program: ffmpeg 7.0",
      "✓ encoded a picture with each codec: hevc, aac",
      "✓ asked whether ffmpeg is kept off the network: it has none",
      "✓ looked for a file of ours: it sees where films are put",
    ]);
    await say("told", { isFirst: false, isLast: true });
    expect(lines(await tested("/encoders/told"))).toEqual([
      expect.stringMatching(/^NOT_REACHED listened for it: it was stopped/),
    ]);
  });
});
