// From what somebody asks for to DOWNLOADED, on real services: what has to hold with every download client.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, type ExpectStatic, it } from "vitest";
import type { Found } from "../../src/apps/media/found.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import type { DownloadWorld } from "../support/download-world.ts";
import { until } from "../support/until.ts";
import { type MadeRelease, type RealMediaWorld, sha256 } from "./real-media-world.ts";

export const GOOD = "1080p.BluRay.x265-GOOD";
export const FINE = "720p.WEB-DL.x264-FINE";
/** Most of it is the limit after which something stands still. */
const soon = { timeout: 100_000, interval: 200 };

export interface Got {
  readonly infohash: string;
  readonly path: string;
  readonly sha256: string;
}

/** Questions about a world, for tests that run beside each other. */
export function asking(world: RealMediaWorld<DownloadWorld>) {
  const item = (id: ItemId) => world.sluice.item(id);
  const has = async (infohash: string) => (await world.downloads.tags()).has(infohash);
  return {
    item,
    has,
    async done(id: ItemId, expect: ExpectStatic): Promise<Got> {
      await expect.poll(async () => (await item(id)).state, soon).toBe("done");
      const { infohash, path: file } = (await item(id)).outputs.download as Omit<Got, "sha256">;
      return { infohash, path: file, sha256: sha256(readFileSync(file)) };
    },
    found: async (id: ItemId) => (await item(id)).outputs.search as Found,
    gone: (infohash: string) => until(async () => !(await has(infohash)), `${infohash} is gone from the client`),
    there: (infohash: string) => until(() => has(infohash), `${infohash} is in the client`),
    removed: (request: Parameters<RealMediaWorld<DownloadWorld>["sluice"]["request"]>[0]) =>
      until(
        async () =>
          await world.sluice.request(request).then(
            () => false,
            () => true,
          ),
        "the request is removed",
      ),
    isOnDisk: ({ infohash }: MadeRelease) =>
      world.downloads.isOnDisk(infohash, path.join(world.downloads.downloads, infohash)),
  };
}

