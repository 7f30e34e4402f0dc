import type { RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { closedAddress, closeServers, faultOf, serve } from "../../../test/support/loopback.ts";
import { Fault } from "../../engine/index.ts";
import { fakeIndexer } from "./fake-indexer.ts";
import type { Release } from "./indexer.ts";
import { type TorznabOptions, torznab } from "./torznab.ts";

afterEach(closeServers);

const KEY = "k3y-of-the-indexer";
const HASH = "0123456789abcdef0123456789abcdef01234567";
const MAGNET = `magnet:?xt=urn:btih:${HASH}&dn=A%20film`;
const TORRENT = Buffer.from("d8:announce7:udp://t4:infod4:name1:aee");
const template = (
  await fakeIndexer({ offers: [{ id: "a", title: "A", torrent: { magnet: MAGNET } }] }).indexer.search({
    ...{ kind: "film", title: "A", year: null },
  })
).releases[0] as Release; // it has one offer

/** An indexer whose links are answered so, and the release behind the link /dl. */
async function at(listener: RequestListener, some: Partial<Release> = {}, options: Partial<TorznabOptions> = {}) {
  const seen: string[] = [];
  const home = await serve((request, response) => {
    seen.push(request.url ?? "");
    listener(request, response);
  });
  const indexer = torznab({ service: "indexer:one", baseUrl: `${home}/1/`, apiKey: KEY, ...options });
  const release = { ...template, downloadUrl: `${home}/dl?apikey={apikey}`, ...some };
  return { home, seen, fetch: (signal?: AbortSignal) => indexer.fetchTorrent(release, { signal }) };
}
const redirect =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(301, { location }).end();
const say =
  (status: number, body: string | Buffer, type = "application/xml"): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": type }).end(body);

describe("a link", () => {
  test("leads to a torrent, and is sent with the key that was hidden", async () => {
    const { fetch, seen } = await at(say(200, TORRENT));
    expect(Buffer.from((await fetch()).file ?? [])).toEqual(TORRENT);
    expect(seen).toEqual([`/dl?apikey=${KEY}`]);
  });

  test("leads to a magnet", async () => {
    expect(await (await at(redirect(MAGNET))).fetch()).toEqual({ magnet: MAGNET });
  });

  test("leads over redirects, one at a time", async () => {
    const steps = new Map([
      [`/dl?apikey=${KEY}`, "/two"],
      ["/two", "/three"],
      ["/three", MAGNET],
    ]);
    const { fetch, seen } = await at((request, response) =>
      redirect(steps.get(request.url ?? "") ?? "/")(request, response),
    );
    expect(await fetch()).toEqual({ magnet: MAGNET });
    expect(seen).toEqual([`/dl?apikey=${KEY}`, "/two", "/three"]);
  });

  test("leads round and round, and is given up", async () => {
    const { fetch, seen } = await at(redirect("/dl"));
    await expect(fetch()).rejects.toMatchObject({ kind: "transient", code: "REDIRECTED", breaker: "failure" });
    expect(seen).toHaveLength(6);
  });

  test.each(["file:///etc/passwd", "ftp://x/y", "magnets:?x", "javascript:1"])(
    "that leads to %s is refused",
    async (location) => {
      await expect((await at(redirect(location))).fetch()).rejects.toMatchObject({ code: "REDIRECTED" });
    },
  );

  test("that leads to a magnet without an infohash is refused", async () => {
    const { fetch } = await at(redirect("magnet:?dn=x"));
    await expect(fetch()).rejects.toMatchObject({ kind: "permanent", code: "NOT_A_TORRENT", breaker: "success" });
  });
});

describe("somebody else's machine", () => {
  test("of this network is not gone to from a redirect, nor is the indexer blamed", async () => {
    const other = await at(say(200, TORRENT));
    const { fetch } = await at(redirect(`${other.home}/x`));
    expect(await faultOf(fetch())).toMatchObject({ kind: "permanent", code: "EGRESS_REFUSED", breaker: "none" });
    expect(other.seen).toEqual([]);
  });

  test("of this network is not gone to from a link", async () => {
    const other = await at(say(200, TORRENT));
    const { fetch } = await at(say(500, ""), { downloadUrl: `${other.home}/x` });
    expect(await faultOf(fetch())).toMatchObject({ code: "EGRESS_REFUSED", breaker: "none" });
    expect(other.seen).toEqual([]);
  });

  test("is gone to where that was configured, without the indexer's headers", async () => {
    let sent: unknown = "nothing";
    const other = await at((request, response) => {
      sent = request.headers.authorization;
      response.end(TORRENT);
    });
    const { fetch } = await at(redirect(`${other.home}/x`), {}, { links: "lan", headers: { authorization: "secret" } });
    expect(await fetch()).toHaveProperty("file");
    expect(sent).toBeUndefined();
  });

  test("that fails says nothing about the indexer", async () => {
    const other = await at(say(401, ""));
    const { fetch } = await at(redirect(`${other.home}/x`), {}, { links: "lan" });
    expect(await faultOf(fetch())).toMatchObject({ kind: "unavailable", code: "AUTH", breaker: "none" });
  });

  test("may lead back to the indexer, but not with the indexer's rights", async () => {
    const back = { home: "" };
    const sent: unknown[] = [];
    const other = await at((request, response) => redirect(`${back.home}/back`)(request, response));
    const { fetch, home } = await at(
      (request, response) => {
        sent.push(request.headers.authorization);
        if (request.url === "/back") response.end(TORRENT);
        else redirect(`${other.home}/x`)(request, response);
      },
      {},
      { links: "lan", headers: { authorization: "secret" } },
    );
    back.home = home;
    expect(await fetch()).toHaveProperty("file");
    expect(sent).toEqual(["secret", undefined]);
  });
});

describe("what is no torrent", () => {
  test.each<[string, RequestListener, string, string, RegExp]>([
    [
      "a page",
      say(200, "<html><p>Please log in<br></html>", "text/html"),
      "transient",
      "NOT_A_TORRENT",
      /a web page, not a torrent/,
    ],
    ["an NZB", say(200, `<?xml version="1.0"?><nzb/>`), "transient", "NOT_A_TORRENT", /not a torrent/],
    ["nothing", say(200, ""), "transient", "NOT_A_TORRENT", /not a torrent/],
    ["a dictionary without an info", say(200, "d1:ai1ee"), "transient", "NOT_A_TORRENT", /not a torrent/],
    ["too much", say(200, Buffer.alloc(3_000, "d4:infod")), "transient", "TOO_LARGE", /more than 2000 bytes/],
    [
      "an error as a success",
      say(200, `<error code="300" description="No such item"/>`),
      "permanent",
      "RELEASE_GONE",
      /No such item/,
    ],
    [
      "a limit",
      say(429, `<error code="429" description="Grab Limit reached"/>`),
      "unavailable",
      "RATE_LIMITED",
      /Grab Limit/,
    ],
    ["a refused key", say(401, `<error code="100" description="Invalid"/>`), "unavailable", "AUTH", /Invalid/],
    ["a release that is gone", say(410, `<error code="410" description="gone"/>`), "permanent", "RELEASE_GONE", /gone/],
    ["404", say(404, "no", "text/plain"), "permanent", "RELEASE_GONE", /no more/],
    ["500", say(500, "no", "text/plain"), "transient", "HTTP_500", /500/],
  ])("%s is a fault", async (_, listener, kind, code, message) => {
    const { fetch } = await at(listener, {}, { limits: { answerBytes: 2_000 } });
    const fault = await faultOf(fetch());
    expect(fault).toMatchObject({ kind, code, message: expect.stringMatching(message) });
    expect(`${fault.message} ${fault.stack}`).not.toContain(KEY);
  });

  test("no fault tells what stands in a link: trackers put keys into paths", async () => {
    const { fetch, home } = await at(say(500, ""), { downloadUrl: null, magnet: null });
    expect(await faultOf(fetch())).toMatchObject({ kind: "permanent", code: "NOT_A_TORRENT" });
    const passkey = "0a1b2c3d4e5f";
    const path = await at(say(500, ""), { downloadUrl: `${home}/${passkey}/1.torrent` }, { links: "lan" });
    expect((await faultOf(path.fetch())).message).not.toContain(passkey);
    const nobody = await at(say(500, ""), { downloadUrl: `${await closedAddress()}/${passkey}/1` }, { links: "lan" });
    expect((await faultOf(nobody.fetch())).message).not.toContain(passkey);
  });
});

describe("a magnet that is told", () => {
  test("needs no call", async () => {
    const { fetch, seen } = await at(say(500, ""), { downloadUrl: null, magnet: MAGNET });
    expect(await fetch()).toEqual({ magnet: MAGNET });
    expect(seen).toEqual([]);
  });

  test("is second to a file, and takes its place where there is none any more", async () => {
    expect(await (await at(say(200, TORRENT), { magnet: MAGNET })).fetch()).toHaveProperty("file");
    expect(await (await at(say(404, ""), { magnet: MAGNET })).fetch()).toEqual({ magnet: MAGNET });
  });

  test("is not what a call ends with that was given up", async () => {
    const { fetch } = await at(say(404, ""), { magnet: MAGNET });
    const reason = new Fault("permanent", "CANCELLED", "nobody wants it any more");
    await expect(fetch(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("hides no fault that passes", async () => {
    await expect((await at(say(503, ""), { magnet: MAGNET })).fetch()).rejects.toMatchObject({ kind: "unavailable" });
  });
});

test("a release for Usenet is refused", async () => {
  const { fetch } = await at(say(200, TORRENT), { protocol: "usenet" });
  await expect(fetch()).rejects.toMatchObject({ kind: "permanent", code: "NOT_A_TORRENT" });
});
