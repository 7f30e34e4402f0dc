import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Queryable } from "../db/database.ts";
import { permanent, transient, unavailable } from "../pipeline/fault.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { service } from "../pipeline/service.ts";
import { type TestSluice, testSluice } from "../testing/test-sluice.ts";
import { readPulse } from "./pulse.ts";

let t: TestSluice;
afterEach(() => t?.close());

const input = z.object({ ok: z.boolean() });
const DEAD = { name: "pulse-test-dead", text: "update sluice.worker set state = 2, ended_at = sluice.now()" };
const BACK = {
  name: "pulse-test-back",
  text: `insert into sluice.worker (name, host, pid, pid_started, epoch, started_at) values ('test', 'h', 1, '0', 77, sluice.now())`,
};

const BEGUN_YESTERDAY = {
  name: "pulse-test-begun",
  text: "update sluice.run set begun_at = begun_at - interval '25 hours'",
};
const SINCE_YESTERDAY = {
  name: "pulse-test-since",
  text: "update sluice.journal set at = at - interval '25 hours' where item_id = (select max(id) from sluice.run)",
};
const ENTER = {
  name: "pulse-test-enter",
  text: `
insert into sluice.worker (name, host, pid, pid_started, epoch, state, pipelines, services, started_at, ended_at)
select $1, 'h', 1, '0', $2, $3::smallint, array(select id from sluice.pipeline), $4::text[], sluice.now(),
  case when $3::smallint > 0 then sluice.now() end`,
};

