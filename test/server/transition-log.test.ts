// A line for every transition: as many as there were, with what people and programs look for.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  again,
  back,
  definePipeline,
  done,
  ask as question,
  transient,
  unavailable,
  wait,
} from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { systemClock } from "../../src/kit/index.ts";
import type { Follow } from "../../src/server/follow/follow.ts";
import { pinoLogger } from "../../src/server/log/pino-logger.ts";
import { transitionLog } from "../../src/server/log/transitions.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";

const film = definePipeline("film", { version: 4, input: z.object({ how: z.string() }) })
  .stage("search", {
    words: ["PENDING", "SEARCHING"],
    backoff: { base: "1m", cap: "1m" },
    run: (visit) => {
      switch (visit.input.how) {
        case "slow":
          return again("1h");
        case "waits":
          return wait("release", { again: "1h" });
        case "asks":
          return visit.because.answer === undefined ? question("Which?") : done();
        case "fails":
          throw transient("HTTP_502", "indexer answered 502 to GET /search");
        case "down":
          throw unavailable("NOT_REACHED", "nobody there");
        default:
          return done();
      }
    },
    attempts: 2,
  })
  .stage("encode", {
    words: ["FOUND", "ENCODING"],
    run: (visit) => (visit.input.how === "back" && visit.because.note === undefined ? back("search", "no") : done()),
  });

interface Line extends Record<string, unknown> {
  readonly event: string;
  readonly itemId?: string;
}

let t: TestSluice;
const lines: Line[] = [];
const log = pinoLogger({ to: (line) => void lines.push(JSON.parse(line)) });
let follow: Follow;

const journalRows = async () => {
  const [row] = await t.db.query<{ n: number }>(
    { name: "count-journal", text: "select count(*)::int as n from sluice.journal where seq > $1" },
    [before],
  );
  return row?.n ?? 0;
};
let before = "0";

/** All that has happened is in the log, and nothing but that. */
async function complete(): Promise<void> {
  await vi.waitFor(
    async () => {
      await t.drain();
      expect(transitions().length).toBe(await journalRows());
    },
    { timeout: 20_000, interval: 50 },
  );
}
const transitions = () => lines.filter(({ at }) => at !== undefined);
const of = (item: string | undefined) => transitions().filter(({ itemId }) => itemId === item);

beforeAll(async () => {
  t = await testSluice({ pipelines: [film] });
  await prepareServerTables(t.sluice.tables);
  follow = transitionLog({ sluice: t.sluice, log, clock: systemClock, holder: "one" });
  await follow.start();
  const place = { name: "place", text: "select value from sluice_server.setting where name = 'place.transition-log'" };
  // The first one ever begins with what comes after it started.
  await vi.waitFor(async () => expect(await t.db.query(place, [])).toHaveLength(1), { timeout: 20_000 });
  const [row] = await t.db.query<{ seq: string }>(
    { name: "last-seq", text: "select coalesce(max(seq), 0) as seq from sluice.journal" },
    [],
  );
  before = row?.seq ?? "0";
});
afterAll(async () => {
  await follow.stop();
  await t.close();
});

describe("the log", () => {
  it("has as many lines as there were transitions", async () => {
    await t.submit(
      film,
      ["well", "slow", "waits", "asks", "fails", "down", "back"].map((how) => ({ how })),
    );
    await t.advance("3m");
    await complete();
    expect(transitions().length).toBeGreaterThan(20);
  });

  it("says what happened to an item, from where to where, and how long it took", async () => {
    const { items, request } = await t.submit(film, [{ how: "well" }]);
    await complete();
    const common = { level: "info", itemId: items[0], requestId: request, pipeline: "film", version: 4 };
    expect(of(items[0])).toEqual([
      expect.objectContaining({ ...common, event: "item.accepted", stage: "search", toStatus: "PENDING" }),
      expect.objectContaining({
        ...common,
        ...{ event: "item.done", stage: "search", fromStatus: "SEARCHING", toStatus: "FOUND", toStage: "encode" },
        ...{ attempt: 1, durationMs: 0, worker: "test", msg: "search done" },
      }),
      expect.objectContaining({ ...common, event: "item.completed", fromStatus: "ENCODING", toStatus: "COMPLETED" }),
    ]);
  });

  it("says what went wrong, and how the service answered", async () => {
    const { items } = await t.submit(film, [{ how: "fails" }]);
    await t.advance("2m");
    await complete();
    expect(of(items[0]).slice(1)).toEqual([
      expect.objectContaining({
        level: "warn",
        event: "item.fault",
        errorCode: "HTTP_502",
        serviceStatus: 502,
        attempt: 1,
      }),
      expect.objectContaining({
        level: "error",
        event: "item.failed",
        errorCode: "HTTP_502",
        attempt: 2,
        toStatus: "FAILED",
      }),
    ]);
  });

  it.each(["slow", "waits", "asks", "fails", "down", "back"])("its words are those of the API: %s", async (how) => {
    const { items } = await t.submit(film, [{ how }]);
    const [id] = items;
    if (id === undefined) throw new Error("nothing was handed in");
    await complete();
    const { status } = await t.sluice.item(id);
    expect(of(id).at(-1)?.toStatus).toBe(status);
  });
});
