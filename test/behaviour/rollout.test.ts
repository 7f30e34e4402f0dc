// A migration as it is done: a new version beside the old one, 10, 50, 100 percent, back to none, and what was in flight.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { permanent, transient } from "../../src/engine/pipeline/fault.ts";
import { done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { Sluice } from "../../src/engine/sluice.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import {
  InputError,
  type ItemId,
  type RequestId,
  seededRandom,
  silentLogger,
  systemClock,
} from "../../src/kit/index.ts";

const input = z.object({ title: z.string(), year: z.number().default(1979) });

const media = (version: number) =>
  definePipeline("media", { version, input })
    .stage("search", { run: () => done({ by: version }) })
    .stage("deliver", {
      run: ({ input, because }) =>
        because.signal === undefined ? wait("delivery_slot", { signal: `slot:${input.title}` }) : done({ by: version }),
    });
const [one, two] = [media(1), media(2)];

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(pipelines = [one, two]): Promise<TestSluice> {
  const t = await testSluice({ pipelines, concurrency: 100 });
  opened.push(t);
  return t;
}

/** A second process on the same database, which only submits. */
async function another(t: TestSluice, pipelines: (typeof one)[]): Promise<Sluice> {
  const ports = { db: t.db, clock: systemClock, random: seededRandom(2), log: silentLogger, notify: false };
  const sluice = await Sluice.start({ ...ports, worker: undefined }, pipelines);
  opened.push(sluice);
  return sluice;
}

const KEYS = Array.from({ length: 40 }, (_, n) => `song:${n}`);
/** By their places, which are pinned where they are computed. */
const FIRST_TEN_PERCENT: readonly string[] = ["song:38", "song:39"];
const FIRST_HALF: readonly string[] = [
  "song:0",
  "song:1",
  "song:8",
  "song:9",
  "song:13",
  "song:14",
  "song:21",
  "song:22",
  "song:23",
  "song:24",
  "song:25",
  "song:26",
  "song:29",
  "song:30",
  "song:31",
  "song:33",
  "song:35",
  "song:37",
  "song:38",
  "song:39",
];

async function submitAll(sluice: Pick<Sluice, "submit">, round: string) {
  const made = new Map<string, { readonly request: RequestId; readonly item: ItemId }>();
  for (const key of KEYS) {
    const { request, items } = await sluice.submit({ name: "media" }, [{ title: `${round} ${key}` }], { key });
    made.set(key, { request, item: items[0] as ItemId });
  }
  return made;
}

async function versionsOf(t: TestSluice, made: ReadonlyMap<string, { readonly item: ItemId }>) {
  const found = new Map<string, number>();
  for (const [key, { item }] of made) found.set(key, (await t.sluice.item(item)).version);
  return found;
}

const keysOn = (versions: ReadonlyMap<string, number>, version: number) =>
  [...versions].filter(([, of]) => of === version).map(([key]) => key);

describe("a migration from version 1 to version 2", () => {
  it("goes 10, 50, 100 percent and back to none, and everything finishes where it started", async () => {
    const t = await open();
    const client = await another(t, [one, two]);
    const finish = async (round: string) => {
      for (const key of KEYS) await t.signal(`slot:${round} ${key}`);
      await t.drain();
    };
    const rounds: [string, Record<string, number>, readonly string[]][] = [
      ["none", { 1: 100 }, []],
      ["tenth", { 1: 90, 2: 10 }, FIRST_TEN_PERCENT],
      ["half", { 1: 50, 2: 50 }, FIRST_HALF],
      ["all", { 1: 0, 2: 100 }, KEYS],
    ];
    for (const [round, shares, newer] of rounds) {
      expect(await t.sluice.versions.set("media", shares, { by: "ada" })).toEqual({ ok: true });
      // From another process than the one that set it.
      const made = await submitAll(client, round);
      expect(keysOn(await versionsOf(t, made), 2)).toEqual(newer);
      await finish(round);
      for (const [key, { request }] of made) {
        const { ok, items } = await t.sluice.result(request);
        expect({ ok, output: items[0]?.output }).toEqual({ ok: true, output: { by: newer.includes(key) ? 2 : 1 } });
      }
    }

    const inFlight = await submitAll(client, "last");
    await t.drain();
    await t.sluice.versions.set("media", { 1: 100, 2: 0 });
    const [some] = inFlight.values();
    const { items } = await client.submit({ name: "media" }, [{ title: "after" }], { key: "song:new" });
    expect((await t.sluice.item(items[0] as ItemId)).version).toBe(1);

    await t.sluice.versions.hold("media", 2, { note: "rolled back" });
    await finish("last");
    await t.advance("5s");
    const held = await t.sluice.explain(some?.item as ItemId);
    expect(held.reason).toBe("held");
    expect(held.sentence).toMatch(/held \(rolled back\)/);
    expect(
      (await t.sluice.versions.list("media")).map(({ version, share, held }) => ({ version, share, held })),
    ).toEqual([
      { version: 1, share: 100, held: "no" },
      { version: 2, share: 0, held: "held" },
    ]);
    await t.sluice.versions.release("media", 2);
    await t.advance("5s");
    for (const { request } of inFlight.values()) expect((await t.sluice.result(request)).ok).toBe(true);
    expect([...(await versionsOf(t, inFlight)).values()].every((version) => version === 2)).toBe(true);
  });
});

