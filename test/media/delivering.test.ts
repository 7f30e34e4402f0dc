// Films and episodes to servers, with every trouble on the way. Servers in memory, time as it is told.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCard } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import { type ItemId, parseId, permanent, type RequestId, transient, unavailable } from "../../src/engine/index.ts";
import { formatId } from "../../src/kit/index.ts";
import { type MediaWorld, makeRelease, openMedia } from "./media-world.ts";

let world: MediaWorld;
let disk: string;
beforeEach(async () => {
  disk = mkdtempSync(join(tmpdir(), "sluice-delivering-"));
  world = await openMedia({ disk, limits: LIMITS });
  world.offer(world.first, best);
});
afterEach(async () => {
  await world.t.close();
  rmSync(disk, { recursive: true, force: true });
});

const LIMITS = { leftoversEvery: "1m", every: "30s", attempts: 3 } as const;
const best = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const PATH = "Films/Metropolis (1927) {tmdb-19}/Metropolis (1927) {tmdb-19}.mkv";
const bytes = best.published.files[0]?.bytes ?? 0;
const everybody = { owner: null };

type Policy = "best-effort" | "all-or-nothing";
async function ask(names: readonly string[], policy: Policy = "best-effort") {
  for (const name of names) await world.setServer(name);
  const targets = names.map((name) => ({ name }));
  const { request } = await world.ask({ kind: "film", tmdb: 19, targets, policy });
  const id = request ?? expect.unreachable("something new has a request");
  const { items } = await card(id);
  return { request: id, item: items[0]?.item ?? expect.unreachable() };
}
const card = (request: RequestId) => readCard(world.t.sluice, request, everybody);
const states = async (request: RequestId) =>
  (await card(request)).items[0]?.targets.map(
    ({ server, state, code }) => `${server} ${state}${code === null ? "" : ` ${code}`}`,
  );
const item = (id: ItemId) => world.t.sluice.item(id);
const truth = (name: string) => world.server(name).world.truth();

describe("a film", () => {
  it("comes to every server that was named, under its name, and their media servers are told", async () => {
    const { request, item: id } = await ask(["nas", "attic", "shed"]);
    await world.t.advance("3m");
    const { status, items } = await card(request);
    expect(status).toBe("COMPLETED");
    expect(items[0]?.targets).toMatchObject(
      ["attic", "nas", "shed"].map((server) => ({
        ...{ server, state: "delivered", path: PATH, bytes, sentBytes: bytes, progress: 100, code: null },
        mediaServer: { ok: true, sentence: null },
        at: expect.any(Date),
      })),
    );
    for (const name of ["nas", "attic", "shed"]) {
      expect(world.server(name).world.get(PATH)?.toString()).toContain("GOOD.mkv of");
      expect(truth(name)).toMatchObject({ visible: [PATH], parts: [] });
      expect(world.server(name).told).toEqual([PATH]);
    }
    expect((await item(id)).gates.map(({ gate, verdict }) => `${gate} ${verdict}`)).toContain("targetsHaveIt passed");
  });

  it("whose media server does not listen is delivered all the same, and that is noted", async () => {
    world.server("nas").announcing.code = "NOT_REACHED";
    const { request } = await ask(["nas"]);
    await world.t.advance("3m");
    const [target] = (await card(request)).items[0]?.targets ?? [];
    expect(target).toMatchObject({ state: "delivered", mediaServer: { ok: false, sentence: "it does not listen" } });
    expect((await card(request)).status).toBe("COMPLETED");
  });

  it("whose server is not set any more when its media server is to be told is delivered all the same", async () => {
    const gone = permanent("SERVER_NOT_SET", "there is no server nas any more", { breaker: "none" });
    Object.assign(world.server("nas").client, { announce: () => Promise.reject(gone) });
    const { request } = await ask(["nas"]);
    await world.t.advance("3m");
    expect((await card(request)).status).toBe("COMPLETED");
    expect((await card(request)).items[0]?.targets).toMatchObject([
      { state: "delivered", mediaServer: { ok: false, sentence: gone.message } },
    ]);
  });

  it("that no server is named for goes to those that are set for it; without any it is only downloaded, and says so", async () => {
    const { item: alone } = await ask([]);
    await world.t.advance("3m");
    expect(JSON.stringify(await world.t.sluice.history(alone))).toContain(
      "no server was named, and none is set for what names none",
    );
    await world.setServer("nas", { is_default: true });
    world.offer(world.first, makeRelease({ name: "Nosferatu.1922.1080p.BluRay.x265-GOOD" }));
    const { request } = await world.ask({ kind: "film", tmdb: 20 });
    await world.t.advance("3m");
    expect(await states(request ?? expect.unreachable())).toEqual(["nas delivered"]);
  });

  it("asked for at a server that is not set is refused by its name", async () => {
    await world.setServer("nas");
    await expect(world.ask({ kind: "film", tmdb: 19, targets: [{ name: "nsa" }] })).rejects.toMatchObject({
      ...{ field: "targets.0.name", message: expect.stringContaining('no server "nsa"') },
    });
  });
});

