import { afterEach, describe, expect, test } from "vitest";
import { clientOf, DIALECTS, film, serving, stopServing } from "../../../../test/support/qbittorrent-serving.ts";
import { contractWorld } from "../../../../test/support/torrent-worlds.ts";
import { InputError, manualClock } from "../../../kit/index.ts";
import { torrentsContract } from "../torrents.contract.ts";
import { qbittorrent } from "./qbittorrent.ts";

afterEach(stopServing);

describe.each(DIALECTS)("the client of qBittorrent %s", (dialect) => {
  test.each(torrentsContract)("keeps the contract: $name", async ({ run }) => {
    const server = await serving(dialect);
    await run(contractWorld(clientOf(server), server.world, (isDown) => (isDown ? server.stop() : server.start())));
  });

  test("logs in once, and looks with one call each", async () => {
    const server = await serving(dialect);
    const client = clientOf(server);
    await client.look();
    await client.look();
    expect(server.requests).toEqual(["POST auth/login", "GET sync/maindata?rid=0", "GET sync/maindata?rid=1"]);
  });

  test("logs in anew where its session ran out, and begins from the whole list", async () => {
    const server = await serving(dialect);
    const client = clientOf(server);
    await client.add(film("a").torrent);
    server.doors.expire();
    server.requests.length = 0;
    const [seen] = await Promise.all([client.look(), client.about(), client.look()]);
    expect(seen?.size).toBe(1);
    expect(server.requests.filter((request) => request.includes("login"))).toHaveLength(1);
    expect(server.requests).toContain("GET sync/maindata?rid=0");
  });

  test("is refused with a wrong password, and does not ask again and again", async () => {
    const server = await serving(dialect);
    const clock = manualClock();
    const client = clientOf(server, { password: "wrong", clock });
    const refused = { kind: "unavailable", code: "AUTH", breaker: "open", service: "downloads:one" };
    for (let i = 0; i < 10; i += 1) await expect(client.look()).rejects.toMatchObject(refused);
    expect(server.requests).toEqual(["POST auth/login"]);
    await clock.advance(15 * 60_000);
    await expect(client.look()).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(2);
  });

  test("a ban is told as one, and is over when it is over", async () => {
    const server = await serving(dialect);
    for (let i = 0; i < 5; i += 1)
      await clientOf(server, { password: "wrong" })
        .look()
        .catch(() => undefined);
    const clock = manualClock();
    const client = clientOf(server, { clock });
    await expect(client.look()).rejects.toMatchObject({ code: "AUTH", message: expect.stringContaining("banned") });
    server.doors.forgive();
    await clock.advance(15 * 60_000);
    expect(await client.look()).toEqual(new Map());
  });

  test("a nudge uses the words of this version, which is read once", async () => {
    const server = await serving(dialect);
    const client = clientOf(server);
    const { torrent, infohash } = film("a");
    await client.add(torrent);
    server.requests.length = 0;
    await client.nudge(infohash);
    await client.nudge(infohash);
    const verb = dialect === "4.6" ? "resume" : "start";
    const both = [`POST torrents/${verb}`, "POST torrents/reannounce"];
    expect(server.requests).toEqual(["GET app/webapiVersion", ...both, ...both]);
  });
});

describe("being let in", () => {
  test("a key needs no log-in, and a wrong one is refused", async () => {
    const server = await serving("5.2");
    const keyed = { service: "downloads:one", baseUrl: server.url };
    const client = qbittorrent({ ...keyed, apiKey: server.doors.apiKey });
    await client.add(film("a").torrent);
    expect((await client.look()).size).toBe(1);
    expect(server.requests.some((request) => request.includes("login"))).toBe(false);
    await expect(qbittorrent({ ...keyed, apiKey: "wrong" }).look()).rejects.toMatchObject({ code: "AUTH" });
  });

  test("an address that is trusted needs nothing", async () => {
    const server = await serving();
    server.doors.isOpen = true;
    await clientOf(server).add(film("a").torrent);
    expect((await qbittorrent({ service: "x", baseUrl: server.url }).look()).size).toBe(1);
  });

  test("what cannot be right is refused before anybody is asked", () => {
    const base = { service: "x", baseUrl: "http://127.0.0.1:1" };
    expect(() => qbittorrent({ ...base, username: "a" })).toThrow(InputError);
    expect(() => qbittorrent({ ...base, username: "a", password: "b", apiKey: "c" })).toThrow(InputError);
  });

  test("a server that refuses the second session too is not asked a third time", async () => {
    const server = await serving();
    const client = clientOf(server);
    await client.look();
    server.requests.length = 0;
    server.troubles.push([403, "Forbidden"], [200, "Ok."], [403, "Forbidden"]);
    await expect(client.look()).rejects.toMatchObject({ kind: "unavailable", code: "AUTH" });
    expect(server.requests).toHaveLength(3);
  });
});
