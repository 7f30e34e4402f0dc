// What the journal adds up to, under a clock that the test moves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { permanent, transient } from "../../src/engine/pipeline/fault.ts";
import { back, done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/index.ts";

describe("the tally of a running engine", () => {
  let t: TestSluice;
  const film = definePipeline("film", { version: 1, input: z.object({ mb: z.number() }), size: ({ mb }) => mb })
    .stage("search", { run: ({ attempt }) => (attempt === 1 ? Promise.reject(transient("X", "x")) : done()) })
    .stage("encode", {
      run: ({ because }) => (because.signal === undefined ? wait("disc", { signal: "disc" }) : done()),
    });
  beforeAll(async () => {
    t = await testSluice({ pipelines: [film] });
  });
  afterAll(() => t.close());

  it("knows how long each stage took, by size, and counts nothing twice", async () => {
    await t.submit(film, [{ mb: 100 }]);
    await t.submit(film, [{ mb: 700 }], { delay: "2h" });
    await t.advance("10m");
    await t.signal("disc");
    await t.advance("3h");
    await t.signal("disc");
    await t.advance("30m");
    await t.advance("30m");
    const stays = await t.db.query<{ stage: number; size: number; stayed: string; ms: number }>(
      {
        name: "test-stays",
        text: `select stage, size, sum(stayed)::int as stayed, round(max(case when stayed > 0 then 2 ^ (length / 4.0) end) / 60000)::int as ms
          from sluice.stay group by stage, size having sum(stayed) > 0 order by stage, size`,
      },
      [],
    );
    // The delayed one's stay in the first stage was not the stage's doing, and is left out.
    expect(stays).toEqual([
      { stage: 0, size: 7, stayed: 1, ms: 1 },
      { stage: 1, size: 7, stayed: 1, ms: expect.any(Number) },
      { stage: 1, size: 10, stayed: 1, ms: expect.any(Number) },
    ]);
    const [sum] = await t.db.query(
      {
        name: "test-figures",
        text: `select sum(visits)::int as visits, sum(passed)::int as passed, sum(faults)::int as faults, sum(failed)::int as failed from sluice.figure`,
      },
      [],
    );
    expect(sum).toEqual({ visits: 8, passed: 4, faults: 2, failed: 0 });
  });

  it("forgets what is too old for a figure", async () => {
    await t.advance("2d");
    expect(await t.db.query({ name: "test-left", text: "select from sluice.figure" }, [])).toEqual([]);
    await t.advance("31d");
    expect(await t.db.query({ name: "test-left", text: "select from sluice.stay" }, [])).toEqual([]);
  });
});

describe("items with parts", () => {
  it("are counted as what they are: no part for itself, and a failure once", async () => {
    const copies = definePipeline("copies", { version: 1, input: z.object({}) }).stage("copy", {
      parts: () => ["nas-1", "nas-2"],
      run: () => Promise.reject(permanent("GONE", "no such disc")),
    });
    const t = await testSluice({ pipelines: [copies] });
    await t.submit(copies, [{}]);
    await t.advance("5m");
    await t.advance("1m");
    const sums = await t.db.query(
      {
        name: "test-parts",
        text: `select sum(failed)::int as failed, sum(faults)::int as faults, min(extract(epoch from at)::int % 600) as begins,
            (select count(*)::int from sluice.journal j join sluice.item i on i.id = j.item_id where i.part is null and j.kind in (1, 7, 8)) - sum(visits)::int as uncounted
          from sluice.figure`,
      },
      [],
    );
    expect(sums).toEqual([{ failed: 1, faults: 1, begins: 0, uncounted: 0 }]);
    await t.close();
  });
});

describe("sent back", () => {
  it("a stage's stay begins when it was entered again", async () => {
    let sent = false;
    const twice = definePipeline("twice", { version: 1, input: z.object({}) })
      .stage("one", { run: ({ because }) => (because.note === "x" ? wait("y", { again: "1s" }) : done()) })
      .stage("two", {
        run: () => {
          if (sent) return done();
          sent = true;
          return back("one");
        },
      });
    const t = await testSluice({ pipelines: [twice] });
    await t.submit(twice, [{}]);
    await t.advance("5m");
    const [sum] = await t.db.query<{ one: number }>(
      { name: "test-one", text: "select sum(stayed)::int as one from sluice.stay where stage = 0" },
      [],
    );
    expect(sum?.one).toBe(2);
    await t.close();
  });
});