describe("a server", () => {
  it("that is down is waited for without an attempt, the others have it meanwhile, and nothing is sent to them twice", async () => {
    world.server("d").down();
    const { request, item: id } = await ask(["a", "b", "c", "d", "e"]);
    await world.t.advance("20m");
    expect(await states(request)).toEqual([
      "a delivered",
      "b delivered",
      "c delivered",
      "d pending NOT_REACHED",
      "e delivered",
    ]);
    const waiting = (await item(id)).parts.find(({ name }) => name === "d") ?? expect.unreachable();
    expect((await world.t.sluice.explain(waiting.id)).reason).toBe("service_down");
    world.server("d").down(false);
    await world.t.advance("20m");
    expect((await card(request)).status).toBe("COMPLETED");
    for (const name of ["a", "b", "c", "d", "e"]) expect(truth(name).receivedBytes).toBe(bytes);
    expect((await item(id)).parts.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  });

  it("that is full is waited for as disk_low, without an attempt, until there is room", async () => {
    world.server("nas").world.capacityBytes = 10;
    const { request, item: id } = await ask(["nas"]);
    await world.t.advance("10m");
    const [part] = (await item(id)).parts;
    expect((await world.t.sluice.explain(part?.id ?? expect.unreachable())).reason).toBe("disk_low");
    expect(part?.attempts).toBe(0);
    world.server("nas").world.capacityBytes = 1e9;
    await world.t.advance("6m");
    expect(await states(request)).toEqual(["nas delivered"]);
  });

  it.each([
    ["may not be written to", "PERMISSION_DENIED", () => (world.server("nas").world.isReadOnly = true)],
    [
      "shows another host key",
      "HOST_KEY_CHANGED",
      () =>
        world
          .server("nas")
          .fails("bytesAt", permanent("HOST_KEY_CHANGED", "nas shows another host key", { breaker: "none" })),
    ],
  ])(
    "that %s fails for good, in words; the other has it, the request is PARTIAL, and it is retried alone",
    async (_, code, breakIt) => {
      breakIt();
      const { request, item: id } = await ask(["attic", "nas"]);
      await world.t.advance("10m");
      expect(await states(request)).toEqual(["attic delivered", `nas failed ${code}`]);
      expect((await card(request)).status).toBe("PARTIAL");
      expect((await card(request)).items[0]?.targets[1]?.sentence).toMatch(/nas/);
      world.server("nas").world.isReadOnly = false;
      expect(await world.t.sluice.retryParts(id, "ann")).toEqual({ ok: true });
      await world.t.advance("5m");
      expect(await states(request)).toEqual(["attic delivered", "nas delivered"]);
      expect((await card(request)).status).toBe("COMPLETED");
      expect(truth("attic").receivedBytes).toBe(bytes);
    },
  );

  it("whose line is cut goes on when it is tried again", async () => {
    world.server("nas").fails("send", transient("CONNECTION_LOST", "cut"));
    const { request } = await ask(["nas"]);
    await world.t.advance("10m");
    expect(await states(request)).toEqual(["nas delivered"]);
    expect(truth("nas")).toMatchObject({ visible: [PATH], parts: [] });
  });

  it("that was removed from the settings fails, and has it when it is back and tried again", async () => {
    world
      .server("nas")
      .fails("bytesAt", permanent("SERVER_NOT_SET", "there is no server nas any more", { breaker: "none" }));
    const { request, item: id } = await ask(["nas"]);
    await world.t.advance("3m");
    expect((await card(request)).status).toBe("FAILED");
    expect(await states(request)).toEqual(["nas failed SERVER_NOT_SET"]);
    expect(await world.t.sluice.retryParts(id, "ann")).toEqual({ ok: true });
    await world.t.advance("3m");
    expect((await card(request)).status).toBe("COMPLETED");
  });
});

describe("all or nothing", () => {
  it("names nothing before all have everything", async () => {
    world.server("b").down();
    const { request } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("5m");
    expect(truth("a")).toMatchObject({ visible: [], parts: [expect.stringMatching(/\.part$/)] });
    expect(await states(request)).toEqual(["a pending", "b pending NOT_REACHED"]);
    world.server("b").down(false);
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["a delivered", "b delivered"]);
    for (const name of ["a", "b"]) {
      expect(truth(name)).toMatchObject({ visible: [PATH], parts: [], receivedBytes: bytes });
      expect(world.server(name).told).toEqual([PATH]);
    }
  });

  it("takes everything back where one cannot have it", async () => {
    world.server("b").world.isReadOnly = true;
    const { request } = await ask(["a", "b", "c"], "all-or-nothing");
    await world.t.advance("5m");
    expect((await card(request)).status).toBe("FAILED");
    for (const name of ["a", "b", "c"]) expect(truth(name)).toMatchObject({ visible: [], parts: [] });
  });

  it("withdraws what was named already where one cannot be", async () => {
    world.server("b").fails("publish", permanent("PERMISSION_DENIED", "b lets nobody rename", { breaker: "none" }));
    const { request } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("10m");
    expect((await card(request)).status).toBe("FAILED");
    expect(await states(request)).toEqual(["a failed ITEM_OVER", "b failed PERMISSION_DENIED"]);
    for (const name of ["a", "b"]) expect(truth(name)).toMatchObject({ visible: [], parts: [] });
  });
});