describe("a request that names no version", () => {
  it("gets the newest this process has where no rollout was set", async () => {
    const t = await open();
    const older = await another(t, [one]);
    const versionOf = async (sluice: Pick<Sluice, "submit">) => {
      const { items } = await sluice.submit({ name: "media" }, [{ title: "Alien" }]);
      return (await t.sluice.item(items[0] as ItemId)).version;
    };
    expect(await versionOf(t)).toBe(2);
    expect(await versionOf(older)).toBe(1);
  });

  it("is checked by the schema of the version it gets, defaults and all", async () => {
    const t = await open();
    const { items } = await t.submit({ name: "media" }, [{ title: "Alien" }]);
    expect((await t.sluice.item(items[0] as ItemId)).input).toEqual({ title: "Alien", year: 1979 });
    await expect(t.submit({ name: "media" }, [{ title: 7 }])).rejects.toBeInstanceOf(InputError);
    await expect(t.submit({ name: "medai" }, [{ title: "Alien" }])).rejects.toMatchObject({ field: "pipeline" });
  });

  it("follows its owner where it has no key, and chance where it has neither", async () => {
    const t = await open();
    await t.sluice.versions.set("media", { 1: 50, 2: 50 });
    const versionsFor = async (options: { owner?: string }) => {
      const found: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        const { items } = await t.submit({ name: "media" }, [{ title: "Alien" }], options);
        found.push((await t.sluice.item(items[0] as ItemId)).version);
      }
      return new Set(found).size;
    };
    expect(await versionsFor({ owner: "ada" })).toBe(1);
    expect(await versionsFor({})).toBe(2);
  });

  it("is refused, with a sentence, where it gets a version this process has no code of", async () => {
    const t = await open();
    const older = await another(t, [one]);
    await t.sluice.versions.set("media", { 1: 0, 2: 100 });
    await expect(older.submit({ name: "media" }, [{ title: "Alien" }])).rejects.toMatchObject({
      code: "VERSION_NOT_HERE",
      message: expect.stringContaining("media version 2"),
    });
    // Whoever names a version gets it.
    const { items } = await older.submit(one, [{ title: "Alien" }]);
    expect((await t.sluice.item(items[0] as ItemId)).version).toBe(1);
  });

  it("chooses anew when the rollout changes while its inputs are checked", async () => {
    const t = await open();
    const slow: { during: () => Promise<void> } = { during: async () => {} };
    const validate = async (value: unknown) => {
      await slow.during();
      return { value };
    };
    const asking = { "~standard": { version: 1 as const, vendor: "test", validate } };
    const versions = [1, 2].map((version) =>
      definePipeline("slow", { version, input: asking }).stage("only", { run: () => done() }),
    );
    const other = await Sluice.start(
      { db: t.db, clock: systemClock, random: seededRandom(3), log: silentLogger, notify: false, worker: undefined },
      versions,
    );
    opened.push(other);
    await other.versions.set("slow", { 1: 100, 2: 0 });
    let asked = 0;
    slow.during = async () => {
      asked += 1;
      if (asked === 1) await other.versions.set("slow", { 1: 0, 2: 100 });
    };
    const { items } = await other.submit({ name: "slow" }, [{ n: 1 }]);
    expect((await t.sluice.item(items[0] as ItemId)).version).toBe(2);
    expect(asked).toBe(2);
  });
});

