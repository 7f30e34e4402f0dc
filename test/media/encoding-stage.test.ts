// The stage that encodes, with encoders that do as they are told, in time as it is told.

import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Encoded } from "../../src/apps/media/encoded.ts";
import { EncoderDesk } from "../../src/apps/media/encoding/desk.ts";
import { hasNews } from "../../src/apps/media/encoding/giving.sql.ts";
import { encodeBoard, readCard } from "../../src/apps/media/index.ts";
import { standardProfile } from "../../src/apps/media/releases/index.ts";
import { encodingProfile } from "../../src/connectors/index.ts";
import type { ItemId, PartsOutput } from "../../src/engine/index.ts";
import { PuppetEncoder } from "../support/puppet-encoder.ts";
import { type MediaWorld, makeRelease, openMedia } from "./media-world.ts";

const LOST_MS = 90_000;
const film = makeRelease({ name: "Metropolis.1927.1080p.BluRay.x265-GOOD" });
const profile = (name: string, codec: "h264" | "hevc" | "av1") => encodingProfile.parse({ name, codec });

let world: MediaWorld;
let folder: string;
let desk: EncoderDesk;
let puppets: PuppetEncoder[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-encodes-"));
  puppets = [];
  const proof = async (path: string, bytes: number) => ({ path, bytes, at: 0, length: 1, sha256: "00" });
  desk = new EncoderDesk({ folder, lostMs: LOST_MS, sayMs: 5_000, againMs: 30_000, proof });
  world = await openMedia({
    board: (db) => {
      const board = encodeBoard({ db, folder, lostMs: LOST_MS, keepMs: 86_400_000 });
      const speak = async () => {
        for (const puppet of puppets) await puppet.speak();
      };
      // Encoders speak while somebody looks.
      return {
        ...board,
        able: async (given) => speak().then(() => board.able(given)),
        look: async (refs) => speak().then(() => board.look(refs)),
      };
    },
  });
  world.offer(world.first, film);
});
afterEach(async () => {
  await world.t.close();
  rmSync(folder, { recursive: true, force: true });
});

function puppet(name: string, options?: ConstructorParameters<typeof PuppetEncoder>[2]): PuppetEncoder {
  const made = new PuppetEncoder(name, { desk, tables: async () => world.t.sluice.tables }, options);
  puppets.push(made);
  return made;
}

async function ask(...encodings: ReturnType<typeof profile>[]): Promise<ItemId> {
  const targets = encodings.map(({ name }) => ({ name: `to-${name}`, encoding: name }));
  const wanted = { kind: "film" as const, tmdb: 19, title: "Metropolis", profile: standardProfile, targets, encodings };
  const { items } = await world.t.submit(world.media, [wanted]);
  return items[0] as ItemId;
}
const item = (id: ItemId) => world.t.sluice.item(id);
const encodeOf = async (id: ItemId) => (await item(id)).outputs.encode as PartsOutput<Encoded>;
const hevc = profile("small", "hevc");
const av1 = profile("tiny", "av1");
const partOf = async (id: ItemId, name = "small") => (await item(id)).parts.find((part) => part.name === name);
const lines = async (id: ItemId, name = "small") => {
  const part = await partOf(id, name);
  return part === undefined ? [] : await world.t.trace(part.id);
};