describe("naming what all have", () => {
  const attempts = async (id: ItemId) =>
    (await item(id)).parts
      .filter(({ stage }) => stage === "publish")
      .map(({ name, attempts: used }) => `${name} ${used}`);

  it("costs no attempt where a server is away just then", async () => {
    world.server("b").fails("publish", unavailable("NOT_REACHED", "b is away", { service: "server:b" }));
    const { request, item: id } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["a delivered", "b delivered"]);
    expect(await attempts(id)).toEqual(["a 1", "b 1"]);
  });

  it("is tried as often as everything else, and taken back everywhere then", async () => {
    for (let tries = 0; tries < LIMITS.attempts; tries += 1)
      world.server("b").fails("publish", transient("CONNECTION_LOST", "cut"));
    const { request, item: id } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("30m");
    expect(await states(request)).toEqual(["a failed ITEM_OVER", "b failed CONNECTION_LOST"]);
    expect(await attempts(id)).toEqual(["a 1", `b ${LIMITS.attempts}`]);
    for (const name of ["a", "b"]) expect(truth(name)).toMatchObject({ visible: [], parts: [] });
  });
});

describe("what lies there already", () => {
  it("and is somebody else's is not touched: the target fails in words", async () => {
    world.server("nas").world.put(PATH, Buffer.from("a film of somebody's own"));
    const { request } = await ask(["attic", "nas"]);
    await world.t.advance("3m");
    expect(await states(request)).toEqual(["attic delivered", "nas failed NAME_TAKEN"]);
    expect(world.server("nas").world.get(PATH)?.toString()).toBe("a film of somebody's own");
    expect((await card(request)).items[0]?.targets[1]?.sentence).toContain("was not touched");
  });

  it("and is the same is enough: nothing is sent", async () => {
    world.server("nas").world.put(PATH, Buffer.from(`${best.offer.title}.mkv of ${best.offer.title}`));
    const { request } = await ask(["nas"]);
    await world.t.advance("3m");
    expect((await card(request)).items[0]?.targets).toMatchObject([{ state: "delivered", sentBytes: 0 }]);
    expect(truth("nas").receivedBytes).toBe(0);
  });

  it("and is the item's own is replaced by what it delivers anew", async () => {
    const { request, item: id } = await ask(["nas"]);
    await world.t.advance("3m");
    await world.t.sluice.replay(id, { from: "deliver", by: "ann" });
    await world.t.advance("3m");
    expect(truth("nas")).toMatchObject({ visible: [PATH], receivedBytes: bytes });
    expect(await states(request)).toEqual(["nas delivered"]);
  });

  it("and was the item's own until somebody changed it is not touched", async () => {
    const { request, item: id } = await ask(["nas"]);
    await world.t.advance("3m");
    world.server("nas").world.put(PATH, Buffer.from("the same film, with subtitles"));
    await world.t.sluice.replay(id, { from: "deliver", by: "ann" });
    await world.t.advance("3m");
    expect(await states(request)).toEqual(["nas failed NAME_TAKEN"]);
    expect(world.server("nas").world.get(PATH)?.toString()).toBe("the same film, with subtitles");
  });

  it("and was put there by another item of the same name is not touched", async () => {
    const { request } = await ask(["nas"]);
    await world.t.advance("3m");
    const { db } = world.t;
    // Another title, called the same.
    await db.query(
      {
        name: "t-other",
        text: "update media.delivery set item_id = item_id + 1000000, sha256 = 'other', title = 'film 20', made_of = 'other'",
      },
      [],
    );
    const [{ item: id } = expect.unreachable()] = (await card(request)).items;
    await world.t.sluice.replay(id, { from: "deliver", by: "ann" });
    await world.t.advance("3m");
    expect(await states(request)).toEqual(["nas failed NAME_TAKEN"]);
  });
});

