// The whole sandbox: real processes on the loopback, every fault of every thing, and everything done in the end. Most of it is
// waiting until a fault is noticed, so there are three such worlds, side by side, and each has some of the faults.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { demoKey } from "../../sandbox/demo/credentials.ts";
import { films, RESUMED, TARGETS } from "../../sandbox/pipeline.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { startWorld, type World, type WorldOptions } from "../../sandbox/world.ts";
import type { ItemId, RequestHandle } from "../../src/engine/index.ts";
import { runCli } from "../support/cli.ts";

const ADMIN = { name: "ann", password: "correct horse battery" };
const optionsIn = (folder: string): WorldOptions => ({
  ...{ folder, port: 0, version: "0.0.0", admin: ADMIN },
  log: { info: () => undefined, warn: () => undefined, error: console.error },
});

interface Handed {
  readonly world: World;
  readonly folder: string;
  /** How many films. */
  handedIn: number;
}

/** One for the tests of a suite, which ends with a look at what it has become. */
function worldOfSuite(): Handed {
  const folder = temporaryFolder("sluice-sandbox");
  let world: World | undefined;
  beforeAll(async () => {
    world = await startWorld(optionsIn(folder));
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get world() {
      if (world === undefined) throw new Error("it has not been started yet");
      return world;
    },
    folder,
    handedIn: 0,
  };
}

async function submit(to: Handed, megabytes: number): Promise<RequestHandle> {
  to.handedIn += 1;
  return await to.world.sluice.submit(films, [{ title: `Film ${to.handedIn}`, year: 1920, megabytes }]);
}

/** Everything that an item and its parts went through: codes, and reasons to wait. */
async function pastOf({ sluice }: World, items: readonly ItemId[]): Promise<string[]> {
  const views = await Promise.all(items.map((id) => sluice.item(id)));
  const ids = [...items, ...views.flatMap(({ parts }) => parts.map(({ id }) => id))];
  const pages = await Promise.all(ids.map((id) => sluice.history(id, { limit: 1_000 })));
  return pages.flatMap(({ entries }) =>
    entries.flatMap(({ code, reason, from }) =>
      [code, reason].flatMap((word) => (word === null ? [] : `${from} ${word}`)),
    ),
  );
}

/** Not `expect.poll`, which belongs to the one test that runs: here several do. */
const seen = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 60_000, interval: 200 });
/** In the order in which a film comes to them. */
const STATIONS = [
  ["fetch", ["source"]],
  ["convert", ["converter"]],
  ["publish", TARGETS],
] as const;
type Station = (typeof STATIONS)[number];
/** Whether a fault was noticed there, by a film or by all. */
type Sign = (world: World, station: Station, items: readonly ItemId[]) => Promise<boolean>;
/** How many times the word has to be in a film's past. */
const inPast =
  (word: string): Sign =>
  async (world, [stage, things], items) =>
    (await pastOf(world, items)).filter((one) => one === `${stage} ${word}`).length >= things.length;
const areDown: Sign = async (world, [, things]) => {
  const wanted = world.things.things().filter(({ name }) => things.some((one) => one === name));
  const services = await world.sluice.services();
  return wanted.every(({ service }) => services.some(({ name, state }) => name === service && state === "down"));
};
const isWaitingThere: Sign = async (world, [stage], [item]) => {
  const view = item === undefined ? undefined : await world.sluice.item(item);
  return view?.stage === stage && view.state === "waiting";
};

const SIGNS: ReadonlyMap<string, Sign> = new Map([
  ["stop", areDown],
  ["hang", areDown],
  ["error", areDown],
  ["corrupt", areDown],
  [
    "stall",
    (world, station, items) => (station[0] === "fetch" ? isWaitingThere : inPast("STALLED"))(world, station, items),
  ],
  ["lie", inPast("not_there")],
  ["lose", inPast("VANISHED")],
  ["fill", inPast("disk_low")],
]);
/** About the same time for each world; the last one also has a worker that is killed. */
const SHARES = [
  ["hang", "stop", "fill"],
  ["stall", "error", "lose"],
  ["corrupt", "lie"],
] as const;

async function breakAndMend(to: Handed, fault: string): Promise<void> {
  const { things } = to.world;
  const has = (thing: string) =>
    things.things().some(({ name, faults }) => name === thing && faults.some((one) => one.name === fault));
  // Half of it has to last for longer than the time between two looks; and so what is slow is seen to end too.
  const broken = fault === "lie" ? ["slow", "lie"] : [fault];
  const stations = STATIONS.filter(([, named]) => named.every(has));
  expect(stations).not.toEqual([]);
  for (const thing of stations.flatMap(([, named]) => [...named]))
    for (const one of broken) await things.break(thing, one);
  const { items, result } = await submit(to, 200);
  for (const station of stations) {
    await seen(async () => expect(await SIGNS.get(fault)?.(to.world, station, items)).toBe(true));
    for (const thing of station[1]) for (const one of broken) await things.mend(thing, one);
  }
  const { ok, items: ended } = await result();
  expect([ok, ended[0]?.state]).toEqual([true, "done"]);
  expect(ended[0]?.output).toMatchObject({ delivered: TARGETS, failed: [] });
}