describe("an encode", () => {
  it("is made once for each encoding among the targets, and its gates tell", async () => {
    const one = puppet("one");
    const id = await ask(hevc, av1);
    await world.t.advance("3m");
    const { outputs, delivered } = await encodeOf(id);
    expect([...delivered].sort()).toEqual(["small", "tiny"]);
    expect(outputs.small).toMatchObject({ kind: "made", bytes: 7, encoder: "one", width: 320 });
    expect(one.given.toSorted()).toEqual(["small", "tiny"]);
    const { gates, state } = await item(id);
    expect(state).toBe("done");
    expect(gates.filter(({ stage }) => stage === "encode").map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
      "sourceExists passed",
      "encoderOnline passed",
    ]);
    const after = gates.filter(({ stage }) => stage === "deliver").map(({ gate, verdict }) => `${gate} ${verdict}`);
    expect(after).toEqual(expect.arrayContaining(["outputExists passed", "outputWhole passed"]));
  });

  it("of a file that two items have in common is each one's own", async () => {
    const one = puppet("one");
    const ids = [await ask(hevc), await ask(hevc)];
    await world.t.advance("3m");
    const sources = await Promise.all(
      ids.map(async (id) => ((await item(id)).outputs.download as { path: string }).path),
    );
    expect(new Set(sources).size).toBe(1);
    const made = await Promise.all(ids.map(async (id) => (await encodeOf(id)).outputs.small));
    const paths = made.map((encoded) => (encoded?.kind === "made" ? encoded.path : ""));
    expect([one.given, new Set(paths).size]).toEqual([["small", "small"], 2]);
    expect(paths.map(existsSync)).toEqual([true, true]);
  });

  it("is skipped where the source is that already, and the reason is kept; nobody is needed for it", async () => {
    const id = await ask(profile("plain", "h264"));
    await world.t.advance("3m");
    expect((await encodeOf(id)).outputs.plain).toEqual({
      kind: "same",
      reason: expect.stringContaining("H.264 in mkv"),
    });
  });

  it("that came out larger is not kept, and the reason is", async () => {
    puppet("one").mood = "larger";
    const id = await ask(hevc);
    await world.t.advance("3m");
    expect((await encodeOf(id)).outputs.small).toEqual({ kind: "larger", reason: "it is larger than before" });
  });

  it("that is cut short without anybody saying so is made again", async () => {
    const one = puppet("one");
    one.mood = "lies";
    const id = await ask(hevc);
    await world.t.advance("1m");
    one.mood = "works";
    await world.t.advance("10m");
    expect((await encodeOf(id)).outputs.small).toMatchObject({ kind: "made", bytes: 7 });
    expect((await lines(id)).some((line) => line.includes("BAD_OUTPUT"))).toBe(true);
  });

  it("of a source that fails for good leaves what is delivered as it was found", async () => {
    puppet("one").mood = { fails: { kind: "permanent", code: "INVALID_FORMAT", message: "no film" } };
    const targets = [
      { name: "nas", encoding: null },
      { name: "tv", encoding: "small" },
    ];
    const wanted = {
      kind: "film" as const,
      tmdb: 19,
      title: null,
      profile: standardProfile,
      targets,
      encodings: [hevc],
    };
    const { items } = await world.t.submit(world.media, [wanted]);
    await world.t.advance("5m");
    const { delivered, failed } = await encodeOf(items[0] as ItemId);
    expect(delivered).toEqual(["original"]);
    expect(failed).toMatchObject([{ part: "small", code: "INVALID_FORMAT" }]);
  });
});

describe("without an encoder", () => {
  it("it waits with no_worker and no attempt, until one comes", async () => {
    puppet("old", { codecs: ["h264"] });
    const id = await ask(hevc);
    await world.t.advance("20m");
    const { reason, sentence } = await world.t.sluice.explain(id);
    expect(reason).toBe("no_worker");
    expect(sentence).toContain("no encoder is online that can make hevc");
    expect((await item(id)).attempts.used).toBe(0);
    puppet("new");
    await world.t.advance("3m");
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "new" });
  });

  it("one that is switched off gets nothing, and ends what it has", async () => {
    const one = puppet("one");
    await one.speak();
    await world.t.db.query({ name: "off", text: "update media.encoder set is_on = false" }, []);
    const id = await ask(hevc);
    await world.t.advance("5m");
    expect((await world.t.sluice.explain(id)).reason).toBe("no_worker");
    expect(one.given).toEqual([]);
  });
});