describe("a rollout", () => {
  it("is of known versions that make a hundred, and on record", async () => {
    const t = await open();
    const { versions } = t.sluice;
    await expect(versions.set("media", { 1: 50, 3: 50 })).rejects.toMatchObject({ field: "shares" });
    await expect(versions.set("media", { 1: 50 })).rejects.toMatchObject({ field: "shares" });
    await expect(versions.set("medai", { 1: 100 })).rejects.toMatchObject({ field: "pipeline" });
    await expect(versions.hold("media", 3)).rejects.toMatchObject({ field: "version" });
    await versions.set("media", { 1: 40, 2: 60 }, { by: "ada", note: "looks well" });
    await versions.set("media", { 1: 0, 2: 100 }, { by: "ada" });
    const rows = await t.db.query(
      {
        name: "audit",
        text: `select actor, action, detail -> 'shares' as shares, (select count(*)::int from sluice.rollout) as rollouts
          from sluice.audit order by id`,
      },
      [],
    );
    expect(rows).toEqual([
      { actor: "ada", action: "rollout", shares: { 1: 40, 2: 60 }, rollouts: 1 },
      { actor: "ada", action: "rollout", shares: { 1: 0, 2: 100 }, rollouts: 1 },
    ]);
    const seen: string[] = [];
    for await (const event of t.sluice.feed()) {
      seen.push(event.type);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(["rollout.changed", "rollout.changed"]);
  });
});

describe("versions side by side", () => {
  it("are compared by what became of their newest items", async () => {
    const shaky = (version: number) =>
      definePipeline("shaky", { version, input: z.object({ n: z.number() }) }).stage("only", {
        attempts: 3,
        backoff: { base: "10s", cap: "10s" },
        run: ({ input, attempt }) => {
          if (version === 2 && attempt === 1) throw transient("HICCUP", "not yet");
          if (version === 2 && input.n === 0) throw permanent("BAD", "never");
          return done();
        },
      });
    const versions = [shaky(1), shaky(2)] as const;
    const t = await testSluice({ pipelines: [...versions], concurrency: 100 });
    opened.push(t);
    const four = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }];
    await t.submit(versions[0], four);
    await t.submit(versions[1], four);
    const late = await t.submit(versions[1], [{ n: 9 }], { delay: "1h" });
    await t.submit(versions[1], [{ n: 9 }], { delay: "1h" });
    await t.cancel(late.request);
    await t.advance("1m");
    const figures = await t.sluice.versions.compare("shaky");
    expect(figures[0]).toMatchObject({ version: 1, items: 4, done: 4, failed: 0, failureRate: 0, retries: 0 });
    expect(figures[1]).toMatchObject({
      version: 2,
      items: 6,
      live: 1,
      done: 3,
      failed: 1,
      cancelled: 1,
      failureRate: 0.25,
      retries: 4,
    });
    expect(figures[1]?.took?.p50).toBeGreaterThanOrEqual(10_000);
    expect(figures[0]?.took?.p90).toBeLessThan(10_000);
    expect((await t.sluice.versions.compare("shaky", { items: 2 })).map(({ items }) => items)).toEqual([2, 2]);
    await expect(t.sluice.versions.compare("shaky", { items: 0 })).rejects.toMatchObject({ field: "items" });
  });

  it("that nobody has the code of are named, with what they have in flight", async () => {
    const t = await open();
    expect(await t.sluice.versions.orphans()).toEqual([]);
    const client = await another(t, [media(3)]);
    await client.submit(media(3), [{ title: "Alien" }, { title: "Aliens" }]);
    expect(await t.sluice.versions.orphans()).toEqual([{ pipeline: "media", version: 3, stage: "search", items: 2 }]);

    const said: unknown[] = [];
    const log = { ...silentLogger, warn: (event: string, facts?: object) => void said.push({ event, ...facts }) };
    const { inlineHeart } = await import("../../src/engine/workers/heart.ts");
    const { inlineSuspects } = await import("../../src/engine/workers/suspects.ts");
    const ports = { db: t.db, clock: systemClock, random: seededRandom(4), log, notify: false };
    const worker = {
      identity: { name: "second", host: "test", pid: 2, pidStarted: "0" },
      heart: (listener: Parameters<typeof inlineHeart>[1]["listener"]) => inlineHeart(t.db, { ...ports, listener }),
      isGone: () => false,
      suspects: inlineSuspects(),
      concurrency: 1,
      pollMs: 1_000,
      deadAfterMs: 8_000,
      graceMs: 0,
    };
    const second = await Sluice.start({ ...ports, worker }, [one]);
    await second.close();
    expect(said).toContainEqual({
      event: "version.orphaned",
      pipeline: "media",
      version: 3,
      stage: "search",
      items: 2,
      what: expect.stringContaining("no live worker has the code of media version 3"),
    });
  });
});