describe("a name", () => {
  const rows = () =>
    world.t.db.query<{ state: string; turn: number; also: string[] }>(
      { name: "t-rows", text: "select state, turn, also::text[] as also from media.delivery order by server, path" },
      [],
    );
  const again = makeRelease({ name: "Metropolis.1927.2160p.BluRay.x265-BEST", content: "better" });
  /** As somebody hands it in who knows that it is there. */
  async function askAgain(): Promise<ItemId> {
    const profile = { ...standardProfile, resolutions: ["2160p" as const] };
    const targets = [{ name: "nas", encoding: null }];
    const { items } = await world.t.submit(world.media, [{ kind: "film", tmdb: 19, profile, targets }]);
    return items[0] as ItemId;
  }

  it("that somebody else took while it was sent is not touched", async () => {
    world.server("b").down();
    const { request } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("3m");
    world.server("a").world.put(PATH, Buffer.from("a film of somebody's own"));
    world.server("b").down(false);
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["a failed NAME_TAKEN", "b failed ITEM_OVER"]);
    expect(world.server("a").world.get(PATH)?.toString()).toBe("a film of somebody's own");
    expect(truth("a").parts).toEqual([]);
    expect(truth("b")).toMatchObject({ visible: [], parts: [] });
    expect(await rows()).toEqual([]);
  });

  it("of a film that is asked for again after it was done is given to what is delivered then", async () => {
    await ask(["nas"]);
    await world.t.advance("15m");
    world.offer(world.first, again);
    const second = await askAgain();
    await world.t.advance("3m");
    expect((await item(second)).state).toBe("done");
    expect(world.server("nas").world.get(PATH)?.toString()).toContain("of better");
    expect(truth("nas")).toMatchObject({ visible: [PATH], parts: [] });
    expect(await rows()).toMatchObject([{ state: "kept", also: [expect.any(String)] }]);
  });

  it("of a film that is asked for again, and was changed there by somebody, is not touched", async () => {
    await ask(["nas"]);
    await world.t.advance("15m");
    world.server("nas").world.put(PATH, Buffer.from("a film of somebody's own"));
    world.offer(world.first, again);
    const second = await askAgain();
    await world.t.advance("3m");
    expect((await item(second)).state).toBe("failed");
    expect(world.server("nas").world.get(PATH)?.toString()).toBe("a film of somebody's own");
  });

  it("of a film that is asked for again is what it was when that is cancelled, and can be given anew", async () => {
    await ask(["nas"]);
    await world.t.advance("15m");
    world.offer(world.first, again);
    // It is cut, and waits for its next try.
    world.server("nas").world.cutAfterBytes = 1;
    const second = await askAgain();
    for (let steps = 0; steps < 20 && truth("nas").parts.length === 0; steps += 1) await world.t.advance("10s");
    expect(await rows()).toMatchObject([{ state: "sending" }]);
    expect(await world.t.sluice.cancel(second, "ann")).toEqual({ ok: true });
    await world.t.advance("10m");
    expect(await rows()).toMatchObject([{ state: "kept" }]);
    expect(truth("nas")).toMatchObject({ visible: [PATH], parts: [] });
    const third = await askAgain();
    await world.t.advance("3m");
    expect((await item(third)).state).toBe("done");
    expect(world.server("nas").world.get(PATH)?.toString()).toContain("of better");
  });

  it("that a worker took up before it slept is not its own any more", async () => {
    const { deliveries } = world.ports.store;
    const part = {
      ...{ name: "nas", item: formatId("item", "1"), encoding: null, to: PATH, id: "a", title: "film 19", madeOf: "m" },
      ...{ isWhole: false, file: { path: "/f", bytes: 3 }, failure: null },
    };
    const sending = { state: "sending", sha256: null, there_bytes: null } as const;
    const name = { server: "nas", path: PATH };
    const early = (await deliveries.claim(part, undefined, sending)) ?? expect.unreachable();
    expect(await deliveries.claim(part, undefined, sending)).toBeUndefined();
    const seen = (await deliveries.find("nas", PATH)) ?? expect.unreachable();
    const late = (await deliveries.resume(part, seen)) ?? expect.unreachable();
    expect(await deliveries.resume(part, seen)).toBeUndefined();
    expect(await deliveries.mark({ ...name, turn: early }, "kept", "00")).toBe(false);
    await deliveries.drop({ ...name, turn: early });
    expect(await rows()).toMatchObject([{ state: "sending", turn: late }]);
    expect(await deliveries.mark({ ...name, turn: late }, "sent", "00")).toBe(true);
    await deliveries.drop({ ...name, turn: late });
    expect(await rows()).toEqual([]);
  });
});