export function downloadedCases(world: RealMediaWorld<DownloadWorld>): void {
  const { done, found, gone, has, there, removed, isOnDisk, item } = asking(world);
  const both = async (make: { readonly isSeeded?: boolean; readonly asMagnet?: boolean }) => {
    const film = world.newFilm();
    const best = await world.release(world.first, `${film.name}.${GOOD}`, make);
    const fine = await world.release(world.first, `${film.name}.${FINE}`);
    return { film, best, fine };
  };

  describe("a film", () => {
    it("whose link nobody answers goes on with the next release when no metadata has come", async ({ expect }) => {
      const { film, best, fine } = await both({ isSeeded: false, asMagnet: true });
      const { id } = await world.ask(film);
      await there(best.infohash);
      const got = await done(id, expect);
      expect([got.infohash, fine.hashes.has(got.sha256)]).toEqual([fine.infohash, true]);
      expect((await found(id)).blocked).toMatchObject([{ infohash: best.infohash, reason: "it stood still" }]);
      await gone(best.infohash);
    });

    it("that is cancelled while it is downloaded leaves no torrent and no file", async ({ expect }) => {
      const film = world.newFilm();
      const best = await world.release(world.first, `${film.name}.${GOOD}`, { isSeeded: false });
      const { id } = await world.ask(film);
      await there(best.infohash);
      await world.sluice.cancel(id);
      await gone(best.infohash);
      expect((await item(id)).state).toBe("cancelled");
    });

    it("whose request is removed while it is downloaded takes its torrent with it", async () => {
      const film = world.newFilm();
      const best = await world.release(world.first, `${film.name}.${GOOD}`, { isSeeded: false });
      const { request } = await world.ask(film);
      await there(best.infohash);
      await world.sluice.remove(request);
      await removed(request);
      await gone(best.infohash);
    });

    it("that two have asked for is one torrent, which goes with its files when the last of them is removed", async ({
      expect,
    }) => {
      const film = world.newFilm();
      const best = await world.release(world.first, `${film.name}.${GOOD}`);
      const [one, other] = [await world.ask(film), await world.ask(film)];
      const [first, second] = [await done(one.id, expect), await done(other.id, expect)];
      expect([first.path, best.hashes.has(first.sha256)]).toEqual([second.path, true]);
      expect(ours(await world.downloads.tags(), best)).toHaveLength(2);
      await world.sluice.remove(one.request);
      await removed(one.request);
      expect(ours(await world.downloads.tags(), best)).toHaveLength(1);
      expect(isOnDisk(best)).toBe(true);
      await world.sluice.remove(other.request);
      await removed(other.request);
      await gone(best.infohash);
      await until(() => !isOnDisk(best), "its files are gone");
    });
  });

  describe("what somebody else had begun", () => {
    it.for([
      ["and is whole", { isSeeded: true, isCancelled: false }],
      ["and is whole, with a link", { isSeeded: true, isCancelled: false, asMagnet: true }],
      ["and is not whole", { isSeeded: false, isCancelled: true }],
    ] as const)(
      "%s is used, and stays theirs with its files whatever becomes of the request",
      async ([, given], { expect }) => {
        const { isCancelled, ...make } = given;
        const film = world.newFilm();
        const best = await world.release(world.first, `${film.name}.${GOOD}`, make);
        const folder = path.join(world.downloads.downloads, `theirs-${film.id}`);
        await world.downloads.personAdds(best, folder);
        await there(best.infohash);
        const { id, request } = await world.ask(film);
        await until(async () => ours(await world.downloads.tags(), best).length === 1, "our tag is on it");
        if (isCancelled) await world.sluice.cancel(id);
        else expect((await done(id, expect)).path.startsWith(folder)).toBe(true);
        await world.sluice.remove(request);
        await removed(request);
        expect(await has(best.infohash)).toBe(true);
        expect(ours(await world.downloads.tags(), best)).toEqual([]);
        expect(world.downloads.isOnDisk(best.infohash, folder)).toBe(!isCancelled);
      },
    );
  });

  it("three films whose torrents somebody else had begun, all of one name, are each their own", async ({ expect }) => {
    const films = [world.newFilm(), world.newFilm(), world.newFilm()];
    const releases = await Promise.all(
      films.map(({ name }) =>
        world.release(world.first, `${name}.${GOOD}`, { torrentName: "theirs", files: ["film.mkv"] }),
      ),
    );
    const folders = films.map(({ id }) => path.join(world.downloads.downloads, `theirs-${id}`));
    // The newest is not the one that is asked for first.
    for (const [index, release] of [...releases.entries()].reverse()) {
      await world.downloads.personAdds(release, folders[index] ?? "");
      await there(release.infohash);
    }
    const asked = await Promise.all(films.map((film) => world.ask(film)));
    const got = await Promise.all(asked.map(({ id }) => done(id, expect)));
    expect(got.map(({ infohash }) => infohash)).toEqual(releases.map(({ infohash }) => infohash));
    expect(releases.map(({ hashes }, index) => hashes.has(got[index]?.sha256 ?? ""))).toEqual([true, true, true]);
    expect(got.map(({ path: file }) => path.dirname(path.dirname(file)))).toEqual(folders);
    const tags = await world.downloads.tags();
    expect(releases.map((release) => ours(tags, release).length)).toEqual([1, 1, 1]);
  });

  it("two films whose torrents have one name and different content are each their own", async ({ expect }) => {
    const films = [world.newFilm(), world.newFilm()];
    const releases = await Promise.all(
      films.map(({ name }) =>
        world.release(world.first, `${name}.${GOOD}`, { torrentName: "film", files: ["film.mkv"] }),
      ),
    );
    const asked = await Promise.all(films.map((film) => world.ask(film)));
    const got = await Promise.all(asked.map(({ id }) => done(id, expect)));
    expect(got.map(({ infohash }) => infohash)).toEqual(releases.map(({ infohash }) => infohash));
    expect(releases.map(({ hashes }, index) => hashes.has(got[index]?.sha256 ?? ""))).toEqual([true, true]);
    expect(new Set(got.map(({ path: file }) => path.basename(file)))).toEqual(new Set(["film.mkv"]));
  });

  seasonCase(world);
  hostileCases(world);
}

/** The tags of ours that a torrent has. */
export const ours = (tags: ReadonlyMap<string, readonly string[]>, { infohash }: MadeRelease): readonly string[] =>
  (tags.get(infohash) ?? []).filter((tag) => tag.startsWith("sluice-"));

