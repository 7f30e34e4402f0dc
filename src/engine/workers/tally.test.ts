import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { transient } from "../pipeline/fault.ts";
import { back, done, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { type TestSluice, testSluice } from "../testing/test-sluice.ts";
import { addUp, type Counted } from "./tally.ts";

const row = (change: Partial<Counted>): Counted => ({
  ...{ xid: "1", seq: "1", at: new Date("2026-11-15T14:07:31Z"), pipeline_id: 1, is_part: false, stage: 0, kind: 1 },
  ...{ ended: 0, item_id: "7", version: 3, stay: { stayed: 1_000, worked: 10 }, input: null },
  ...change,
});

describe("adding up", () => {
  it("counts by stage and ten minutes, and lengths by day", () => {
    const sums = addUp(
      [
        row({}),
        row({ at: new Date("2026-11-15T14:09:59Z") }),
        row({ at: new Date("2026-11-15T14:10:00Z"), kind: 8, ended: 2, stay: null }),
      ],
      () => -1,
    );
    expect(sums.figures).toEqual([
      { pipeline: 1, stage: 0, at: new Date("2026-11-15T14:00:00Z"), visits: 2, passed: 2, faults: 0, failed: 0 },
      { pipeline: 1, stage: 0, at: new Date("2026-11-15T14:10:00Z"), visits: 1, passed: 0, faults: 1, failed: 1 },
    ]);
    expect(sums.stays.map((one) => [one.day, one.stayed, one.worked])).toEqual([
      ["2026-11-15", 2, 0],
      ["2026-11-15", 0, 2],
    ]);
  });

  it("leaves out parts, what no visit wrote, and what is about no item", () => {
    const rows = [row({ is_part: true }), row({ kind: 0 }), row({ pipeline_id: null }), row({ kind: 9 })];
    expect(addUp(rows, () => -1)).toEqual({ figures: [], stays: [] });
  });

  it("never finds the work longer than the stay", () => {
    const { stays } = addUp([row({ stay: { stayed: 5, worked: 5_000 } })], () => -1);
    expect(stays).toHaveLength(1);
  });
});

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
