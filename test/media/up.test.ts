// `sluice up --apps media`, from nothing to a film on the disk; killed, and started again.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findProcess } from "../../src/connectors/index.ts";
import { runCli } from "../support/cli.ts";
import { until } from "../support/until.ts";
import { UpWorld } from "./up-world.ts";

const world = new UpWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());

const becomes = async (item: string, isSo: (view: Awaited<ReturnType<UpWorld["item"]>>) => boolean) => {
  let view: Awaited<ReturnType<UpWorld["item"]>>;
  await until(
    async () => {
      view = await world.item(item);
      return isSo(view);
    },
    () =>
      `the item to come to that; seen last: ${JSON.stringify(view).slice(0, 2_000)}\n${world.process.said().slice(-2_000)}`,
  );
  return view;
};

it("comes with a download client that runs, and that a test finds well", async () => {
  await world.up();
  await world.process.says(/working on media@1, media-series@1/);
  await world.process.says(/downloads are put to /);
  const [client] = (await world.api("GET", "/media/clients")).entries;
  expect(client).toMatchObject({ name: "embedded", kind: "embedded", url: null, isOn: true });
  await until(
    async () => (await world.api("POST", "/media/clients/embedded/test")).ok,
    "the embedded client to be well",
  );
  const { steps } = await world.api("POST", "/media/clients/embedded/test");
  expect(steps.map(({ found }: { found: string }) => found)).toContain(`${world.downloads} is there and can be read`);
  expect(await world.api("GET", "/overview")).toMatchObject({ apps: ["media"] });
});

it("sees a film through, from settings over HTTP to a file whose content is right", async () => {
  const film = await world.makeRelease("Metropolis.1927.1080p.BluRay.x265-GOOD");
  await world.seed(film);
  // Asked for too early: it waits, and goes on as soon as what it waits for is set.
  const item = await world.ask(19);
  await becomes(item, ({ wait }) => wait?.sentence.includes("no key of TMDB is set"));
  await world.setAll();
  expect(await world.api("POST", "/media/indexers/proof/test")).toMatchObject({ ok: true });
  expect(await world.api("POST", "/media/metadata/test")).toMatchObject({ ok: true });
  const view = await becomes(item, ({ state }) => state === "done" || state === "failed");
  expect(view.state).toBe("done");
  const file = `${world.downloads}/${film.infohash}/${film.name}/${film.name}.mkv`;
  expect(readFileSync(file).equals(film.content)).toBe(true);
});

it("what it downloads with is started again when it dies, and is found where it is then", async () => {
  const before = world.torrents();
  process.kill(before.pid, "SIGKILL");
  await world.process.says(/torrents\.ended/);
  await until(() => world.torrents().pid !== before.pid, "another life of it");
  await until(
    async () => (await world.api("POST", "/media/clients/embedded/test")).ok,
    "the embedded client to be well",
  );
});

it("killed, it leaves no process behind; started again, it goes on with what was in hand and what was downloading", async () => {
  const film = await world.makeRelease("Nosferatu.1922.1080p.BluRay.x265-GOOD");
  const downloading = await world.ask(20);
  await becomes(downloading, ({ status }) => status === "DOWNLOADING");
  const other = await world.makeRelease("Safety.Last.1923.1080p.BluRay.x265-GOOD");
  await world.seed(other);
  // In the middle of a visit: the next life has to look at it in a child.
  world.indexer.standing = "silent";
  const asked = world.indexer.requests.length;
  const searching = await world.ask(21);
  await until(() => world.indexer.requests.length > asked, "the indexer to be asked");
  const torrents = world.torrents();
  await world.process.end("SIGKILL");
  await until(() => findProcess(torrents) === "gone", "the process that downloads to end by itself");
  world.indexer.standing = undefined;
  await world.up();
  await world.seed(film);
  expect(await becomes(downloading, ({ state }) => state === "done" || state === "failed")).toMatchObject({
    state: "done",
  });
  expect(await becomes(searching, ({ state }) => state === "done" || state === "failed")).toMatchObject({
    state: "done",
  });
  // A child that was given neither pipelines nor clients would leave it to the worker, which says so.
  expect(world.process.said()).toContain("items.reclaimed");
  expect(world.process.said()).not.toMatch(/"suspects?\.[a-z]+"/);
});

it("while its folder is not there, nothing is begun, and no attempt is spent", async () => {
  const folder = `${world.root}/not-mounted`;
  await world.api("PUT", "/media/clients/embedded", { kind: "embedded", folder });
  await world.makeRelease("Sunrise.1927.1080p.BluRay.x265-GOOD");
  const item = await world.ask(22);
  const { attempts, wait } = await becomes(item, ({ lastError }) => lastError?.code === "PLACE_NOT_FOUND");
  expect(attempts).toBe(0);
  expect(wait.sentence).toContain(`${folder} is not there: mount or make it`);
});

it("the client that was removed does not come back, and the command line sees what the server sees", async () => {
  await world.api("DELETE", "/media/clients/embedded");
  const torrents = world.torrents();
  expect(await world.process.end("SIGTERM")).toBe(0);
  expect(findProcess(torrents)).toBe("gone");
  expect(world.process.said()).not.toContain("torrents.killed");
  await world.up();
  expect((await world.api("GET", "/media/clients")).entries).toEqual([]);
  const { code, stdout } = await runCli(["ls", "--json"], { APPS: "media" }, world.home);
  expect([code, JSON.parse(stdout).entries.length]).toEqual([0, 4]);
});

it("an application that there is not is refused with those there are", async () => {
  const { code, stderr } = await runCli(["up", "--apps", "music"], {}, world.home);
  expect(code).toBe(2);
  expect(stderr).toContain('--apps must hold nothing but media, documents, got "music"');
});