describe("an encoder", () => {
  it("that is not heard of for 90 s loses its job to another, without an attempt; what it brings then is not taken", async () => {
    const first = puppet("first");
    const id = await ask(hevc);
    await world.t.advance("30s");
    expect(first.given).toEqual(["small"]);
    first.mood = "silent";
    const second = puppet("second");
    await world.t.advance("60s");
    expect(second.given).toEqual([]);
    await world.t.advance("2m");
    expect(second.given).toEqual(["small"]);
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "second" });
    expect((await partOf(id))?.attempts).toBe(1);
    first.mood = "works";
    for (let words = 0; words < 6; words += 1) await first.speak();
    expect(first.dropped).toHaveLength(1);
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "second" });
  });

  it("that stands still for ten minutes costs an attempt, and another does it", async () => {
    const first = puppet("first");
    const id = await ask(hevc);
    await world.t.advance("30s");
    first.mood = "still";
    const second = puppet("second");
    await world.t.advance("9m");
    expect(second.given).toEqual([]);
    await world.t.advance("6m");
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "second" });
    expect((await lines(id)).some((line) => line.includes("STALLED"))).toBe(true);
    expect(first.given).toEqual(["small"]);
  });

  it("that stood still gets it again where no other could do it", async () => {
    const only = puppet("only");
    puppet("other", { codecs: ["h264"] });
    const id = await ask(hevc);
    await world.t.advance("30s");
    only.mood = "still";
    await world.t.advance("11m");
    only.mood = "works";
    await world.t.advance("5m");
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "only" });
    expect(only.given).toEqual(["small", "small"]);
  });

  it("that was started again is given what it had, under the same turn", async () => {
    const one = puppet("one");
    const id = await ask(hevc);
    await world.t.advance("30s");
    one.restart();
    await world.t.advance("3m");
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "one" });
    expect(one.given).toEqual(["small", "small"]);
    expect((await partOf(id))?.attempts).toBe(1);
  });

  it("that was stopped leaves its job to others at once", async () => {
    const first = puppet("first");
    const id = await ask(hevc);
    await world.t.advance("25s");
    expect(first.given).toEqual(["small"]);
    first.jobs.clear();
    await first.speak(true);
    first.mood = "silent";
    puppet("second");
    await world.t.advance("1m");
    expect((await encodeOf(id)).outputs.small).toMatchObject({ encoder: "second" });
  });

  it("takes no more than it has slots for, and a full disk costs no attempt", async () => {
    const one = puppet("one", { slots: 1 });
    const id = await ask(hevc, av1);
    await world.t.advance("25s");
    expect(one.jobs.size).toBe(1);
    one.mood = { fails: { kind: "unavailable", code: "DISK_FULL", message: "there is no space left" } };
    await world.t.advance("2m");
    one.mood = "works";
    await world.t.advance("5m");
    expect((await encodeOf(id)).delivered).toHaveLength(2);
    expect([(await partOf(id))?.attempts, (await partOf(id, "tiny"))?.attempts]).toEqual([1, 1]);
  });

  it("of a name that another speaks under is told so", async () => {
    const one = puppet("one");
    await one.speak();
    const other = new PuppetEncoder("one", { desk, tables: async () => world.t.sluice.tables });
    other.restart();
    await other.speak();
    await expect(one.speak()).rejects.toMatchObject({ code: "CONFLICT" });
    puppets.length = 0;
  });
});

describe("an encoder that waits for work", () => {
  const news = (one: PuppetEncoder) => {
    const jobs = [...one.jobs.values()].map(({ task }) => task);
    return hasNews(world.t.sluice.tables, { name: one.name, key: null }, jobs, LOST_MS);
  };

  it("hears of what it could have, of what is no longer its own, and of nothing else", async () => {
    const [one, other] = [puppet("one", { slots: 1 }), puppet("other", { codecs: ["h264"] })];
    for (const each of [one, other]) await each.speak();
    puppets.length = 0;
    expect([await news(one), await news(other)]).toEqual([false, false]);
    const id = await ask(hevc, av1);
    await world.t.advance("20s");
    expect([await news(one), await news(other)]).toEqual([true, false]);
    await one.speak();
    // One of two, as it has a slot for one; the other waits for it, and is nothing to speak of.
    expect([one.jobs.size, await news(one)]).toEqual([1, false]);
    await world.t.sluice.cancel(id, "mia");
    await world.t.advance("1m");
    await expect.poll(() => news(one)).toBe(true);
    await one.speak();
    expect([one.jobs.size, await news(one)]).toEqual([0, false]);
  });

  it("and has all slots taken: what waits says that it waits for an encoder, and no clock runs", async () => {
    const one = puppet("one", { slots: 1 });
    one.mood = "still";
    const id = await ask(hevc, av1);
    await world.t.advance("30s");
    const [waiting] = (await item(id)).parts.filter(({ name }) => !one.given.includes(name));
    if (waiting === undefined) throw new Error("one of them waits");
    const { sentence, until } = await world.t.sluice.explain(waiting.id);
    expect(sentence).toContain("It waits for a free encoder.");
    expect(sentence).not.toContain("stalled");
    expect(until).toBeNull();
  });
});

