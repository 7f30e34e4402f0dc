import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Recurring } from "../../src/engine/intake/recurring.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import type { Missed } from "../../src/engine/pipeline/schedule.ts";
import { schedule } from "../../src/engine/pipeline/schedule.ts";
import { openPglite } from "../../src/engine/testing/pglite.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { silentLogger } from "../../src/kit/index.ts";

const reports = definePipeline("reports", { version: 1, input: z.object({ day: z.string() }) }).stage("write", {
  run: () => done(),
});

let t: TestSluice;
beforeAll(async () => (await openPglite()).close(), 120_000);
afterEach(async () => await t.close());

const days = { name: "days", text: "select input ->> 'day' as day from sluice.item order by id" };
const keys = { name: "keys", text: "select key from sluice.unique_key order by key" };
const dayOf = ({ at }: { readonly at: Date }) => [{ day: at.toISOString().slice(0, 16) }];

async function made(): Promise<string[]> {
  return (await t.db.query<{ day: string }>(days, [])).map((row) => row.day);
}

async function state() {
  const [only] = await t.sluice.schedules.list();
  if (only === undefined) throw new Error("there is no schedule");
  return only;
}

async function open(cron: string, zone: string, start: string, missed: Missed = "once"): Promise<TestSluice> {
  const nightly = schedule("nightly", { cron, zone, missed, pipeline: reports, inputs: dayOf });
  t = await testSluice({ pipelines: [reports], schedules: [nightly], start: new Date(start) });
  return t;
}

describe("a schedule", () => {
  it("hands in its work at its times, night after night", async () => {
    await open("0 3 * * *", "Europe/Berlin", "2030-01-01T00:00:00Z");
    await t.drain();
    expect(await made()).toEqual([]);
    expect((await state()).next).toEqual(new Date("2030-01-01T02:00:00Z"));
    await t.advance("3d");
    expect(await made()).toEqual(["2030-01-01T02:00", "2030-01-02T02:00", "2030-01-03T02:00"]);
    expect(await state()).toMatchObject({
      rule: "0 3 * * * Europe/Berlin",
      last: new Date("2030-01-03T02:00:00Z"),
      next: new Date("2030-01-04T02:00:00Z"),
      missed: 0,
    });
  });

  it("is due once in the night that lacks its time, and once in the night that has it twice", async () => {
    await open("30 2 * * *", "Europe/Berlin", "2030-03-30T12:00:00Z");
    await t.advance("2d");
    expect(await made()).toEqual(["2030-03-31T01:00", "2030-04-01T00:30"]);
    await t.close();
    await open("30 2 * * *", "Europe/Berlin", "2030-10-26T12:00:00Z");
    await t.advance("2d");
    expect(await made()).toEqual(["2030-10-27T00:30", "2030-10-28T01:30"]);
  });

  it("names the planned time in the key of what it hands in", async () => {
    await open("0 3 * * *", "UTC", "2030-01-01T00:00:00Z");
    await t.advance("4h");
    expect(await t.db.query(keys, [])).toEqual([{ key: "nightly@2030-01-01T03:00:00.000Z" }]);
  });

  it("with a single input needs no function", async () => {
    const nightly = schedule("nightly", { cron: "@daily", pipeline: reports, input: { day: "any" }, key: "report" });
    t = await testSluice({ pipelines: [reports], schedules: [nightly] });
    await t.advance("1d");
    expect(await made()).toEqual(["any"]);
    expect(await t.db.query(keys, [])).toEqual([{ key: "report@2030-01-02T00:00:00.000Z" }]);
  });

  it("that has nothing to hand in moves on all the same", async () => {
    const nightly = schedule("nightly", { cron: "@daily", pipeline: reports, inputs: () => [] });
    t = await testSluice({ pipelines: [reports], schedules: [nightly] });
    await t.advance("1d");
    expect(await made()).toEqual([]);
    expect(await state()).toMatchObject({ last: new Date("2030-01-02T00:00:00Z"), missed: 0 });
  });

  it("whose inputs cannot be had is tried again, and says why", async () => {
    let isBroken = true;
    const inputs = (run: { readonly at: Date }) => {
      if (isBroken) throw new Error("no such table");
      return dayOf(run);
    };
    const nightly = schedule("nightly", { cron: "0 3 * * *", pipeline: reports, inputs });
    t = await testSluice({ pipelines: [reports], schedules: [nightly] });
    await t.advance("3h1m");
    expect((await state()).error).toMatchObject({ code: "UNKNOWN", message: "no such table" });
    expect((await state()).error?.failures).toBeGreaterThan(1);
    isBroken = false;
    await t.advance("5m");
    expect(await made()).toEqual(["2030-01-01T03:00"]);
    expect((await state()).error).toBeNull();
  });
});

