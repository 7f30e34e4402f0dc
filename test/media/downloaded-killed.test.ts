// The worker is killed in the middle of beginning a download, in a process of its own, and another goes on.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { QbittorrentWorld } from "../support/qbittorrent-world.ts";
import { asking, GOOD, ours } from "./downloaded-cases.ts";
import type { KillPoint } from "./fixtures/media-process.ts";
import { RealMediaWorld } from "./real-media-world.ts";

const world = new RealMediaWorld(new QbittorrentWorld(), { isIdle: true });
const { done, item } = asking(world);
const processes: ChildProcess[] = [];
beforeAll(() => world.start());
afterAll(() => world.stop());
afterEach(() => {
  for (const child of processes.splice(0)) child.kill("SIGKILL");
});

function worker(point: KillPoint): ChildProcess {
  const script = fileURLToPath(new URL("fixtures/media-process.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(world.places), point], {
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  processes.push(child);
  return child;
}
const count = async (from: string): Promise<number> => {
  const text = `select count(*)::int as n from sluice.${from}`;
  const [row] = await world.sluice.tables.query<{ n: number }>({ name: `count ${from}`.slice(0, 60), text }, []);
  return row?.n ?? 0;
};

describe("a worker that is killed", () => {
  it.each<[when: string, point: KillPoint, torrents: number]>([
    ["after it wrote down that it will add a torrent", "before-adding", 0],
    ["after it added the torrent", "after-adding", 1],
    ["after it wrote down that the torrent is there", "after-recording", 1],
  ])("%s: another goes on, and there is one torrent", async (_, point, before) => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`);
    const { id } = await world.ask(film);
    const [, signal] = await once(worker(point), "exit");
    expect(signal).toBe("SIGKILL");
    expect(await count("intent where over_at is null and owed_at is null")).toBe(1);
    expect((await world.downloads.tags()).has(best.infohash)).toBe(before === 1);
    worker("never");
    const got = await done(id, expect);
    expect([got.infohash, best.hashes.has(got.sha256)]).toEqual([best.infohash, true]);
    expect(ours(await world.downloads.tags(), best)).toHaveLength(1);
    expect((await item(id)).attempts.used).toBe(1);
    expect(await count("journal where kind = 18 and item_id = (select max(item_id) from sluice.intent)")).toBe(1);
    expect(await count("intent where owed_at is not null")).toBe(0);
  });
});
