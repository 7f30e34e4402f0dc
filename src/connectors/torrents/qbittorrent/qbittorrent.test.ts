import { afterEach, describe, expect, test } from "vitest";
import { makeTorrent } from "../../../../sandbox/media/make-torrent.ts";
import { QbittorrentServer } from "../../../../sandbox/media/qbittorrent-server.ts";
import type { Dialect } from "../../../../sandbox/media/qbittorrent-words.ts";
import { contractWorld } from "../../../../test/support/torrent-worlds.ts";
import { InputError, manualClock } from "../../../kit/index.ts";
import { readTorrent } from "../infohash.ts";
import { torrentsContract } from "../torrents.contract.ts";
import { type QbittorrentOptions, qbittorrent } from "./qbittorrent.ts";

const DIALECTS: readonly Dialect[] = ["4.6", "5.1", "5.2"];
const servers: QbittorrentServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serving(dialect: Dialect = "4.6"): Promise<QbittorrentServer> {
  const server = new QbittorrentServer(dialect);
  servers.push(server);
  await server.start();
  return server;
}

function clientOf(server: QbittorrentServer, options: Partial<QbittorrentOptions> = {}) {
  const { username, password } = server.doors;
  return qbittorrent({ service: "downloads:one", baseUrl: server.url, username, password, ...options });
}

function film(name: string, bytes = 50_000) {
  const content = Buffer.alloc(bytes, name);
  const made = makeTorrent({ name, files: [{ content }], announce: "http://127.0.0.1:1/announce" });
  return { ...made, torrent: { infohash: made.infohash, source: { file: made.file }, tag: "sluice-a", folder: "/d" } };
}

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

describe("looking", () => {
  test("is done one at a time, so that each answer is confirmed by the next question", async () => {
    const server = await serving();
    const client = clientOf(server);
    await Promise.all([client.look(), client.look(), client.look()]);
    const looks = server.requests.filter((request) => request.startsWith("GET"));
    expect(looks).toEqual([0, 1, 2].map((rid) => `GET sync/maindata?rid=${rid}`));
  });

  test("a whole list takes the place of what was known", async () => {
    const server = await serving();
    const client = clientOf(server);
    await client.add(film("a").torrent);
    server.troubles.push([200, { rid: 77, full_update: true, torrents: {} }]);
    expect((await client.look()).size).toBe(0);
  });

  test("files of what has just gone are a fault of that torrent alone", async () => {
    const server = await serving();
    const client = clientOf(server);
    const { torrent, infohash } = film("a");
    await client.add(torrent);
    server.world.vanish(infohash);
    await expect(client.files(infohash)).rejects.toMatchObject({ code: "TORRENT_GONE", breaker: "success" });
  });

  test("three hundred torrents are one call, and nothing is sent of what did not change", async () => {
    const server = await serving();
    const client = clientOf(server);
    for (let i = 0; i < 300; i += 1) {
      const { torrent } = film(`film ${i}`, 100);
      server.world.add(torrent.infohash, "/d", ["sluice", `sluice-${i}`], readTorrent(torrent.source.file));
    }
    expect((await client.look()).size).toBe(300);
    server.requests.length = 0;
    expect((await client.look()).size).toBe(300);
    expect(server.requests).toEqual(["GET sync/maindata?rid=1"]);
  });

  test("an answer that was lost is asked for again, and nothing of it is missed", async () => {
    const server = await serving();
    const client = clientOf(server);
    const { torrent, infohash } = film("a");
    server.world.publish(readTorrent(torrent.source.file));
    await client.add(torrent);
    server.world.tick(4);
    server.troubles.push("reset");
    await expect(client.look()).rejects.toMatchObject({ kind: "transient", code: "RESET" });
    expect((await client.look()).get(infohash)?.state).toBe("complete");
  });

  test("an add whose answer was lost is found again, once and ours", async () => {
    const server = await serving();
    const client = clientOf(server);
    const { torrent, infohash } = film("a");
    await client.look();
    server.troubles.push([200, { rid: 2 }], "reset");
    await expect(client.add(torrent)).rejects.toMatchObject({ kind: "transient", code: "RESET" });
    expect(await client.add(torrent)).toEqual({ wasThere: true });
    expect((await client.look()).get(infohash)).toMatchObject({ isOurs: true, tags: ["sluice-a"] });
    expect(server.world.truth().begun.get(infohash)).toBe(1);
  });

  test.each<[string, unknown]>([
    ["a page", "<html>log in</html>"],
    ["no rid", { torrents: {} }],
    ["torrents that are a list", { rid: 1, torrents: [] }],
    ["a torrent that is a word", { rid: 1, torrents: { ["a".repeat(40)]: "downloading" } }],
    ["tags that are numbers", { rid: 1, tags: [1] }],
  ])("%s instead of the list is the service's failure", async (_, answer) => {
    const server = await serving();
    const client = clientOf(server);
    await client.look();
    server.troubles.push([200, answer]);
    await expect(client.look()).rejects.toMatchObject({ kind: "transient", code: "BAD_ANSWER" });
  });

  test("a hybrid goes by the infohash that everybody knows, whatever qBittorrent calls it", async () => {
    const server = await serving();
    const client = clientOf(server);
    const { torrent, infohash } = film("hybrid");
    server.ids.set(infohash, "f".repeat(40));
    server.world.publish(readTorrent(torrent.source.file));
    await client.add(torrent);
    expect([...(await client.look()).keys()]).toEqual([infohash]);
    expect(await client.files(infohash)).toHaveLength(1);
    await client.release(infohash, "sluice-a", { withFiles: true });
    expect(server.world.truth().alive).toEqual([]);
  });
});