function seasonCase(world: RealMediaWorld<DownloadWorld>): void {
  const { done, found } = asking(world);

  it("a season of ten from a pack with one name that cannot be read: nine from one torrent, the tenth from another", async ({
    expect,
  }) => {
    const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
    const title = "The Sluice Keepers";
    const episodes = numbers.map((episode) => ({ episode, airDate: "2019-03-01" }));
    const series = { id: 7, title, date: "2019-03-01", originalLanguage: "en", seasons: [{ season: 1, episodes }] };
    world.metadata.world.addSeries(series);
    const named = (episode: string) => `The.Sluice.Keepers.S01${episode}.1080p.WEB-DL.x265-PACK`;
    const single = numbers.slice(0, 7).map((number) => `${named(`E0${number}`)}.mkv`);
    const besides = ["Sample/the.sluice.keepers.s01e01.sample.mkv", "Featurettes/Making.Of.mkv"];
    const files = [...single, `${named("E08E09")}.mkv`, "scan0017.mkv", ...besides];
    const pack = await world.release(world.first, named(""), { files, season: 1 });
    const tenth = await world.release(world.second, named("E10"), { season: 1, episode: 10 });
    const { request } = await world.sluice.submit(world.series, [{ tmdb: 7, seasons: [1], profile: standardProfile }]);
    const items = async () => (await world.sluice.items({ request, pipeline: "media" }, { limit: 50 })).entries;
    await until(async () => (await items()).length === 10, "an item for each episode");
    const got = new Map<number, Got>();
    for (const { id } of await items()) {
      const { input } = await world.sluice.item(id);
      got.set((input as { episode: number }).episode, await done(id, expect));
    }
    expect(numbers.map((number) => got.get(number)?.infohash)).toEqual([
      ...Array.from({ length: 9 }, () => pack.infohash),
      tenth.infohash,
    ]);
    const names = numbers.slice(0, 9).map((number) => path.basename(got.get(number)?.path ?? ""));
    expect(names).toEqual([...single, `${named("E08E09")}.mkv`, `${named("E08E09")}.mkv`]);
    const tags = await world.downloads.tags();
    expect([ours(tags, pack).length, ours(tags, tenth).length]).toEqual([9, 1]);
    const last = (await items()).find(({ title: word }) => word?.includes("S01E10"));
    expect((await found(last?.id as ItemId)).refused).toMatchObject([
      { title: named(""), reason: expect.stringContaining("scan0017.mkv") },
    ]);
  });
}

function hostileCases(world: RealMediaWorld<DownloadWorld>): void {
  const { done, found } = asking(world);
  const text = (content: string) => Buffer.from(content.padEnd(60_000, "\n"));

  describe("a release that is not what it should be is refused with the reason, and the next one taken:", () => {
    it.for<readonly [what: string, files: readonly string[], reason: RegExp]>([
      ["a file that leads out of its folder", ["../../etc/passwd.mkv"], /called "\.\."/],
      ["a name with a NUL", ["film\0.mkv"], /called/],
      ["a name of three hundred letters", [`${"a".repeat(300)}.mkv`], /no disk takes/],
      ["an archive", ["film.rar", "film.r00"], /archive|RAR/i],
      ["a program", ["film.mkv", "codec-setup.exe"], /program|executable/i],
      ["a file with a lock", ["film.mkv.encrypted"], /encrypted|password/i],
    ])("%s", async ([, names, reason], { expect }) => {
      const film = world.newFilm();
      const files = names.map((name) => ({ path: name, content: text(`${film.name} ${name}`) }));
      const bad = await world.release(world.first, `${film.name}.${GOOD}`, { files, isSeeded: false });
      const fine = await world.release(world.first, `${film.name}.${FINE}`);
      const { id } = await world.ask(film);
      expect((await done(id, expect)).infohash).toBe(fine.infohash);
      const refused = (await found(id)).refused.find(({ title }) => title.endsWith(GOOD));
      expect(refused?.reason).toMatch(reason);
      expect((await world.downloads.tags()).has(bad.infohash)).toBe(false);
      const written = readdirSync(world.downloads.folder, { recursive: true, encoding: "utf8" });
      expect(written.filter((file) => file.includes("passwd"))).toEqual([]);
    });

    it("a playlist as a film: nobody follows it", async ({ expect }) => {
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end();
      }).listen(0, "127.0.0.1");
      const { port } = await new Promise<{ port: number }>((resolve) =>
        server.once("listening", () => resolve(server.address() as { port: number })),
      );
      const film = world.newFilm();
      const list = `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:${port}/secret.ts\n#EXTINF:10,\nfile:///etc/passwd\n`;
      const files = [{ path: `${film.name}.mkv`, content: text(list) }];
      await world.release(world.first, `${film.name}.${GOOD}`, { files });
      const fine = await world.release(world.first, `${film.name}.${FINE}`);
      const { id } = await world.ask(film);
      expect((await done(id, expect)).infohash).toBe(fine.infohash);
      expect((await found(id)).refused[0]?.reason).toMatch(/it is no whole film|playlist/);
      expect(asked).toEqual([]);
      server.close();
    });
  });
}