describe("what was made", () => {
  it("goes with its item when that is cancelled amid it, and the encoder lets go", async () => {
    const one = puppet("one");
    const id = await ask(hevc);
    await world.t.advance("25s");
    expect(readdirSync(folder)).toHaveLength(1);
    await world.t.sluice.cancel(id, "mia");
    await world.t.advance("1m");
    await expect.poll(() => readdirSync(folder)).toEqual([]);
    await expect.poll(async () => one.speak().then(() => one.jobs.size)).toBe(0);
    expect([one.jobs.size, one.dropped.length]).toEqual([0, 1]);
  });

  it("stays for a day after its item is completed, and goes then", async () => {
    puppet("one");
    const id = await ask(hevc);
    await world.t.advance("3m");
    const { outputs } = await encodeOf(id);
    const path = outputs.small?.kind === "made" ? outputs.small.path : "";
    expect(existsSync(path)).toBe(true);
    await world.t.advance("23h");
    expect(existsSync(path)).toBe(true);
    await world.t.advance("2h");
    // The disk keeps its own time.
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  it("of a source that is gone when it is to be encoded, the source is downloaded again", async () => {
    const [{ path: name, bytes } = { path: "", bytes: 0 }] = film.published.files;
    const id = await ask(hevc);
    await world.t.advance("1m");
    expect((await world.t.sluice.explain(id)).reason).toBe("no_worker");
    world.names.delete(name);
    await world.t.advance("1m");
    world.names.set(name, bytes);
    puppet("one");
    await world.t.advance("20m");
    expect((await world.t.trace(id)).some((line) => line.startsWith("encode back"))).toBe(true);
    expect((await item(id)).state).toBe("done");
  });
});

describe("what was made and is needed again", () => {
  const pathOf = async (id: ItemId, name: string) => {
    const made = (await encodeOf(id)).outputs[name];
    return made?.kind === "made" ? made.path : expect.unreachable(`${name} was made`);
  };

  it.each([
    ["is gone", (path: string) => rmSync(path), "is not there any more"],
    ["has lost its end", (path: string) => truncateSync(path, 3), "has 3 of 7 bytes"],
    ["is no whole film", (path: string) => void world.bad.add(path), "ends before its end"],
  ])("and %s is made again, and nothing else is", async (_, damage, why) => {
    const one = puppet("one");
    const id = await ask(hevc, av1);
    await world.t.advance("3m");
    const before = { small: await pathOf(id, "small"), tiny: await pathOf(id, "tiny") };
    damage(before.small);
    await world.t.sluice.replay(id, { from: "deliver", by: "ann" });
    await world.t.advance("3m");
    expect((await item(id)).state).toBe("done");
    expect(one.given.toSorted()).toEqual(["small", "small", "tiny"]);
    expect(await pathOf(id, "tiny")).toBe(before.tiny);
    expect(await pathOf(id, "small")).not.toBe(before.small);
    const { entries } = await world.t.sluice.history(id);
    expect(JSON.stringify(entries)).toContain(why);
  });

  it("is made once more where somebody has the stage done again", async () => {
    const one = puppet("one");
    const id = await ask(hevc);
    await world.t.advance("3m");
    await world.t.sluice.replay(id, { from: "encode", by: "ann" });
    await world.t.advance("3m");
    expect((await item(id)).state).toBe("done");
    expect(one.given).toEqual(["small", "small"]);
  });

  it("is not made for ever: what is never whole fails its item in words", async () => {
    puppet("one");
    world.bad.add(folder);
    const id = await ask(hevc);
    await world.t.advance("30m");
    expect((await item(id)).state).toBe("failed");
    expect((await world.t.trace(id)).at(-1)).toContain("TOO_MANY_RETURNS");
  });

  it("serves those who join with another encoding: only theirs is made", async () => {
    const one = puppet("one");
    for (const name of ["a", "b"]) await world.setServer(name);
    world.server("a").down();
    const { request } = await world.ask({ kind: "film", tmdb: 19, targets: [{ name: "a", encoding: "hevc" }] });
    await world.t.advance("3m");
    expect(one.given).toEqual(["hevc"]);
    await world.ask({ kind: "film", tmdb: 19, targets: [{ name: "b", encoding: "av1" }] }, "mo");
    world.server("a").down(false);
    await world.t.advance("20m");
    expect(one.given).toEqual(["hevc", "av1"]);
    const { status, items } = await readCard(world.t.sluice, request ?? expect.unreachable(), { owner: null });
    expect(status).toBe("COMPLETED");
    const { outputs } = await encodeOf(items[0]?.item ?? expect.unreachable());
    expect(outputs).toMatchObject({ hevc: { kind: "made" }, av1: { kind: "made" } });
    expect(world.server("b").world.truth().visible).toHaveLength(1);
  });
});
