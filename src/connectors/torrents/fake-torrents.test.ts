import { describe, expect, test } from "vitest";
import { makeTorrent } from "../../../sandbox/media/make-torrent.ts";
import { contractWorld } from "../../../test/support/torrent-worlds.ts";
import { fakeTorrents } from "./fake-torrents.ts";
import { readTorrent } from "./infohash.ts";
import type { TorrentLie } from "./torrent-step.ts";
import { torrentsContract } from "./torrents.contract.ts";

describe("the fake keeps the contract", () => {
  test.each(torrentsContract)("$name", async ({ run }) => {
    const { client, world, down } = fakeTorrents();
    await run(contractWorld(client, world, down));
  });
});

describe("the fake", () => {
  const content = Buffer.alloc(100_000, 1);
  const { infohash, file } = makeTorrent({ name: "film", files: [{ content }], announce: "http://127.0.0.1:1/" });
  const torrent = { infohash, source: { file }, tag: "sluice-a", folder: "/downloads" };

  async function begun(lie?: TorrentLie, seed = 1) {
    const came: boolean[] = [];
    const fake = fakeTorrents({ seed, onComplete: ({ isWrong }) => void came.push(isWrong) });
    fake.world.publish(readTorrent(file));
    if (lie !== undefined) fake.world.lie(infohash, lie);
    await fake.client.add(torrent);
    const states = async (ticks: number) => {
      const all: (string | undefined)[] = [];
      for (let i = 0; i < ticks; i += 1) {
        fake.world.tick();
        all.push((await fake.client.look()).get(infohash)?.state);
      }
      return all;
    };
    const bytes = async () => (await fake.client.look()).get(infohash)?.receivedBytes ?? 0;
    return { ...fake, states, bytes, came };
  }

  test("comes to its end in so many ticks, and says when its files are to be there", async () => {
    const { states, came } = await begun();
    expect(await states(4)).toEqual(["downloading", "downloading", "downloading", "complete"]);
    expect(came).toEqual([false]);
  });

  test("stalls: no byte more, and no other state", async () => {
    const { states, bytes } = await begun("stalls");
    await states(2);
    const before = await bytes();
    expect(before).toBeGreaterThan(0);
    expect(new Set(await states(20))).toEqual(new Set(["downloading"]));
    expect(await bytes()).toBe(before);
  });

  test("vanishes, goes backwards once, fails, loses its files, and takes its time to move them", async () => {
    expect(await (await begun("vanishes")).states(3)).toEqual(["downloading", "downloading", undefined]);
    const backwards = await begun("goes-backwards");
    await backwards.states(2);
    expect(await backwards.bytes()).toBeGreaterThan(0);
    await backwards.states(1);
    expect(await backwards.bytes()).toBe(0);
    expect((await backwards.states(4)).at(-1)).toBe("complete");
    expect((await (await begun("fails")).states(3)).at(-1)).toBe("failed");
    const lost = await begun("loses-files");
    expect((await lost.states(5)).slice(-2)).toEqual(["complete", "missing-files"]);
    expect(lost.world.truth().onDisk.size).toBe(0);
    expect((await (await begun("moves")).states(5)).slice(-2)).toEqual(["moving", "complete"]);
  });

  test("brings something else under the right name, and only whoever writes the files is told", async () => {
    const { states, came, client } = await begun("wrong-content");
    await states(4);
    expect(came).toEqual([true]);
    expect((await client.look()).get(infohash)).toMatchObject({ state: "complete", name: "film" });
  });

  test("a crash of the client loses what it had not noted, and what was complete stays", async () => {
    const { states, bytes, world } = await begun();
    await states(2);
    world.crash();
    expect(await bytes()).toBe(0);
    await states(4);
    world.crash();
    expect(await bytes()).toBe(content.byteLength);
  });

  test("counts what was begun, what is nobody's, and what was taken from others", async () => {
    const { client, world, trouble } = await begun();
    trouble("add", "timeout-but-done");
    await expect(client.add(torrent)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect([world.truth().adds.get(infohash), world.truth().begun.get(infohash)]).toEqual([2, 1]);
    world.get(infohash)?.tags.delete("sluice-a");
    expect(world.truth().orphans).toEqual([infohash]);
    world.get(infohash)?.tags.delete("sluice");
    world.remove(infohash, true);
    expect(world.truth()).toMatchObject({ stolen: [infohash], alive: [] });
  });

  test("is the same again from the same seed", async () => {
    const bytes = async (seed: number) => {
      const fake = await begun(undefined, seed);
      await fake.states(2);
      return fake.bytes();
    };
    expect(await bytes(7)).toBe(await bytes(7));
    expect(await bytes(7)).not.toBe(await bytes(8));
  });
});
