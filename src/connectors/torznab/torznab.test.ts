import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ServerTrouble } from "../../../sandbox/media/little-server.ts";
import { TorznabServer, torznabError } from "../../../sandbox/media/torznab-server.ts";
import { faultOf } from "../../../test/support/loopback.ts";
import { InputError, manualClock } from "../../kit/index.ts";
import type { IndexerTrouble } from "./fake-indexer.ts";
import type { IndexerCaps, Wanted } from "./indexer.ts";
import type { Offer } from "./indexer-world.ts";
import { torznabContract } from "./torznab.contract.ts";
import { type TorznabOptions, torznab } from "./torznab.ts";

const KEY = "k3y-of-the-indexer";
const film: Wanted = { kind: "film", title: "Metropolis", year: 1927, imdbId: "tt0017136" };
const offer = (n: number, some: Partial<Offer> = {}): Offer => ({
  ...{ id: `m-${n}`, title: `Metropolis.1927.${n}p`, imdbId: "tt0017136" },
  torrent: { file: Buffer.from("d4:infod4:name1:aee") },
  ...some,
});

let server = new TorznabServer();
const client = (options: Partial<TorznabOptions> = {}) =>
  torznab({ service: "indexer:one", baseUrl: server.url, apiKey: KEY, ...options });

async function serve(caps?: Partial<IndexerCaps>): Promise<void> {
  await server.down();
  server = new TorznabServer({ apiKey: KEY, ...(caps === undefined ? {} : { caps }) });
  await server.up();
}

beforeEach(() => serve());

afterEach(() => server.down());

const troubles: Readonly<Record<Exclude<IndexerTrouble, object>, ServerTrouble>> = {
  refused: "silent",
  timeout: "silent",
  "rate-limited": { ...torznabError(429, "Indexer is disabled till later", 429), headers: { "retry-after": "7" } },
  "limit-reached": torznabError(500, "Request limit reached"),
  "wrong-key": torznabError(100, "Incorrect user credentials"),
  "web-page": "web-page",
  crash: torznabError(500, "Object reference not set", 500),
};

describe("the real client keeps the contract, against a real server", () => {
  test.each(torznabContract)("$name", async ({ run }) => {
    await run({
      indexer: client(),
      world: server.world,
      down: (isDown) => (isDown ? server.down() : server.up()),
      troubleSearch: (trouble) => void server.troubles.push(troubles[trouble]),
    });
  });
});

describe("an indexer in trouble", () => {
  test.each<[string, ServerTrouble, string, string, string]>([
    ["a suspended account", torznabError(101, "Account suspended"), "unavailable", "AUTH", "open"],
    ["a key refused with a status", torznabError(100, "Invalid API Key", 401), "unavailable", "AUTH", "open"],
    ["a limit by another number", torznabError(501, "Download limit reached"), "unavailable", "RATE_LIMITED", "none"],
    ["a limit by its number alone", torznabError(500, "Sorry"), "unavailable", "RATE_LIMITED", "none"],
    ["a limit by its words", torznabError(900, "Daily limit exceeded"), "unavailable", "RATE_LIMITED", "none"],
    ["429 without XML", { status: 429, headers: { "retry-after": "9" } }, "unavailable", "RATE_LIMITED", "none"],
    ["an indexer switched off", torznabError(410, "Indexer is disabled", 410), "unavailable", "SWITCHED_OFF", "open"],
    ["an API switched off", torznabError(910, "API Disabled"), "unavailable", "SWITCHED_OFF", "open"],
    ["a wrong address", { status: 404, body: "<html>no</html>" }, "unavailable", "WRONG_ADDRESS", "open"],
    [
      "an indexer that is none",
      torznabError(201, "Indexer is not configured", 404),
      "unavailable",
      "WRONG_ADDRESS",
      "open",
    ],
    ["an unknown error", torznabError(900, "Unknown"), "transient", "INDEXER_ERROR", "failure"],
    ["an error without a number", { status: 200, body: "<error/>" }, "transient", "INDEXER_ERROR", "failure"],
    ["a function it has not", torznabError(203, "Function not available"), "permanent", "INDEXER_REFUSED", "success"],
    ["503", { status: 503, body: "<html>busy</html>" }, "unavailable", "HTTP_503", "failure"],
    ["502 with a page", { status: 502, body: "<html>bad gateway</html>" }, "transient", "HTTP_502", "failure"],
    ["500 with an answer", { status: 500, body: "<caps/>" }, "transient", "HTTP_500", "failure"],
    ["half of its answer", "by-half", "transient", "BAD_ANSWER", "failure"],
    ["other XML", { status: 200, body: "<feed/>" }, "transient", "BAD_ANSWER", "failure"],
    ["nothing", { status: 200 }, "transient", "BAD_ANSWER", "failure"],
    ["fifty megabytes", "huge", "transient", "TOO_LARGE", "failure"],
    [
      "a redirect to elsewhere",
      { status: 302, headers: { location: "http://127.0.0.2/" } },
      "transient",
      "REDIRECTED",
      "failure",
    ],
    ["silence", "silent", "transient", "TIMEOUT", "failure"],
  ])("%s", async (_, trouble, kind, code, breaker) => {
    server.world.add(offer(1080));
    const indexer = client(code === "TIMEOUT" ? { limits: { headersMs: 50 } } : {});
    server.troubles.push(trouble);
    await expect(indexer.caps()).rejects.toMatchObject({ kind, code, breaker, service: "indexer:one" });
    expect((await client().search(film)).releases).toHaveLength(1);
  });

  test("a slow one is waited for", async () => {
    server.troubles.push({ slowMs: 30 });
    expect(await client().caps()).toEqual(server.world.caps);
  });

  test("waits as long as is said, where a limit is reached", async () => {
    server.standing = { ...torznabError(500, "Request limit reached"), headers: { "retry-after": "120" } };
    expect((await faultOf(client().caps())).retryAfterMs).toBe(120_000);
  });

  test.each<ServerTrouble>([
    torznabError(100, `Key ${KEY} is not known`),
    torznabError(900, `see http://x/?apikey=${encodeURIComponent(KEY)}`),
    torznabError(500, `GET /api?apikey=${KEY} failed`, 500),
    { status: 418, body: `no ${KEY}` },
    { status: 200, body: `<rss>${KEY}` },
    "web-page",
  ])("%j tells nobody the key", async (trouble) => {
    server.standing = trouble;
    const { message, stack, cause } = await faultOf(client().search(film));
    expect(`${message} ${stack} ${String(cause)}`).not.toContain(KEY);
  });
});

