// Several servers and one feed to be followed: one does it, from where the last one stopped, on a real server with a real clock.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  definePipeline,
  done,
  type Logger,
  openSluice,
  type Sluice,
  type SluiceEvent,
} from "../../src/engine/index.ts";
import { type Clock, silentLogger, systemClock } from "../../src/kit/index.ts";
import { holdDuty } from "../../src/server/duty/duty.sql.ts";
import { Follow, type FollowPorts } from "../../src/server/follow/follow.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { readSettings, writeSetting } from "../../src/server/settings/setting.sql.ts";
import { startServer, type TestServer } from "../support/server.ts";

const film = definePipeline("film", { version: 1, input: z.object({ n: z.number() }) }).stage("find", {
  run: () => done({ found: true }),
});

let database: TestServer;
let sluice: Sluice;
let seen: SluiceEvent[] = [];
let running: Follow[] = [];
let name = "";
let tests = 0;

beforeAll(async () => {
  database = await startServer();
  sluice = await openSluice({ pipelines: [film], database: database.url() });
  await prepareServerTables(sluice.tables);
});
afterEach(async () => {
  for (const one of running) await one.stop();
  running = [];
  seen = [];
});
afterAll(async () => {
  await sluice.close();
  await database.stop();
});

async function server(
  holder: string,
  see: FollowPorts["see"] = (event) => void seen.push(event),
  log: Logger = silentLogger,
  clock: Clock = systemClock,
  staleMs?: number,
): Promise<Follow> {
  const one = new Follow({ sluice, log, clock, name, holder, see, staleMs });
  running.push(one);
  await one.start();
  return one;
}

/** The first ever begins where the feed ends, so nothing may happen before it has looked. */
async function firstServer(holder: string): Promise<Follow> {
  tests += 1;
  name = `follow-${tests}`;
  const one = await server(holder);
  const place = { name: "place-of", text: "select name from sluice_server.setting where name = $1" };
  await vi.waitFor(async () => expect(await sluice.tables.query(place, [`place.${name}`])).toHaveLength(1), SOON);
  return one;
}

const SOON = { timeout: 30_000, interval: 20 };
const ends = () => seen.filter(({ type }) => type === "item.completed").map(({ item }) => item);

async function submit(count: number): Promise<string[]> {
  const { items, result } = await sluice.submit(
    film,
    Array.from({ length: count }, (_, n) => ({ n })),
  );
  await result();
  return [...items];
}

describe("a feed that one of several follows", () => {
  it("goes on with another where the first stopped: nothing missing, nothing twice", async () => {
    const first = await firstServer("one");
    await server("two");
    const items = await submit(20);
    await vi.waitFor(() => expect(ends().length).toBeGreaterThan(5), SOON);
    await first.stop();
    items.push(...(await submit(20)));
    await vi.waitFor(() => expect(ends().toSorted()).toEqual(items.toSorted()), SOON);
    // What stages handed on is not read: nobody who follows looks at it, and it may be large.
    expect(new Set(seen.filter(({ item }) => item !== undefined).map(({ output }) => output))).toEqual(new Set([null]));
  });

  it("begins at the end where nobody followed for longer than it is worth, and says so", async () => {
    const first = await firstServer("one");
    await first.stop();
    await submit(3);
    const age = "update sluice_server.setting set changed_at = changed_at - interval '2 hours' where name = $1";
    await sluice.tables.query({ name: "age", text: age }, [`place.${name}`]);
    const said: string[] = [];
    const log = { ...silentLogger, warn: (event: string) => void said.push(event) };
    await server("two", undefined, log, systemClock, 3_600_000);
    await vi.waitFor(() => expect(said).toEqual([`${name}.gap`]), SOON);
    const young =
      "select from sluice_server.setting where name = $1 and changed_at > sluice.now() - interval '1 minute'";
    await vi.waitFor(
      async () => expect(await sluice.tables.query({ name: "young", text: young }, [`place.${name}`])).toHaveLength(1),
      SOON,
    );
    const items = await submit(1);
    await vi.waitFor(() => expect(ends()).toEqual(items), SOON);
  });

  it("waits while nobody does, and is taken up after a restart", async () => {
    const first = await firstServer("one");
    await first.stop();
    const items = await submit(5);
    expect(ends()).toEqual([]);
    await server("one");
    await vi.waitFor(() => expect(ends().toSorted()).toEqual(items.toSorted()), SOON);
  });

  it("is left alone while another has it, and taken over when that one has died", async () => {
    const first = await firstServer("one");
    await first.stop();
    expect(await holdDuty(sluice.tables, name, "a dead one", 6_000)).toBe(true);
    await server("two");
    const items = await submit(1);
    const began = performance.now();
    await vi.waitFor(() => expect(ends()).toEqual(items), SOON);
    expect(performance.now() - began).toBeGreaterThan(2_000);
  });

  it("begins anew at the end where its place is of a feed that is no more, and says so", async () => {
    const first = await firstServer("one");
    await first.stop();
    await writeSetting(sluice.tables, `place.${name}`, "zz-1-1", "a restore");
    const said: string[] = [];
    const log = { ...silentLogger, warn: (event: string) => void said.push(event) };
    await server("two", undefined, log);
    await vi.waitFor(() => expect(said).toEqual([`${name}.gap`]), SOON);
    const place = {
      name: "is-new",
      text: "select from sluice_server.setting where name = $1 and value <> '\"zz-1-1\"'",
    };
    await vi.waitFor(async () => expect(await sluice.tables.query(place, [`place.${name}`])).toHaveLength(1), SOON);
    const items = await submit(1);
    await vi.waitFor(() => expect(ends()).toEqual(items), SOON);
  });

  it("repeats the event that was not dealt with", async () => {
    const first = await firstServer("one");
    await first.stop();
    let fails = 2;
    await server("two", (event) => {
      if (event.type === "item.completed" && fails-- > 0) throw new Error("the disk is full");
      seen.push(event);
    });
    const items = await submit(1);
    await vi.waitFor(() => expect(ends()).toEqual(items), SOON);
    expect(seen.map(({ type }) => type)).toEqual(["item.accepted", "item.completed"]);
  });

  describe("whose server was paused for longer than its term, with a page half done", () => {
    /** As a stopped process has it: no timer rang, and then it is late. */
    async function paused(meanwhile: () => Promise<void>): Promise<Follow> {
      const first = await firstServer("one");
      await first.stop();
      let pauseMs = 0;
      const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + pauseMs };
      await submit(3);
      const see = async (event: SluiceEvent) => {
        if (pauseMs === 0) await meanwhile();
        pauseMs = 20_000;
        seen.push(event);
      };
      const again = await server("two", see, silentLogger, clock);
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), SOON);
      return again;
    }

    it("goes on where it was if nobody took over: nothing missing, nothing twice", async () => {
      await paused(async () => {});
      await vi.waitFor(() => expect(ends()).toHaveLength(3), SOON);
      const cursors = seen.map(({ cursor }) => cursor);
      expect(new Set(cursors).size).toBe(cursors.length);
    });

    it("leaves the rest, and the place, to whoever did", async () => {
      const end = await sluice.feedEnd();
      const take = {
        name: "take-over",
        text: "update sluice_server.duty set holder = 'three', until = sluice.now() + interval '15 s' where name = $1",
      };
      const late = await paused(async () => {
        await sluice.tables.query(take, [name]);
        await writeSetting(sluice.tables, `place.${name}`, end, "three");
      });
      await late.stop();
      expect(seen).toHaveLength(1);
      expect((await readSettings(sluice.tables, [`place.${name}`])).get(`place.${name}`)).toBe(end);
    });
  });
});
