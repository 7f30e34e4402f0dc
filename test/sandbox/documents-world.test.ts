// The gateway of the demo world with each of its faults, and documents as its panel says they go.

import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { convertingIn, judge, read, upload } from "../../sandbox/documents/converting.ts";
import { type DrawerFile, drawerOf, fillDrawer } from "../../sandbox/documents/drawer.ts";
import { type MediaWorld, startMediaWorld } from "../../sandbox/media/world.ts";
import { temporaryFolder } from "../../sandbox/temporary-folder.ts";
import { BUSY, backoffOf, busyOf } from "../../src/apps/documents/index.ts";
import type { ItemId } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";

const folder = temporaryFolder("sluice-documents-world");
const ADMIN = { name: "ann", password: "correct horse battery" };
const SLOW_MS = 3_000;
/** More than a fault can use up before it is mended, however slow the machine is. */
const ATTEMPTS = 200;
let world: MediaWorld;
let readable: DrawerFile[];
let unreadable: DrawerFile[];
beforeAll(async () => {
  world = await startMediaWorld({
    ...{ folder, port: 0, version: "0.0.0", admin: ADMIN, delivers: false },
    log: silentLogger,
    stock: { size: { films: 1, series: 0 }, shape: { seconds: 2, kilobytes: 50 }, hasOthers: false },
    pace: { slowConversionMs: SLOW_MS },
    converts: {
      ...{ attempts: ATTEMPTS, backoff: backoffOf(100, 0, 1), freeBytes: 0 },
      breaker: { failures: 1, items: 1, cooldown: "1s" },
    },
  });
  const drawer = await fillDrawer(drawerOf(convertingIn(world).documents), 20);
  readable = drawer.filter(({ holds }) => holds !== null);
  unreadable = drawer.filter(({ holds }) => holds === null);
});
afterEach(async () => {
  await world.things.mendAll();
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const soon = { timeout: 90_000, interval: 200 };
const seen = (id: ItemId) => read(convertingIn(world), id);
const banner = async () => (await busyOf(world.sluice)).banner;
const handIn = (one: DrawerFile) => upload(convertingIn(world), one, "ann");
function next(): DrawerFile {
  const one = readable.shift();
  if (one === undefined) throw new Error("the drawer is empty");
  return one;
}

/** As it is when it has ended, which is as it has to. */
async function ended(one: DrawerFile, id: ItemId) {
  await expect.poll(async () => (await seen(id)).finishedAt, soon).not.toBeNull();
  const view = await seen(id);
  expect(await judge(convertingIn(world), one, view)).toBeNull();
  return view;
}
const attemptsOf = async (id: ItemId) => (await seen(id)).attemptCount;
/** Of its visits to the gateway, how long each took. */
const visits = async (id: ItemId) =>
  (await world.sluice.history(id)).entries.filter(({ from }) => from === "convert").map(({ tookMs }) => tookMs ?? 0);

describe("the gateway of the demo world", () => {
  it("is there, with what can be wrong with it, and the server has both applications", async () => {
    const gateway = world.things.things().find(({ name }) => name === "gateway");
    expect([gateway?.state, gateway?.service]).toEqual(["up", "gateway"]);
    expect(gateway?.faults.map(({ name }) => name)).toEqual(["stop", "slow", "lie"]);
    const asked = { method: "POST", headers: { "content-type": "application/json", origin: world.url } };
    const session = await fetch(`${world.url}/api/v1/session`, { ...asked, body: JSON.stringify(ADMIN) });
    const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
    const overview = await fetch(`${world.url}/api/v1/overview`, { headers: { cookie } });
    expect(await overview.json()).toMatchObject({ apps: ["media", "documents"], hasSandbox: true });
  });

  it("converts what can be read, and refuses what is locked or damaged at once and in words", async () => {
    const one = next();
    expect((await ended(one, await handIn(one))).attemptCount).toBe(1);
    const refused = await Promise.all(unreadable.map(async (bad) => ended(bad, await handIn(bad))));
    expect(refused.map(({ error }) => error?.sentence)).toEqual([
      "The converter rejected this document. It cannot be opened without a password.",
      "The converter rejected this document. It is damaged, or no PDF behind its first bytes.",
    ]);
  });

  it("that is down has documents queued without an attempt, says so, and they go on when it is back", async () => {
    await world.things.break("gateway", "stop");
    const papers = [next(), next(), next()];
    const ids = await Promise.all(papers.map(handIn));
    await expect.poll(banner, soon).toBe(BUSY);
    await expect
      .poll(async () => (await Promise.all(ids.map(seen))).map(({ status }) => status), soon)
      .toEqual(["queued", "queued", "queued"]);
    expect(await Promise.all(ids.map(attemptsOf))).toEqual([0, 0, 0]);
    await world.things.mend("gateway", "stop");
    for (const [at, id] of ids.entries()) expect((await ended(papers[at] as DrawerFile, id)).attemptCount).toBe(1);
    await expect.poll(banner, soon).toBeNull();
  });

  it("that is slow takes longer, and nothing else", async () => {
    await world.things.break("gateway", "slow");
    const one = next();
    const id = await handIn(one);
    expect((await ended(one, id)).attemptCount).toBe(1);
    // Timers may be early by one.
    expect(Math.max(...(await visits(id)))).toBeGreaterThanOrEqual(SLOW_MS - 1);
    expect(await banner()).toBeNull();
  });

  it("that lies is not believed: tried again, attempts counted, and well when it is mended", async () => {
    await world.things.break("gateway", "lie");
    const one = next();
    const id = await handIn(one);
    // A web page and half of the XML, at least.
    await expect.poll(() => attemptsOf(id), soon).toBeGreaterThanOrEqual(2);
    const { error, result } = await seen(id);
    expect([error?.code, result]).toEqual(["GW_5XX", null]);
    await world.things.mend("gateway", "lie");
    expect((await ended(one, id)).attemptCount).toBeGreaterThanOrEqual(3);
  });
});
