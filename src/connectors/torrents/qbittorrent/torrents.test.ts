import { afterEach, describe, expect, test } from "vitest";
import { clientOf, DIALECTS, film, serving, stopServing } from "../../../../test/support/qbittorrent-serving.ts";
import { manualClock } from "../../../kit/index.ts";
import { readTorrent } from "../infohash.ts";

afterEach(stopServing);

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
