// The whole sandbox: real processes on the loopback, every fault of every thing, and everything done in the end.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKey } from "../../sandbox/demo/credentials.ts";
import { films, RESUMED, TARGETS } from "../../sandbox/pipeline.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { startWorld, type World, type WorldOptions } from "../../sandbox/world.ts";
import type { ItemId, RequestHandle } from "../../src/engine/index.ts";
import { runCli } from "../support/cli.ts";

const folder = temporaryFolder("sluice-sandbox");
const options: WorldOptions = {
  ...{ folder, port: 0, version: "0.0.0", admin: { name: "ann", password: "correct horse battery" } },
  log: { info: () => undefined, warn: () => undefined, error: console.error },
};
let world: World;
let handedIn = 0;

beforeAll(async () => {
  world = await startWorld(options);
});
afterAll(async () => {
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function submit(megabytes: number): Promise<RequestHandle> {
  handedIn += 1;
  return await world.sluice.submit(films, [{ title: `Film ${handedIn}`, year: 1920, megabytes }]);
}

/** Everything that an item and its parts went through: codes, and reasons to wait. */
async function pastOf(items: readonly ItemId[]): Promise<string[]> {
  const views = await Promise.all(items.map((id) => world.sluice.item(id)));
  const ids = [...items, ...views.flatMap(({ parts }) => parts.map(({ id }) => id))];
  const pages = await Promise.all(ids.map((id) => world.sluice.history(id, { limit: 1_000 })));
  return pages.flatMap(({ entries }) =>
    entries.flatMap(({ code, reason, from }) =>
      [code, reason].flatMap((word) => (word === null ? [] : `${from} ${word}`)),
    ),
  );
}

const seen = (look: () => Promise<unknown>) => expect.poll(look, { timeout: 60_000, interval: 200 });
const isDown = async (service: string) =>
  (await world.sluice.services()).some(({ name, state }) => name === service && state === "down");
const serviceOf = (thing: string) => world.things.things().find(({ name }) => name === thing)?.service ?? "";

/** In the order in which a film comes to them. */
const STATIONS = [
  ["fetch", ["source"]],
  ["convert", ["converter"]],
  ["publish", TARGETS],
] as const;
type Station = (typeof STATIONS)[number];
/** A sign that a fault was noticed there: how many times the word has to be in a film's past. */
const inPast =
  (word: string) =>
  async ([stage, things]: Station, items: readonly ItemId[]) =>
    (await pastOf(items)).filter((one) => one === `${stage} ${word}`).length >= things.length;
const areDown = async ([, things]: Station) =>
  (await Promise.all(things.map((one) => isDown(serviceOf(one))))).every(Boolean);
const isThere = async ([stage]: Station, [item]: readonly ItemId[]) =>
  item !== undefined && (await world.sluice.item(item)).stage === stage;
const isWaitingThere = async ([stage]: Station, [item]: readonly ItemId[]) => {
  const view = item === undefined ? undefined : await world.sluice.item(item);
  return view?.stage === stage && view.state === "waiting";
};

const SIGNS: { readonly [fault: string]: (station: Station, items: readonly ItemId[]) => Promise<boolean> } = {
  stop: areDown,
  hang: areDown,
  error: areDown,
  corrupt: areDown,
  stall: (station, items) =>
    station[0] === "fetch" ? isWaitingThere(station, items) : inPast("STALLED")(station, items),
  lie: inPast("not_there"),
  lose: inPast("VANISHED"),
  fill: inPast("disk_low"),
};

describe("the sandbox", () => {
  it("tells all its things as whole", () => {
    const things = world.things.things();
    expect(things.map(({ name, state }) => `${name} ${state}`)).toEqual(
      ["source", "converter", ...TARGETS, "worker"].map((name) => `${name} up`),
    );
    expect(things.flatMap(({ faults }) => faults).filter(({ brokenSince }) => brokenSince !== null)).toEqual([]);
    const known = things.flatMap(({ faults }) => faults.map(({ name }) => name));
    expect(new Set(known)).toEqual(new Set([...Object.keys(SIGNS), "slow", "kill"]));
  });

  it.each(Object.keys(SIGNS))(
    "%s is noticed wherever it can be, and mended; the film is everywhere in the end",
    async (fault) => {
      const has = (thing: string) =>
        world.things.things().some(({ name, faults }) => name === thing && faults.some((one) => one.name === fault));
      // Half of it has to last for longer than the time between two looks; and so what is slow is seen to end too.
      const broken = fault === "lie" ? ["slow", "lie"] : [fault];
      const stations = STATIONS.filter(([, things]) => things.every(has));
      expect(stations).not.toEqual([]);
      for (const thing of stations.flatMap(([, things]) => [...things]))
        for (const one of broken) await world.things.break(thing, one);
      const { items, result } = await submit(200);
      for (const station of stations) {
        await seen(() => (SIGNS[fault] ?? isThere)(station, items)).toBe(true);
        for (const thing of station[1]) for (const one of broken) await world.things.mend(thing, one);
      }
      const { ok, items: ended } = await result();
      expect([ok, ended[0]?.state]).toEqual([true, "done"]);
      expect(ended[0]?.output).toMatchObject({ delivered: TARGETS, failed: [] });
    },
  );

  it("a worker that is killed leaves nothing undone, and goes on from checkpoints when it is started again", async () => {
    const { items, result } = await submit(1_000);
    const [item] = items;
    if (item === undefined) throw new Error("nothing was handed in");
    await seen(async () => (await world.sluice.item(item)).checkpoint).not.toBeNull();
    await world.things.break("worker", "kill");
    expect(world.things.things().at(-1)).toMatchObject({ name: "worker", state: "down" });
    await world.things.mend("worker", "kill");
    expect((await result()).ok).toBe(true);
    const notes = (await world.sluice.logs(item)).flatMap(({ lines }) => lines.map(({ text }) => text));
    expect(notes).toContain(RESUMED);
    const workers = await world.sluice.workers();
    expect(workers.map(({ state }) => state).toSorted()).toEqual(["alive", "dead"]);
  });

  it("has every film at every target exactly once, and the engine kept its rules", async () => {
    for (const target of TARGETS) expect(readdirSync(join(folder, target, "files")), target).toHaveLength(handedIn);
    expect((await world.sluice.doctor()).isOk).toBe(true);
  });

  it("has a key for the command line at each start, and only the newest one opens", async () => {
    const first = await demoKey(world.sluice, options.admin.name);
    const second = await demoKey(world.sluice, options.admin.name);
    const answers = [first, second].map((key) =>
      fetch(`${world.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 200]);
  });

  it("is looked at, broken and mended from the command line", async () => {
    const env = { SLUICE_URL: world.url, SLUICE_API_KEY: await demoKey(world.sluice, options.admin.name) };
    const sandbox = (...args: string[]) => runCli(["sandbox", ...args], env);
    expect(await sandbox("break", "converter", "slow")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("converter is broken"),
    });
    const { entries } = JSON.parse((await sandbox("--json")).stdout);
    expect(entries).toMatchObject(JSON.parse(JSON.stringify(world.things.things())));
    expect((await sandbox()).stdout).toMatch(/^converter\tup\tslow\t2\S+Z\tWorks/m);
    expect(await sandbox("break", "converter", "slow")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("already"),
    });
    expect(await sandbox("mend", "converter", "slow")).toMatchObject({ code: 0 });
    expect(world.things.things().flatMap(({ faults }) => faults.filter((one) => one.brokenSince !== null))).toEqual([]);
  });

  it("is not started where the port is another's, and leaves nothing behind", async () => {
    const port = Number(new URL(world.url).port);
    await expect(startWorld({ ...options, port, folder: `${folder}/other` })).rejects.toMatchObject({
      code: "CANNOT_LISTEN",
    });
  });
});