describe("a schedule that was changed in code", () => {
  it("is planned anew at the next start, and left alone by those who have the old code", async () => {
    await open("0 3 * * *", "UTC", "2030-01-01T00:00:00Z");
    const later = schedule("nightly", { cron: "0 5 * * *", pipeline: reports, inputs: dayOf });
    // As another process would at its start.
    const other = new Recurring({ schedules: [later] }, { placesOf: () => [{}] as never });
    await other.register({ db: t.db, log: silentLogger });
    expect(await state()).toMatchObject({ rule: "0 5 * * * UTC", next: new Date("2030-01-01T05:00:00Z") });
    await other.register({ db: t.db, log: silentLogger });
    await t.advance("4h");
    expect(await made()).toEqual([]);
  });
});

describe("a schedule whose run the database refuses", () => {
  it("says so, and is still due", async () => {
    await open("0 3 * * *", "UTC", "2030-01-01T00:00:00Z");
    await t.db.query({ name: "refuse", text: "alter table sluice.item add check (priority <> 3)" }, []);
    await t.advance("3h");
    expect(await state()).toMatchObject({
      error: { code: "UNKNOWN", message: expect.stringMatching(/check constraint/) },
      next: new Date("2030-01-01T03:00:00Z"),
      last: null,
    });
  });
});

describe("a clock that jumps", () => {
  /** As a machine would that slept: nobody looks on the way. */
  async function leap(to: string): Promise<void> {
    const move = {
      name: "leap",
      text: `
        update sluice.schedule
        set next_at = next_at - $1::float8 * interval '1 millisecond', last_at = last_at - $1::float8 * interval '1 millisecond'`,
    };
    await t.db.query(move, [Date.parse(to)]);
  }

  it.each<[Missed, string[], number]>([
    ["once", ["2030-01-01T05:00"], 4],
    ["skip", [], 5],
    ["all", ["2030-01-01T01:00", "2030-01-01T02:00", "2030-01-01T03:00", "2030-01-01T04:00", "2030-01-01T05:00"], 0],
  ])("forward over five planned times: %s", async (missed, expected, count) => {
    await open("0 * * * *", "UTC", "2030-01-01T05:30:00Z", missed);
    await t.drain();
    await leap("1970-01-01T05:00:00Z");
    await t.drain();
    expect(await made()).toEqual(expected);
    expect(await state()).toMatchObject({ missed: count, next: new Date("2030-01-01T06:00:00Z") });
  });

  it("back runs nothing twice: what was run lies ahead, and stays run", async () => {
    await open("0 * * * *", "UTC", "2030-01-01T05:30:00Z");
    await t.advance("1h");
    expect(await made()).toEqual(["2030-01-01T06:00"]);
    // Two hours back, as the schedule sees it.
    await leap("1969-12-31T22:00:00Z");
    await t.advance("2h");
    expect(await made()).toEqual(["2030-01-01T06:00"]);
    expect((await state()).next).toEqual(new Date("2030-01-01T09:00:00Z"));
  });

  it("back runs nothing twice either when it was paused meanwhile", async () => {
    await open("0 * * * *", "UTC", "2030-01-01T05:30:00Z");
    await t.advance("1h");
    await leap("1969-12-31T22:00:00Z");
    await t.sluice.schedules.pause("nightly");
    expect(await t.sluice.schedules.resume("nightly")).toEqual({ ok: true });
    expect(await state()).toMatchObject({
      last: new Date("2030-01-01T08:00:00Z"),
      next: new Date("2030-01-01T09:00:00Z"),
    });
  });
});

describe("what people do to schedules", () => {
  it("a run now is made beside the planned ones, and audited", async () => {
    await open("0 3 * * *", "UTC", "2030-01-01T00:00:00Z");
    const answer = await t.sluice.schedules.run("nightly", { by: "anna" });
    expect(answer).toMatchObject({ ok: true, request: expect.stringMatching(/^req_/) });
    await t.advance("4h");
    expect(await made()).toEqual(["2030-01-01T00:00", "2030-01-01T03:00"]);
    const audit = { name: "audit", text: "select actor, action, request_id is not null as named from sluice.audit" };
    expect(await t.db.query(audit, [])).toEqual([{ actor: "anna", action: "schedule.run", named: true }]);
    expect(await t.sluice.schedules.run("daily")).toMatchObject({ ok: false });
  });

  it("while it is paused nothing is run, and nothing was missed when it goes on", async () => {
    await open("0 3 * * *", "UTC", "2030-01-01T00:00:00Z", "all");
    expect(await t.sluice.schedules.pause("nightly", { by: "anna" })).toEqual({ ok: true });
    expect(await t.sluice.schedules.pause("nightly")).toMatchObject({ ok: false });
    await t.advance("3d");
    expect(await made()).toEqual([]);
    expect(await t.sluice.schedules.resume("nightly", { by: "bert" })).toEqual({ ok: true });
    expect(await t.sluice.schedules.resume("nightly")).toEqual({ ok: false, reason: "it is not paused" });
    await t.advance("1d");
    expect(await made()).toEqual(["2030-01-04T03:00"]);
    expect(await state()).toMatchObject({ isPaused: false, missed: 0 });
    const audit = { name: "audit", text: "select actor, action from sluice.audit order by id" };
    expect(await t.db.query(audit, [])).toEqual([
      { actor: "anna", action: "schedule.pause" },
      { actor: "bert", action: "schedule.resume" },
    ]);
  });
});