describe("the pulse", () => {
  it("counts tries that ended, and not what spent none", async () => {
    const films = definePipeline("films", { version: 1, input })
      .stage("find", {
        attempts: 2,
        backoff: { base: "1h", cap: "1h" },
        run: ({ input: { ok } }) => {
          if (ok) return done();
          throw transient("BROKEN", "not this time");
        },
      })
      .stage("store", {
        run: () => {
          throw unavailable("AWAY", "nobody there");
        },
      });
    t = await testSluice({ pipelines: [films] });
    const { items } = await t.submit(films, [{ ok: true }, { ok: true }, { ok: false }]);
    await t.drain();
    const asked: string[] = [];
    const query: Queryable["query"] = async (statement, values) => {
      asked.push(statement.text);
      return await t.db.query(statement, values);
    };
    const { stages, readSince } = await readPulse({ query });
    expect(readSince).toBeNull();
    // Its newest rows are most of what this costs, so they are read once.
    expect(asked.flatMap((text) => text.match(/from sluice\.journal\n\s+where not kept/g) ?? [])).toHaveLength(1);
    expect(stages).toEqual([
      expect.objectContaining({
        stage: "find",
        attempts: 3,
        faults: 1,
        code: "BROKEN",
        faulty: [items[2]],
        visitedAt: t.now(),
      }),
      expect.objectContaining({ stage: "store", attempts: 0, faults: 0, code: null, faulty: [] }),
    ]);
    await t.advance("16m");
    expect((await t.sluice.pulse()).stages).toEqual([]);
  });

  it("leaves to an outage what was tried before it was over, and counts what is tried after", async () => {
    let how: "away" | "broken" | "well" = "broken";
    const answer = () => {
      if (how === "away") throw unavailable("NOT_REACHED", "refused", { service: "converter" });
      if (how === "broken") throw permanent("BROKEN", "not like this");
    };
    const probe = async () => {
      if (how === "away") answer();
    };
    const converter = service("converter", { breaker: { cooldown: "1m" }, probe });
    const run = () => {
      answer();
      return done();
    };
    const documents = definePipeline("documents", { version: 1, input }).stage("convert", { uses: converter, run });
    t = await testSluice({ pipelines: [documents], services: { converter: {} }, concurrency: 1 });
    const tried = async (items: number) => {
      await t.submit(documents, Array(items).fill({ ok: true }));
      await t.drain();
      return (await t.sluice.pulse()).stages[0];
    };
    await t.advance("20m");
    expect(await tried(2)).toMatchObject({ attempts: 2, faults: 2 });
    how = "away";
    await tried(10);
    expect((await t.sluice.services())[0]).toMatchObject({ state: "down" });
    how = "well";
    await t.advance("2m");
    const [back] = (await t.sluice.pulse()).stages;
    expect(back).toMatchObject({ faults: 0, code: null, faulty: [] });
    how = "broken";
    expect(await tried(3)).toMatchObject({ attempts: (back?.attempts ?? 0) + 3, faults: 3, code: "BROKEN" });
  });

  it("tells what is due, what closes a lane, and what piled up while a service was away", async () => {
    let isUp = false;
    const converter = service("converter", { breaker: { cooldown: "5m" }, capacity: 1, probe: async () => answer() });
    const answer = () => {
      if (!isUp) throw unavailable("NOT_REACHED", "refused", { service: "converter" });
    };
    const documents = definePipeline("documents", { version: 1, input }).stage("convert", {
      uses: converter,
      run: () => {
        answer();
        return done();
      },
    });
    t = await testSluice({ pipelines: [documents], services: { converter: {} }, concurrency: 1 });
    const { items } = await t.submit(
      documents,
      Array.from({ length: 60 }, () => ({ ok: true })),
    );
    await t.drain();
    const [lane] = (await t.sluice.pulse()).lanes;
    expect(lane).toMatchObject({
      pipeline: "documents",
      stage: "convert",
      service: "converter",
      closedBy: ["breaker"],
    });
    expect((lane?.due ?? 0) + (lane?.down ?? 0)).toBe(60);
    expect(lane?.oldest).toHaveLength(3);
    expect(items).toContain(lane?.oldest[0]);
    await t.pause({ pipeline: "documents" });
    isUp = true;
    await t.advance("6m");
    await t.submit(documents, [{ ok: true }]);
    const [after] = (await t.sluice.pulse()).lanes;
    // The new one, and the five that found it down: those wait for a time of their own.
    expect(after).toMatchObject({ closedBy: ["pause"], fresh: 6 });
    expect(after?.due).toBeGreaterThan(50);
  });

  it("knows who has waited for a day, and not who began a day ago and waits since just now", async () => {
    const films = definePipeline("films", { version: 1, input }).stage("store", {
      run: () => {
        throw unavailable("AWAY", "nobody there");
      },
    });
    t = await testSluice({ pipelines: [films] });
    const { items } = await t.submit(films, [{ ok: true }, { ok: true }]);
    await t.drain();
    await t.db.query(BEGUN_YESTERDAY, []);
    expect((await t.sluice.pulse()).longAway).toEqual([]);
    await t.db.query(SINCE_YESTERDAY, []);
    const since = new Date(t.now().getTime() - 25 * 3_600_000);
    const second = { item: items[1], pipeline: "films", stage: "store", service: null, since };
    expect((await t.sluice.pulse()).longAway).toEqual([second]);
    // Tried again, and in vain: it waits for what it waited for.
    await t.advance("6m");
    expect((await t.sluice.pulse()).longAway).toEqual([second]);
  });

  it("knows who died and is not back", async () => {
    const films = definePipeline("films", { version: 1, input }).stage("find", { run: () => done() });
    t = await testSluice({ pipelines: [films] });
    expect((await t.sluice.pulse()).gone).toEqual([]);
    await t.db.query(DEAD, []);
    expect((await t.sluice.pulse()).gone).toEqual([{ name: "test", pipelines: ["films"], services: [], at: t.now() }]);
    await t.db.query(BACK, []);
    expect((await t.sluice.pulse()).gone).toEqual([]);
  });

  it("does not miss whose work others have taken up since", async () => {
    const films = definePipeline("films", { version: 1, input }).stage("find", { run: () => done() });
    t = await testSluice({ pipelines: [films] });
    const gone = async () => (await t.sluice.pulse()).gone.map(({ name }) => name);
    const enter = async (...worker: [name: string, epoch: number, state: number, services: string[]]) => {
      await t.db.query(ENTER, worker);
      await t.advance("5m");
    };
    await enter("beside", 101, 0, ["converter"]);
    await enter("3f9c", 102, 2, ["converter"]);
    await enter("without-the-client", 103, 0, []);
    await enter("over-already", 104, 2, ["converter"]);
    expect(await gone()).toEqual(["over-already", "3f9c"]);
    await enter("a41d", 105, 0, ["converter"]);
    expect(await gone()).toEqual([]);
  });
});
