import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ServerTrouble } from "../../../sandbox/media/little-server.ts";
import { TmdbServer, tmdbError } from "../../../sandbox/media/tmdb-server.ts";
import { faultOf } from "../../../test/support/loopback.ts";
import type { MetadataTrouble } from "./fake-metadata.ts";
import { tmdbContract } from "./tmdb.contract.ts";
import { type TmdbOptions, tmdb } from "./tmdb.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ4In0.c2lnbmF0dXJl_-w";

let server: TmdbServer;
const client = (options: Partial<TmdbOptions> = {}) =>
  tmdb({ key: KEY, baseUrl: server.url, imagesUrl: server.imagesUrl, ...options });

beforeEach(async () => {
  server = new TmdbServer({ key: KEY, films: [{ id: 1, title: "One" }] });
  await server.up();
});

afterEach(() => server.down());

const troubles: Readonly<Record<Exclude<MetadataTrouble, object>, ServerTrouble>> = {
  refused: "silent",
  timeout: "silent",
  "rate-limited": tmdbError(429, 25, "Your request count (41) is over the allowed limit of (40).", {
    "retry-after": "7",
  }),
  "wrong-key": tmdbError(401, 7, "Invalid API key: You must be granted a valid key."),
  "web-page": "web-page",
  crash: tmdbError(500, 11, "Internal error: Something went wrong, contact TMDB."),
  offline: tmdbError(503, 9, "Service offline: This service is temporarily offline, try again later."),
};

describe("the real client keeps the contract, against a real server", () => {
  test.each(tmdbContract)("$name", async ({ run }) => {
    await run({
      metadata: client(),
      world: server.world,
      down: (isDown) => (isDown ? server.down() : server.up()),
      trouble: (trouble) => void server.troubles.push(troubles[trouble]),
    });
  });
});

describe("a key", () => {
  test("of version 3 goes into the query, a token into a header", async () => {
    await client().film(1);
    expect(server.requests).toEqual(["/3/movie/1?append_to_response=external_ids&api_key=…"]);
    await server.down();
    server = new TmdbServer({ key: TOKEN, films: [{ id: 1, title: "One" }] });
    await server.up();
    await client({ key: TOKEN }).film(1);
    expect(server.requests).toEqual(["/3/movie/1?append_to_response=external_ids"]);
  });

  test.each(["", "abc", `${KEY}0`, "a.b", "two words.b.c"])("%j is refused before anything is sent", (key) => {
    expect(() => client({ key })).toThrow("32 hex digits");
  });

  test("that is refused is not told", () => {
    expect(() => client({ key: "my-secret-word" })).not.toThrow("my-secret-word");
  });
});

describe("a service in trouble", () => {
  const film = (body: unknown): ServerTrouble => ({ status: 200, body: JSON.stringify(body) });

  test.each<[string, ServerTrouble, string, string, string]>([
    ["an id that it does not take", tmdbError(404, 6, "Invalid id"), "permanent", "TMDB_NOT_FOUND", "success"],
    ["404 of somebody else", { status: 404, body: "<html>nginx</html>" }, "unavailable", "WRONG_ADDRESS", "open"],
    ["a suspended key", tmdbError(401, 10, "Suspended API key"), "unavailable", "AUTH", "open"],
    ["a key refused as a success", tmdbError(200, 7, "Invalid API key"), "unavailable", "AUTH", "open"],
    ["403 of somebody else", { status: 403 }, "unavailable", "AUTH", "open"],
    [
      "a limit as a success",
      tmdbError(200, 25, "over the limit", { "retry-after": "3" }),
      "unavailable",
      "RATE_LIMITED",
      "none",
    ],
    ["429 without a word", { status: 429 }, "unavailable", "RATE_LIMITED", "none"],
    ["maintenance", tmdbError(503, 46, "The API is undergoing maintenance."), "unavailable", "HTTP_503", "failure"],
    ["502", tmdbError(502, 43, "Couldn't connect to the backend server."), "transient", "HTTP_502", "failure"],
    ["504", tmdbError(504, 24, "Your request to the backend server timed out."), "transient", "HTTP_504", "failure"],
    ["wrong parameters", tmdbError(422, 5, "Invalid parameters"), "permanent", "HTTP_422", "success"],
    ["another refusal as a success", tmdbError(200, 15, "Failed."), "transient", "BAD_ANSWER", "failure"],
    ["half of its answer", "by-half", "transient", "BAD_ANSWER", "failure"],
    ["another film", film({ id: 2, title: "Two" }), "transient", "BAD_ANSWER", "failure"],
    ["a film without a title", film({ id: 1 }), "transient", "BAD_ANSWER", "failure"],
    ["a list", film([]), "transient", "BAD_ANSWER", "failure"],
    ["fifty megabytes", "huge", "transient", "TOO_LARGE", "failure"],
    ["a redirect", { status: 302, headers: { location: "/login" } }, "transient", "REDIRECTED", "failure"],
    ["silence", "silent", "transient", "TIMEOUT", "failure"],
  ])("%s", async (_, trouble, kind, code, breaker) => {
    server.troubles.push(trouble);
    const metadata = client(code === "TIMEOUT" ? { limits: { headersMs: 50 } } : {});
    await expect(metadata.film(1)).rejects.toMatchObject({ kind, code, breaker, service: "tmdb" });
    expect((await client().film(1)).title).toBe("One");
  });

  test.each<ServerTrouble>([
    tmdbError(401, 7, `the key ${KEY} is bad`),
    tmdbError(500, 11, `GET /3/movie/1?api_key=${KEY}`),
    { status: 500, body: `no ${KEY}` },
    { status: 200, body: `{"${KEY}` },
  ])("%j tells nobody the key", async (trouble) => {
    server.standing = trouble;
    const { message, stack, cause } = await faultOf(client().film(1));
    expect(`${message} ${stack} ${String(cause)}`).not.toContain(KEY);
  });
});

