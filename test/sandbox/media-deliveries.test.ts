// The second half of the media world: encoders and servers with every fault of theirs, and in the end what was asked for at every server.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { judgeDeliveries } from "../../sandbox/media/delivered.ts";
import { ENCODERS, paceEncodes } from "../../sandbox/media/encoder-thing.ts";
import { SERVERS } from "../../sandbox/media/services/servers.ts";
import { type MediaWorld, startMediaWorld } from "../../sandbox/media/world.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { ask, readCard } from "../../src/apps/media/index.ts";
import type { RequestId } from "../../src/engine/index.ts";
import { encodingProcesses, processesOf } from "../media/requests/processes.ts";

const folder = temporaryFolder("sluice-media-deliveries");
/** Of a film in a second; a film has four of them. What goes slowly does not end while anybody waits for it. */
const QUICKLY = 4;
const SLOWLY = 0.05;
let world: MediaWorld;
beforeAll(async () => {
  world = await startMediaWorld({
    ...{ folder, port: 0, version: "0.0.0", admin: { name: "ann", password: "correct horse battery" } },
    log: { info: () => undefined, warn: () => undefined, error: console.error },
    stock: { size: { films: 20, series: 0 }, shape: { seconds: 4, kilobytes: 150 }, hasOthers: false },
    pace: { releaseSeconds: 1, encodeSpeed: QUICKLY, serverBytesPerSecond: null, cutBytes: 100_000 },
    limits: {
      ...{ every: "500ms", indexerRate: "100/s", attempts: 10, backoff: { base: "1s", cap: "2s", jitter: "0%" } },
      ...{ encodeEvery: "500ms", encodeStopped: "6s", encoderLost: "4s", encoderSays: "500ms", leftoversEvery: "2s" },
      fullAgain: "1s",
      breaker: { failures: 1, items: 1, cooldown: "1s" },
    },
  });
});
let isClosed = false;
afterEach(async () => {
  // What is closed would be started again.
  if (isClosed) return;
  pace(QUICKLY);
  await world.things.mendAll();
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const pace = (speed: number) => paceEncodes(join(folder, "encoders"), speed);
const soon = { timeout: 90_000, interval: 200 };
let next = 0;

async function askForOne(): Promise<RequestId> {
  const film = world.stock.catalogue.films[next];
  next += 1;
  const wanted = { kind: "film" as const, tmdb: film?.tmdb ?? 0, targets: [], policy: "best-effort" as const };
  const { request } = await ask({ ...world.app, sluice: world.sluice }, wanted, { owner: "ann", dryRun: false });
  if (request === null) throw new Error("all films were asked for");
  return request;
}

const itemOf = async (request: RequestId) => {
  const [item] = (await readCard(world.sluice, request, { owner: null })).items;
  if (item === undefined) throw new Error("a film is an item");
  return item;
};
const standing = async (request: RequestId) =>
  Object.fromEntries((await itemOf(request)).targets.map(({ server, state, code }) => [server, code ?? state]));
const encoders = () => world.app.encoders.list(world.sluice.tables);

/** Done, and at every server what was asked for; tells who has encoded it. */
async function completed(request: RequestId): Promise<string> {
  const { item } = await itemOf(request);
  await expect.poll(async () => (await world.sluice.item(item)).state, soon).toBe("done");
  const view = await world.sluice.item(item);
  const judged = await judgeDeliveries(world, view);
  expect(judged.map(({ server, wrong }) => [server, wrong])).toEqual(SERVERS.map((server) => [server, null]));
  const { pocket } = (view.outputs.encode as { outputs: Record<string, { encoder: string }> }).outputs;
  return pocket?.encoder ?? "";
}

/** A film, and the encoder that is amid it: it will not come to its end by itself. Whoever begins it after that does. */
async function askForSlowOne(): Promise<{ readonly request: RequestId; readonly name: string }> {
  pace(SLOWLY);
  const request = await askForOne();
  const busy = async () => (await encoders()).find(({ jobs }) => jobs.some((job) => (job.frames ?? 0) > 0))?.name;
  await expect.poll(busy, soon).toBeDefined();
  pace(QUICKLY);
  return { request, name: (await busy()) ?? "" };
}
const others = (name: string) => ENCODERS.filter((one) => one !== name);

/** Codes of what happened to its parts. */
async function past(request: RequestId): Promise<string[]> {
  const { parts } = await world.sluice.item((await itemOf(request)).item);
  const all = await Promise.all(parts.map(({ id }) => world.sluice.history(id)));
  return all.flatMap(({ entries }) => entries.flatMap(({ code }) => code ?? []));
}

it("delivers a film to three servers, as it was found and in one encode", async () => {
  const request = await askForOne();
  expect(ENCODERS).toContain(await completed(request));
  const { targets } = await itemOf(request);
  expect(targets.map(({ server, mediaServer }) => [server, mediaServer?.ok])).toEqual([
    ["attic", true],
    ["cabin", undefined],
    ["vault", undefined],
  ]);
});

describe("an encoder", () => {
  it.each(["kill", "freeze", "partition"])("that is gone by %s is replaced by the other one", async (fault) => {
    const { request, name } = await askForSlowOne();
    await world.things.break(name, fault);
    expect(others(name)).toEqual([await completed(request)]);
    expect(await past(request)).not.toContain("STALLED");
    await world.things.mend(name, fault);
    await expect.poll(async () => (await encoders()).every(({ state }) => state === "online"), soon).toBe(true);
  });

  it("whose ffmpeg stands still goes on speaking, and is replaced by the other one after the limit, with an attempt", async () => {
    const { request, name } = await askForSlowOne();
    await world.things.break(name, "stall");
    expect(others(name)).toEqual([await completed(request)]);
    expect(await past(request)).toContain("STALLED");
    expect((await encoders()).find((one) => one.name === name)).toMatchObject({ state: "online", jobs: [] });
    // What stood still has been ended, not only let go of.
    await expect.poll(() => encodingProcesses(join(folder, "encoders", name)), soon).toEqual([]);
  });

  it("that is the last one is waited for", async () => {
    for (const name of ENCODERS) await world.things.break(name, "kill");
    await expect.poll(async () => (await encoders()).some(({ state }) => state === "online"), soon).toBe(false);
    const request = await askForOne();
    await expect
      .poll(async () => (await world.sluice.explain((await itemOf(request)).item)).reason, soon)
      .toBe("no_worker");
    for (const name of ENCODERS) await world.things.mend(name, "kill");
    await completed(request);
  });
});

describe("a server", () => {
  it("that is away is waited for, and the others have theirs", async () => {
    await world.things.break("attic", "stop");
    const request = await askForOne();
    await expect.poll(async () => (await standing(request)).vault, soon).toBe("delivered");
    expect((await standing(request)).attic).not.toBe("delivered");
    await world.things.mend("attic", "stop");
    await completed(request);
  });

  it("that is full is waited for, and the others have theirs", async () => {
    await world.things.break("cabin", "full");
    const request = await askForOne();
    await expect
      .poll(() => standing(request), soon)
      .toEqual({ attic: "delivered", cabin: "DISK_FULL", vault: "delivered" });
    await world.things.mend("cabin", "full");
    await completed(request);
  });

  it("whose lines are cut gets the rest", async () => {
    await world.things.break("attic", "cut");
    const request = await askForOne();
    await expect.poll(() => past(request), soon).toContain("CONNECTION_LOST");
    await world.things.mend("attic", "cut");
    await completed(request);
  });

  it("that lets nobody write, or is another, fails alone and in words", async () => {
    await world.things.break("cabin", "denied");
    await world.things.break("vault", "stranger");
    const request = await askForOne();
    await expect
      .poll(() => standing(request), soon)
      .toEqual({ attic: "delivered", cabin: "PERMISSION_DENIED", vault: "HOST_KEY_CHANGED" });
  });
});

it("a media server that does not answer keeps nothing from being delivered", async () => {
  await world.things.break("jellyfin", "stop");
  const request = await askForOne();
  await completed(request);
  const { targets } = await itemOf(request);
  expect(targets.find(({ server }) => server === "attic")?.mediaServer).toMatchObject({ ok: false });
});

it("nothing is left of it when it is closed, also where an encoder was killed", async () => {
  const { name } = await askForSlowOne();
  await world.things.break(name, "kill");
  isClosed = true;
  await world.close();
  await expect.poll(() => processesOf(folder), soon).toEqual([]);
});