describe("adding", () => {
  test.each(DIALECTS)("is a success where somebody was faster, and it is theirs (%s)", async (dialect) => {
    const server = await serving(dialect);
    const client = clientOf(server);
    const { torrent, infohash } = film("a");
    await client.look();
    server.world.add(infohash, "/theirs", [], readTorrent(torrent.source.file));
    server.troubles.push([200, { rid: 2 }]);
    expect(await client.add(torrent)).toEqual({ wasThere: true });
    expect((await client.look()).get(infohash)).toMatchObject({ isOurs: false, tags: ["sluice-a"] });
  });

  test("what is taken and never shows up is a fault, after a while", async () => {
    const server = await serving();
    const clock = manualClock();
    const client = clientOf(server, { clock });
    await client.look();
    server.troubles.push([200, { rid: 2 }], [200, "Ok."]);
    const added = client.add(film("a").torrent);
    const refused = expect(added).rejects.toMatchObject({ kind: "transient", code: "NOT_ADDED" });
    let isOver = false;
    const over = added
      .catch(() => undefined)
      .then(() => {
        isOver = true;
      });
    while (!isOver) await clock.advance(250);
    await over;
    await refused;
  });

  test("what is refused and not there is a fault at once", async () => {
    const server = await serving();
    const client = clientOf(server);
    await client.look();
    server.troubles.push([200, { rid: 2 }], [200, "Fails."]);
    await expect(client.add(film("a").torrent)).rejects.toMatchObject({ kind: "transient", code: "NOT_ADDED" });
  });

  test.each<[string, number, unknown, object]>([
    ["a file it cannot read", 415, "no", { kind: "permanent", code: "NOT_A_TORRENT" }],
    ["something unknown", 200, "<html>", { kind: "transient", code: "BAD_ANSWER" }],
    ["trouble of its own", 500, "no", { kind: "transient", code: "HTTP_500" }],
  ])("%s is told apart", async (_, status, said, fault) => {
    const server = await serving();
    const client = clientOf(server);
    await client.look();
    server.troubles.push([200, { rid: 2 }], [status, said]);
    await expect(client.add(film("a").torrent)).rejects.toMatchObject(fault);
  });

  test("one that is still to come, as 5.2 may say, is waited for", async () => {
    const server = await serving("5.2");
    const client = clientOf(server);
    const { torrent } = film("a");
    await client.look();
    server.troubles.push([200, { rid: 2 }], [202, { success_count: 0, pending_count: 1 }], [200, { rid: 3 }]);
    const added = client.add(torrent);
    server.world.add(torrent.infohash, "/d", ["sluice", "sluice-a"], readTorrent(torrent.source.file));
    expect(await added).toEqual({ wasThere: false });
  });
});

describe("letting go", () => {
  test("takes its tag out of qBittorrent's list, unless another torrent has it", async () => {
    const server = await serving();
    const client = clientOf(server);
    const [one, other] = [film("one"), film("other")];
    await client.add(one.torrent);
    await client.add(other.torrent);
    await client.release(one.infohash, "sluice-a", { withFiles: false });
    expect(server.tags).toEqual(["sluice", "sluice-a"]);
    await client.release(other.infohash, "sluice-a", { withFiles: false });
    expect(server.tags).toEqual(["sluice"]);
    expect(server.world.truth().alive).toEqual([]);
  });

  test("takes what was left behind without a tag: its release was cut off", async () => {
    const server = await serving();
    const client = clientOf(server);
    const { torrent, infohash } = film("a");
    await client.add(torrent);
    server.world.get(infohash)?.tags.delete("sluice-a");
    expect(server.world.truth().orphans).toEqual([infohash]);
    await client.release(infohash, "sluice-a", { withFiles: true });
    expect(server.world.truth().alive).toEqual([]);
  });
});