describe("what is odd is not known", () => {
  const told = async (some: object) => {
    server.standing = { status: 200, body: JSON.stringify({ id: 1, title: "One", ...some }) };
    return client().film(1);
  };

  test.each<[object, object]>([
    [{ release_date: "" }, { date: null }],
    [{ release_date: "2026-02-30" }, { date: null }],
    [{ release_date: "2026-03-01T00:00:00Z" }, { date: null }],
    [{ release_date: 7 }, { date: null }],
    [{ runtime: 0 }, { runtimeMinutes: null }],
    [{ runtime: -5 }, { runtimeMinutes: null }],
    [{ imdb_id: "" }, { imdbId: null }],
    [{ imdb_id: null, external_ids: { imdb_id: "tt0000009" } }, { imdbId: "tt0000009" }],
    [{ external_ids: "none" }, { imdbId: null, tvdbId: null }],
    [{ poster_path: "/../../etc/passwd" }, { posterPath: null }],
    [{ poster_path: "https://evil.example/x.jpg" }, { posterPath: null }],
    [{ overview: "line\nand\0NUL\u202e" }, { overview: "line and NUL" }],
    [{ title: "turned\u202egpj" }, { title: "turned gpj" }],
    [{ unheard: { of: [] } }, { title: "One" }],
  ])("%j", async (some, expected) => {
    expect(await told(some)).toMatchObject(expected);
  });

  test("a title that is only control characters makes a bad answer", async () => {
    await expect(told({ title: "\u202e\0" })).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });

  test("an entry that cannot be read costs no other of what was found", async () => {
    server.standing = { status: 200, body: JSON.stringify({ results: [{ id: "x" }, null, { id: 2, title: "Two" }] }) };
    expect((await client().searchFilms("two")).map(({ id }) => id)).toEqual([2]);
  });

  test("an episode without its number makes a bad answer: nobody would ask for it", async () => {
    server.standing = { status: 200, body: JSON.stringify({ season_number: 1, episodes: [{ name: "?" }] }) };
    await expect(client().season(7, 1)).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });

  test("another season makes a bad answer", async () => {
    server.standing = { status: 200, body: JSON.stringify({ season_number: 2, episodes: [] }) };
    await expect(client().season(7, 1)).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });
});

test("titles are asked for in the language that is set", async () => {
  await client({ language: "de-DE" }).searchFilms("a b", 1927);
  expect(server.requests).toEqual(["/3/search/movie?query=a%20b&year=1927&language=de-DE&api_key=…"]);
});

test("images come from where that was set, without the key, and never more than two megabytes", async () => {
  server.world.addImage("/a.jpg", Buffer.from("ffd8ffe0", "hex"));
  server.world.addImage("/huge.jpg", Buffer.alloc(2 * 1024 * 1024 + 1, 0xff));
  const metadata = client({ imagesUrl: server.imagesUrl });
  expect(await metadata.image("poster", "/a.jpg", 342)).toMatchObject({ type: "image/jpeg" });
  expect(server.requests).toEqual(["/t/p/w342/a.jpg"]);
  await expect(metadata.image("poster", "/huge.jpg", 342)).rejects.toMatchObject({ code: "TOO_LARGE" });
});