async function killWorker(to: Handed): Promise<void> {
  const { sluice, things } = to.world;
  // Or all of it may be fetched before anybody has seen a checkpoint.
  await things.break("source", "slow");
  const { items, result } = await submit(to, 300);
  const [item] = items;
  if (item === undefined) throw new Error("nothing was handed in");
  await seen(async () => expect((await sluice.item(item)).checkpoint).not.toBeNull());
  await things.break("worker", "kill");
  await things.mend("source", "slow");
  expect(things.things().at(-1)).toMatchObject({ name: "worker", state: "down" });
  await things.mend("worker", "kill");
  expect((await result()).ok).toBe(true);
  const notes = (await sluice.logs(item)).flatMap(({ lines }) => lines.map(({ text }) => text));
  expect(notes).toContain(RESUMED);
  const workers = await sluice.workers();
  expect(workers.map(({ state }) => state).toSorted()).toEqual(["alive", "dead"]);
}

async function expectAllDone({ world, folder, handedIn }: Handed): Promise<void> {
  for (const target of TARGETS) expect(readdirSync(join(folder, target, "files")), target).toHaveLength(handedIn);
  expect((await world.sluice.doctor()).isOk).toBe(true);
}

/** The worlds are side by side; what happens in one is not. */
const IN_TURN = { concurrent: false };

const noticed = (to: Handed, faults: readonly string[]) =>
  it.each(faults)("%s is noticed wherever it can be, and mended; the film is everywhere in the end", IN_TURN, (fault) =>
    breakAndMend(to, fault),
  );
const allDone = (to: Handed) =>
  it("has every film at every target exactly once, and the engine kept its rules", IN_TURN, () => expectAllDone(to));

describe.concurrent("a sandbox", () => {
  const to = worldOfSuite();

  it("tells all its things as whole", IN_TURN, () => {
    const things = to.world.things.things();
    expect(things.map(({ name, state }) => `${name} ${state}`)).toEqual(
      ["source", "converter", ...TARGETS, "worker"].map((name) => `${name} up`),
    );
    expect(things.flatMap(({ faults }) => faults).filter(({ brokenSince }) => brokenSince !== null)).toEqual([]);
    const known = things.flatMap(({ faults }) => faults.map(({ name }) => name));
    expect(new Set(known)).toEqual(new Set([...SHARES.flat(), "slow", "kill"]));
  });
  noticed(to, SHARES[0]);
  allDone(to);
});

describe.concurrent("another one", () => {
  const to = worldOfSuite();
  noticed(to, SHARES[1]);
  allDone(to);
});

describe.concurrent("a third one", () => {
  const to = worldOfSuite();
  noticed(to, SHARES[2]);

  it(
    "has a worker that, killed, leaves nothing undone, and goes on from checkpoints when it is started again",
    IN_TURN,
    () => killWorker(to),
  );
  allDone(to);

  it("has a key for the command line at each start, and only the newest one opens", IN_TURN, async () => {
    const { sluice, url } = to.world;
    const keys = [await demoKey(sluice, ADMIN.name), await demoKey(sluice, ADMIN.name)];
    const answers = keys.map((key) => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 200]);
  });

  it("is looked at, broken and mended from the command line", IN_TURN, async () => {
    const { sluice, url, things } = to.world;
    const env = { SLUICE_URL: url, SLUICE_API_KEY: await demoKey(sluice, ADMIN.name) };
    const sandbox = (...args: string[]) => runCli(["sandbox", ...args], env);
    expect(await sandbox("break", "converter", "slow")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("converter is broken"),
    });
    const { entries } = JSON.parse((await sandbox("--json")).stdout);
    expect(entries).toMatchObject(JSON.parse(JSON.stringify(things.things())));
    expect((await sandbox()).stdout).toMatch(/^converter\tup\tslow\t2\S+Z\tWorks/m);
    expect(await sandbox("break", "converter", "slow")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("already"),
    });
    expect(await sandbox("mend", "converter", "slow")).toMatchObject({ code: 0 });
    expect(things.things().flatMap(({ faults }) => faults.filter((one) => one.brokenSince !== null))).toEqual([]);
  });

  it("is not started where the port is another's, and leaves nothing behind", IN_TURN, async () => {
    const port = Number(new URL(to.world.url).port);
    await expect(startWorld({ ...optionsIn(`${to.folder}/other`), port })).rejects.toMatchObject({
      code: "CANNOT_LISTEN",
    });
  });
});