describe("who comes later", () => {
  it("while it is being delivered gets it too", async () => {
    world.server("a").down();
    const { request } = await ask(["a"]);
    await world.t.advance("3m");
    await world.setServer("b");
    await world.ask({ kind: "film", tmdb: 19, targets: [{ name: "b" }] }, "mo");
    world.server("a").down(false);
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["a delivered", "b delivered"]);
    expect(truth("a").receivedBytes).toBe(bytes);
    expect((await card(request)).status).toBe("COMPLETED");
  });

  it("and wants it in an encoding that nobody had named has it encoded first", async () => {
    world.server("a").down();
    const { item: id } = await ask(["a"]);
    await world.t.advance("3m");
    await world.setServer("b");
    await world.ask({ kind: "film", tmdb: 19, targets: [{ name: "b", encoding: "hevc" }] }, "mo");
    world.server("a").down(false);
    await world.t.advance("20m");
    expect(truth("a").receivedBytes).toBe(bytes);
    expect(await world.t.sluice.explain(id)).toMatchObject({ reason: "no_worker" });
    expect((await item(id)).stage).toBe("encode");
  });
});

describe("a series of which some is there", () => {
  it("comes to servers that are named later with all of it", async () => {
    const name = "The.Sluice.Keepers.S02E01.1080p.WEB-DL.x265-GOOD";
    world.offer(world.first, makeRelease({ name, season: 2, episode: 1 }));
    for (const server of ["a", "b"]) await world.setServer(server);
    const asked = { kind: "series", tmdb: 7, seasons: [2] } as const;
    const { request } = await world.ask({ ...asked, targets: [{ name: "a" }] });
    await world.t.advance("3m");
    const first = async () => (await card(request ?? expect.unreachable())).items[0] ?? expect.unreachable();
    expect(await first()).toMatchObject({ state: "done", targets: [{ server: "a", state: "delivered" }] });
    await world.ask({ ...asked, targets: [{ name: "b" }] }, "mo");
    await world.t.advance("3m");
    const { targets } = await first();
    expect(targets.map(({ server, state }) => `${server} ${state}`)).toEqual(["a delivered", "b delivered"]);
    expect(truth("a").published.size).toBe(1);
    expect([...truth("a").published.values()]).toEqual([1]);
  });
});

