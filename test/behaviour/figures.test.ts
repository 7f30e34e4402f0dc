// How stages fare, and what is stuck, under a clock that the test moves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ItemId } from "../../src/engine/index.ts";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import { ask, done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/index.ts";

const film = definePipeline("film", { version: 1, input: z.object({ does: z.string() }) })
  .stage("search", {
    run: ({ input }) => {
      if (input.does === "ask") return ask("Which?");
      if (input.does === "wait") return wait("not_available", { again: "30d" });
      if (input.does === "fail") throw permanent("GONE", "it is gone");
      return done();
    },
  })
  .stage("encode", { run: () => done() });
const next = definePipeline("film", { version: 2, input: z.object({ does: z.string() }) }).stage("search", {
  run: () => done(),
});

describe("figures", () => {
  let t: TestSluice;
  beforeAll(async () => {
    t = await testSluice({ pipelines: [film, next] });
  });
  afterAll(() => t.close());

  it("tell by version and stage who stands where and what became of them", async () => {
    await t.pause({ pipeline: "film", version: 1, stage: "encode" });
    await t.submit(
      film,
      ["ask", "wait", "fail", "go", "go"].map((does) => ({ does })),
    );
    await t.submit(next, [{ does: "go" }]);
    await t.advance("5m");
    const [search, encode, other] = await t.sluice.figures();
    expect(search).toMatchObject({
      ...{
        pipeline: "film",
        version: 1,
        stage: "search",
        queued: 0,
        running: 0,
        waiting: 1,
        needsYou: 1,
        isMore: false,
      },
      lastHour: { visits: 5, passed: 2, faults: 1, failed: 1 },
      lastDay: { visits: 5, passed: 2, faults: 1, failed: 1 },
      stay: { samples: 2 },
    });
    expect(encode).toMatchObject({ stage: "encode", queued: 2, stay: null, work: null, lastHour: { passed: 0 } });
    expect(other).toMatchObject({ version: 2, lastHour: { visits: 1, passed: 1 } });
    await t.advance("3h");
    expect((await t.sluice.figures())[0]).toMatchObject({ lastHour: { visits: 0 }, lastDay: { visits: 5 } });
  });
});

describe("what is stuck", () => {
  let t: TestSluice;
  const stuck = async () => (await t.sluice.stuck()).map((one) => [one.item, one.explanation.reason]);
  const sql = (text: string) => t.db.query({ name: "plant", text }, []);
  const submit = async (does: string): Promise<ItemId> => {
    const [item] = (await t.submit(film, [{ does }])).items;
    if (item === undefined) throw new Error("nothing was submitted");
    return item;
  };
  beforeAll(async () => {
    t = await testSluice({ pipelines: [film, next] });
  });
  afterAll(() => t.close());

  it("is not what a person holds, what waits for an answer, and what comes again", async () => {
    await submit("ask");
    await submit("wait");
    await t.pause({ pipeline: "film", version: 1, stage: "encode" });
    await submit("go");
    await t.advance("3h");
    expect(await stuck()).toEqual([]);
    await t.resume({ pipeline: "film", version: 1, stage: "encode" });
    await t.drain();
  });

  it("is what a visit has had in hand for longer than it may", async () => {
    const item = await submit("wait");
    await t.drain();
    // As a process that hangs would leave it: alive, and holding on.
    await sql(`update sluice.run set state = 1, epoch = (select epoch from sluice.worker where state = 0 limit 1),
      since = sluice.now() - interval '2 hours' where id = (select max(id) from sluice.run)`);
    expect(await stuck()).toEqual([[item, "running"]]);
    await sql(`update sluice.run set state = 0, epoch = null, ready_at = 'infinity', since = sluice.now()
      where id = (select max(id) from sluice.run)`);
    await t.sluice.cancel(item);
  });

  it("is what is ready for an hour and nobody claims, while nothing else is claimed", async () => {
    const item = await submit("wait");
    await t.drain();
    // Its version's code is gone: no worker says that it has it.
    await sql("update sluice.worker set pipelines = '{}'");
    await sql(`update sluice.run set ready_at = sluice.now() - interval '2 hours', since = sluice.now() - interval '3 hours',
      lane = (select max(id) + 1 from sluice.lane) where id = (select max(id) from sluice.run)`);
    await sql(`insert into sluice.lane (pipeline_id, stage, service, is_entry)
      select pipeline_id, stage, 'forgotten', false from sluice.lane order by id limit 1`);
    await sql(
      "update sluice.run set lane = (select max(id) from sluice.lane) where id = (select max(id) from sluice.run)",
    );
    await sql("delete from sluice.figure");
    const [[found, reason] = []] = await stuck();
    expect([found, reason]).toEqual([item, "no_worker"]);
    // Its lane has just claimed something older, and nothing younger: then it stands in line.
    await sql(`insert into sluice.figure (pipeline_id, stage, at, visits, passed, faults, failed)
      select pipeline_id, stage, sluice.now(), 1, 1, 0, 0 from sluice.lane order by id limit 1`);
    expect(await stuck()).toEqual([]);
    // One that came in long after it became ready has been visited: then it was passed over.
    await sql("update sluice.item set created_at = sluice.now()");
    await sql(`insert into sluice.item (id, request_id, nonce, created_at, finished_at, pipeline_id, priority, state, codec, input)
      select 10000, request_id, 1, sluice.now(), sluice.now(), pipeline_id, priority, 1, 1, '{}' from sluice.item order by id limit 1`);
    await sql(`insert into sluice.journal (at, item_id, version, kind, stage) values (sluice.now(), 10000, 1, 1, 0)`);
    expect(await stuck()).toEqual([[item, "no_worker"]]);
    // Unless that one took another's turn.
    await sql("update sluice.run set fair = hashtextextended('large', 0)");
    expect(await stuck()).toEqual([]);
    await sql("update sluice.item set fairness = 'small' where id = 10000");
    expect(await stuck()).toEqual([]);
    await sql("update sluice.item set fairness = 'large' where id = 10000");
    expect(await stuck()).toEqual([[item, "no_worker"]]);
  });
});