describe("caps", () => {
  test("are remembered for a while", async () => {
    const clock = manualClock();
    const indexer = client({ clock, capsMs: 1_000 });
    const reads = () => server.requests.filter((url) => url.includes("t=caps")).length;
    await indexer.search(film);
    await indexer.search(film);
    expect(reads()).toBe(1);
    await clock.advance(1_000);
    await indexer.search(film);
    expect(reads()).toBe(2);
  });

  test("that were remembered are read anew when a parameter is refused", async () => {
    server.world.add(offer(1080));
    const indexer = client();
    await indexer.caps();
    server.troubles.push(torznabError(201, "Incorrect parameter (imdbid)"));
    expect((await indexer.search(film)).releases).toHaveLength(1);
    expect(server.requests.filter((url) => url.includes("t=caps"))).toHaveLength(2);
  });

  test("that were just read are not", async () => {
    const indexer = client();
    await indexer.caps();
    server.troubles.push(
      torznabError(201, "Incorrect parameter"),
      { slowMs: 0 },
      torznabError(201, "Incorrect parameter"),
    );
    await expect(indexer.search(film)).rejects.toMatchObject({ code: "INDEXER_REFUSED" });
  });
});

describe("a search", () => {
  test("is sent with %20, our key and nothing the indexer does not know", async () => {
    await serve({ film: { parameters: ["q"], isRaw: true } });
    await client().search({ kind: "film", title: "A + B & C", year: 2001, imdbId: "tt0017136" });
    expect(server.requests[1]).toBe(
      "/1/api?t=movie&q=A%20%2B%20B%20%26%20C%202001&cat=2000&extended=1&limit=100&offset=0&apikey=…",
    );
  });

  test.each(["", "api", "api/"])("takes an address that ends in %j", async (end) => {
    expect(await client({ baseUrl: `${server.url}${end}` }).caps()).toEqual(server.world.caps);
  });

  test("goes on over pages, until they end", async () => {
    await serve({ pageSize: 10 });
    for (let n = 0; n < 25; n += 1) server.world.add(offer(n));
    const { releases, isCut } = await client().search(film);
    expect([releases.length, isCut]).toEqual([25, false]);
    expect(server.requests.filter((url) => url.includes("t=movie"))).toHaveLength(3);
  });

  test("ends after so many pages, and says that there was more", async () => {
    await serve({ pageSize: 10 });
    for (let n = 0; n < 25; n += 1) server.world.add(offer(n));
    const { releases, isCut } = await client({ pages: 2 }).search(film);
    expect([releases.length, isCut]).toEqual([20, true]);
  });

  test("ends where every page is the first one", async () => {
    const items = Array.from(
      { length: 100 },
      (_, n) => `<item><title>Metropolis ${n}</title><link>/${n}</link></item>`,
    );
    await client().caps();
    server.troubles.push({ slowMs: 0 });
    server.standing = { status: 200, body: `<rss><channel>${items.join("")}</channel></rss>` };
    const { releases, isCut } = await client().search(film);
    expect([releases.length, isCut]).toEqual([100, false]);
    expect(server.requests).toHaveLength(4);
  });

  test("counts what it could not read, and takes no more than two thousand", async () => {
    const items = Array.from(
      { length: 10_000 },
      (_, n) => `<item><title>Metropolis ${n}</title><link>/${n}</link></item>`,
    );
    server.troubles.push({ slowMs: 0 });
    server.standing = { status: 200, body: `<rss><channel><item/>${items.join("")}</channel></rss>` };
    const { releases, isCut, unreadable } = await client().search(film);
    expect([releases.length, isCut, unreadable]).toEqual([2_000, true, 1]);
  });
});

test("an address that holds the key is refused without telling it", () => {
  try {
    client({ baseUrl: `${server.url}api?apikey=${KEY}` });
    expect.fail("it was taken");
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).not.toContain(KEY);
  }
});