describe("what is cancelled", () => {
  it("amid delivering leaves no part behind, also where its server was away", async () => {
    const nas = world.server("nas");
    nas.world.cutAfterBytes = 1;
    const { item: id } = await ask(["nas"]);
    for (let steps = 0; steps < 20 && truth("nas").parts.length === 0; steps += 1) await world.t.advance("10s");
    expect(truth("nas").parts).toHaveLength(1);
    nas.down();
    expect(await world.t.sluice.cancel(id, "mia")).toEqual({ ok: true });
    await world.t.advance("10m");
    nas.down(false);
    await world.t.advance("15m");
    expect(truth("nas")).toMatchObject({ visible: [], parts: [] });
    const left = await world.t.db.query({ name: "t-left", text: "select item_id from media.delivery" }, []);
    expect(left).toEqual([]);
    expect(parseId("item", id)).toBeTruthy();
  });

  it("and what failed for good leaves no part behind", async () => {
    const nas = world.server("nas");
    nas.world.storesZeros = true;
    const { request } = await ask(["attic", "nas"]);
    await world.t.advance("15m");
    expect(await states(request)).toEqual(["attic delivered", "nas failed WRONG_BYTES"]);
    expect(truth("nas")).toMatchObject({ visible: [], parts: [] });
  });
});

describe("episodes", () => {
  const both = "Series/The Sluice Keepers (2019)/Season 02/The Sluice Keepers (2019) - S02E01-E02.mkv";
  async function askBoth(names: readonly string[], policy: Policy = "best-effort") {
    const name = "The.Sluice.Keepers.S02.1080p.WEB-DL.x265-PACK";
    world.offer(world.first, makeRelease({ name, season: 2, files: ["The.Sluice.Keepers.S02E01E02.1080p.mkv"] }));
    for (const one of names) await world.setServer(one);
    const targets = names.map((one) => ({ name: one }));
    const { request } = await world.ask({ kind: "series", tmdb: 7, seasons: [2], targets, policy });
    return request ?? expect.unreachable();
  }

  it("in one file are delivered once, under the name of both", async () => {
    const request = await askBoth(["nas"]);
    await world.t.advance("10m");
    const { items, status } = await card(request);
    expect(status).toBe("COMPLETED");
    expect(items.flatMap(({ targets }) => targets.map(({ state, path }) => `${state} ${path}`))).toEqual([
      `delivered ${both}`,
      `delivered ${both}`,
    ]);
    expect(truth("nas")).toMatchObject({ visible: [both] });
    expect(truth("nas").published.get(both)).toBe(1);
  });

  it("in one file come to all servers, where all or none are to have it, and wait for each other nowhere", async () => {
    const request = await askBoth(["a", "b"], "all-or-nothing");
    await world.t.advance("15m");
    expect((await card(request)).status).toBe("COMPLETED");
    for (const name of ["a", "b"]) {
      expect(truth(name)).toMatchObject({ visible: [both], parts: [] });
      expect(truth(name).published.get(both)).toBe(1);
    }
  });

  it("in one file, of which one is cancelled, leave it to the other; and nothing where both are", async () => {
    for (const name of ["a", "b"]) world.server(name).down();
    const request = await askBoth(["a", "b"], "all-or-nothing");
    await world.t.advance("2m");
    world.server("a").down(false);
    await world.t.advance("10m");
    expect(truth("a").parts).toHaveLength(1);
    const [first, second] = (await card(request)).items.map((one) => one.item);
    await world.t.sluice.cancel(first ?? expect.unreachable(), "mia");
    await world.t.advance("10m");
    expect(truth("a").parts).toHaveLength(1);
    world.server("b").down(false);
    await world.t.advance("20m");
    for (const name of ["a", "b"]) expect(truth(name)).toMatchObject({ visible: [both], parts: [] });
    expect((await item(second ?? expect.unreachable())).state).toBe("done");
  });

  it("in one file, both of which are cancelled, leave nothing behind", async () => {
    world.server("b").down();
    const request = await askBoth(["a", "b"], "all-or-nothing");
    await world.t.advance("5m");
    expect(truth("a").parts).toHaveLength(1);
    for (const { item: id } of (await card(request)).items) await world.t.sluice.cancel(id, "mia");
    world.server("b").down(false);
    await world.t.advance("20m");
    for (const name of ["a", "b"]) expect(truth(name)).toMatchObject({ visible: [], parts: [] });
  });
});

