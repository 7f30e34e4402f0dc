import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import { formatId, seededRandom } from "../../kit/index.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { formatCursor, parseCursor } from "./cursor.ts";
import type { SluiceEvent } from "./event.ts";
import { openFeed } from "./feed-epoch.ts";
import { type EventsWanted, feedLag, newestCursor, readEvents } from "./read-events.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() })
  .stage("search", { run: () => done({ found: 1 }) })
  .stage("encode", { run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;
const random = seededRandom(7);

beforeAll(async () => {
  db = await openPglite();
  await openFeed(db, random);
  world = await smallWorld(db, [film]);
  await world.worker("1");
});
afterAll(() => db.close());

/** Submits an item and takes it through both stages: accepted, done, completed. */
async function passThrough() {
  const submitted = await world.submit(film);
  for (let stage = 0; stage < 2; stage += 1) {
    for (const held of await world.claim("1")) {
      await world.settle(held, "1", { outcome: stage === 0 ? done({ found: 1 }) : done() });
    }
  }
  return submitted;
}

/** All pages from a cursor on. */
async function readAll(wanted: EventsWanted): Promise<SluiceEvent[]> {
  const events: SluiceEvent[] = [];
  let after = wanted.after;
  for (let page = 0; page < 1_000; page += 1) {
    const { events: more, cursor, isEnd } = await readEvents({ db, random }, { ...wanted, after });
    events.push(...more);
    if (isEnd) return events;
    expect(cursor).not.toBe(after);
    after = cursor;
  }
  throw new Error("the feed does not end");
}

const sql = (text: string, values: readonly unknown[] = []) =>
  db.query<Record<string, unknown>>({ name: "test", text }, values);

describe("reading events", () => {
  it("tells the life of an item in order, with names", async () => {
    const { items, request } = await passThrough();
    const events = await readAll({ item: items[0] as string });
    expect(events.map((event) => event.type)).toEqual(["item.accepted", "item.done", "item.completed"]);
    expect(events[0]).toMatchObject({ request, from: null, to: "search", worker: null, attempt: null });
    expect(events[1]).toMatchObject({
      pipeline: "film",
      version: 1,
      from: "search",
      to: "encode",
      outcome: "done",
      end: null,
      attempt: 1,
      series: 1,
      tookMs: 5,
      worker: { name: "worker-1" },
      output: { found: 1 },
    });
    expect(events[2]).toMatchObject({ from: "encode", to: null, end: "done" });
  });

  it.each([1, 2, 3, 200])("shows each event once, in pages of %i", async (limit) => {
    const [count] = await sql("select count(*)::int as n from sluice.journal");
    const events = await readAll({ limit });
    expect(events).toHaveLength(count?.n as number);
    expect(new Set(events.map((event) => event.cursor)).size).toBe(events.length);
  });

  it("goes on after any event's cursor", async () => {
    const events = await readAll({});
    for (const [index, event] of events.entries()) {
      const rest = await readAll({ after: event.cursor });
      expect(rest.map((one) => one.cursor)).toEqual(events.slice(index + 1).map((one) => one.cursor));
    }
  });

  it("leaves out what a filter does not want, and moves the cursor over it", async () => {
    const before = await newestCursor({ db, random });
    const first = await passThrough();
    const other = await passThrough();
    const page = await readEvents({ db, random }, { after: before, request: first.request });
    expect(page.events.map((event) => event.item)).toEqual(Array(3).fill(first.items[0]));
    const empty = await readEvents({ db, random }, { after: page.cursor, request: first.request });
    expect(empty).toEqual({ events: [], cursor: page.cursor, isEnd: true });
    expect(await readAll({ after: page.cursor })).toEqual([]);
    expect(await readAll({ after: before, item: other.items[0] as string })).toHaveLength(3);
  });

  it("says whose item it is, and leaves outputs out for those who do not want them", async () => {
    const after = await newestCursor({ db, random });
    const { items } = await world.submit(film, 1, { owner: "ann" });
    for (const held of await world.claim("1")) await world.settle(held, "1", { outcome: done({ found: 1 }) });
    for (const held of await world.claim("1")) await world.settle(held, "1", { outcome: done() });
    await sql(`insert into sluice.journal (at, kind, output) values (sluice.now(), 32, '{"service": "encoder"}')`);
    const { events } = await readEvents({ db, random }, { after, outputs: false });
    expect(events.slice(0, 3)).toMatchObject(Array(3).fill({ item: items[0], owner: "ann", key: null, output: null }));
    expect(events[3]).toMatchObject({ type: "service.changed", output: { service: "encoder" } });
  });

  it("does not skip what a page with a filter had no room for", async () => {
    const before = await newestCursor({ db, random });
    const { request } = await passThrough();
    await passThrough();
    expect(await readAll({ after: before, request, limit: 1 })).toHaveLength(3);
    expect(await readAll({ request, limit: 2 })).toHaveLength(3);
  });

  it("finds a refused write of an item by its request, though the row does not name it", async () => {
    const { request } = await world.submit(film);
    const [held] = await world.claim("1");
    if (held === undefined) throw new Error("nothing was claimed");
    expect(await world.settle({ ...held, version: 99 }, "1", { outcome: done() })).toBe(false);
    expect((await readAll({ request })).map((event) => event.type)).toEqual(["item.accepted", "item.refused"]);
    await world.settle(held, "1", { outcome: done() });
  });

  it("shows events that belong to no item", async () => {
    const before = await newestCursor({ db, random });
    await sql("insert into sluice.journal (at, epoch, kind, code) values (sluice.now(), 1, 31, 'DEAD')");
    expect(await readAll({ after: before })).toEqual([
      expect.objectContaining({
        type: "worker.changed",
        code: "DEAD",
        worker: expect.objectContaining({ name: "worker-1" }),
      }),
    ]);
    expect(await readAll({ after: before, item: formatId("item", "1") })).toEqual([]);
  });

  it.each([
    [{ after: "nonsense" }, "after"],
    [{ limit: 0 }, "limit"],
    [{ limit: 1.5 }, "limit"],
    [{ limit: 1_001 }, "limit"],
    [{ item: "req_0000000000001" }, "item"],
    [{ request: "7" }, "request"],
  ])("refuses %j and names the field", async (wanted, field) => {
    await expect(readEvents({ db, random }, wanted)).rejects.toMatchObject({ code: "INVALID_INPUT", field });
  });

  it("says how far behind it is", async () => {
    expect(await feedLag(db)).toEqual({ ms: 0, holder: null, isHeldBack: false });
  });
});

describe("the feed's epoch", () => {
  it("stays the same when the feed is opened again", async () => {
    const cursor = await newestCursor({ db, random });
    await openFeed(db, random);
    expect(parseCursor(await newestCursor({ db, random })).epoch).toBe(parseCursor(cursor).epoch);
  });

  it("refuses a cursor of another one", async () => {
    const foreign = formatCursor({ epoch: "5", xid: "1", seq: "1" });
    await expect(readEvents({ db, random }, { after: foreign })).rejects.toMatchObject({ code: "FEED_RESET" });
  });

  it("refuses a cursor from a future that a plain copy of old files has lost", async () => {
    const { epoch } = parseCursor(await newestCursor({ db, random }));
    const lost = formatCursor({ epoch, xid: "4000000000", seq: "1" });
    await expect(readEvents({ db, random }, { after: lost })).rejects.toMatchObject({ code: "FEED_RESET" });
  });

  it.each(["system", "timeline"])("changes with the server's %s, noticed by the first who reads", async (what) => {
    const cursor = await newestCursor({ db, random });
    const before = await readAll({});
    await sql(`update sluice.setting set value = value || jsonb_build_object('${what}', 'other') where name = 'feed'`);
    await expect(readEvents({ db, random }, { after: cursor })).rejects.toMatchObject({ code: "FEED_RESET" });
    // Nothing lies in the future, so nothing is numbered anew.
    const after = await readAll({});
    expect(after.map((event) => parseCursor(event.cursor).xid)).toEqual(
      before.map((event) => parseCursor(event.cursor).xid),
    );
  });

  it("numbers what came in a dump from a busier cluster anew, so that it stays readable and in order", async () => {
    const { items } = await passThrough();
    const before = await readAll({});
    // As after a restore elsewhere: the same rows, with transactions this cluster has not come to yet.
    await sql("update sluice.journal set xid = (xid::text::bigint + 5000000000)::text::xid8");
    expect(await readAll({})).toEqual([]);
    await sql(`update sluice.setting set value = value || '{"system": "other"}' where name = 'feed'`);
    await openFeed(db, random);
    const facts = (events: readonly SluiceEvent[]) => events.map(({ cursor: _, ...rest }) => rest);
    expect(facts(await readAll({}))).toEqual(facts(before));
    expect(await readAll({ item: items[0] as string })).toHaveLength(3);
    const next = await passThrough();
    const all = await readAll({ limit: 2 });
    expect(facts(all.slice(0, before.length))).toEqual(facts(before));
    expect(all.slice(before.length).map((event) => event.item)).toEqual(Array(3).fill(next.items[0]));
  });
});