describe("what vanished", () => {
  const trace = async (id: ItemId) => (await world.t.trace(id)).join("\n");
  const remove = (name: string, path: string) => world.server(name).world.remove(path);

  it("at a server that had it is brought there again, and nothing to the others", async () => {
    world.server("b").down();
    const { request, item: id } = await ask(["a", "b", "c"]);
    await world.t.advance("3m");
    expect(truth("a").visible).toEqual([PATH]);
    remove("a", PATH);
    world.server("b").down(false);
    await world.t.advance("20m");
    expect((await card(request)).status).toBe("COMPLETED");
    expect(truth("a")).toMatchObject({ visible: [PATH], receivedBytes: 2 * bytes });
    for (const name of ["b", "c"]) expect(truth(name)).toMatchObject({ visible: [PATH], receivedBytes: bytes });
    expect(await trace(id)).toContain("publish back");
    expect(JSON.stringify((await world.t.sluice.history(id)).entries)).toContain(
      `a has nothing of ${bytes} bytes: it is sent there again`,
    );
  });

  it("of what waits for the others, with all or nothing, is sent again before anything is named", async () => {
    world.server("b").down();
    const { request } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("3m");
    remove("a", truth("a").parts[0] ?? expect.unreachable());
    world.server("b").down(false);
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["a delivered", "b delivered"]);
    expect([truth("a").receivedBytes, truth("b").receivedBytes]).toEqual([2 * bytes, bytes]);
  });

  it("in the moment of naming it is sent again; what the others have named stays", async () => {
    world.server("b").fails("publish", transient("PART_GONE", "the part is not there as it was"));
    const { request, item: id } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["a delivered", "b delivered"]);
    expect(truth("a").published.get(PATH)).toBe(1);
    expect(await trace(id)).toContain("publish back");
  });

  it("in the moment of naming, and is refused then, is taken back everywhere", async () => {
    const b = world.server("b");
    Object.assign(b.client.destination, {
      publish: async () => {
        for (const part of truth("b").parts) b.world.remove(part);
        b.world.isReadOnly = true;
        throw transient("PART_GONE", "the part is not there as it was");
      },
    });
    const { request } = await ask(["a", "b"], "all-or-nothing");
    await world.t.advance("20m");
    expect((await card(request)).status).toBe("FAILED");
    expect(truth("a")).toMatchObject({ visible: [], parts: [], published: new Map([[PATH, 1]]) });
  });

  it("of the download, and is to be delivered, is downloaded again", async () => {
    const { item: id, request } = await ask(["nas"]);
    await world.t.advance("3m");
    const file = join(disk, best.infohash, best.published.files[0]?.path ?? "");
    const [{ path, bytes: size } = expect.unreachable()] = best.published.files;
    world.names.delete(path);
    rmSync(file);
    await world.t.sluice.replay(id, { from: "deliver", by: "ann" });
    await world.t.advance("30s");
    expect(await trace(id)).toContain("deliver back");
    expect((await item(id)).stage).toBe("download");
    world.names.set(path, size);
    writeFileSync(file, best.published.files[0]?.content ?? "");
    await world.t.advance("20m");
    expect(await states(request)).toEqual(["nas delivered"]);
    expect((await card(request)).status).toBe("COMPLETED");
  });
});
