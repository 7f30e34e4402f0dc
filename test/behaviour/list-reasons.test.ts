// Lists tell why each item waits, as its explanation does, and find it by that; also what its lane keeps, and not its own doing.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Explanation } from "../../src/engine/explain/explanation.ts";
import { setValve } from "../../src/engine/operate/valve.sql.ts";
import { unavailable } from "../../src/engine/pipeline/fault.ts";
import { ask, done, wait } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { explainItem } from "../../src/engine/read/explain-item.ts";
import { atOneMoment } from "../../src/engine/read/in-order.sql.ts";
import { type ItemFilter, listItems } from "../../src/engine/read/list-items.ts";
import { type CallEnd, judge } from "../../src/engine/services/breaker.ts";
import { healthOf, readServices, registerService, saveService } from "../../src/engine/services/service.sql.ts";
import { openPglite, type PgliteDatabase } from "../../src/engine/testing/pglite.ts";
import { type SmallWorld, smallWorld } from "../support/small-world.ts";

const input = z.unknown();
const run = () => done();
const plain = (name: string) => definePipeline(name, { version: 1, input }).stage("only", { run });
const services = {
  broken: service("broken"),
  limited: service("limited", { limit: "1/h" }),
  full: service("full", { capacity: 1 }),
  back: service("back"),
};
const using = (name: keyof typeof services) =>
  definePipeline(name, { version: 1, input }).stage("only", { run, uses: services[name] });
const pipelines = {
  ...{ queued: plain("queued"), own: plain("own"), off: plain("off"), paused: plain("paused"), held: plain("held") },
  ...{ orphan: plain("orphan"), broken: using("broken"), limited: using("limited"), full: using("full") },
  back: using("back"),
  narrow: definePipeline("narrow", { version: 1, input }).stage("only", { run, concurrency: 1 }),
  keyed: definePipeline("keyed", { version: 1, input, fair: true }).stage("only", { run, perKey: 1 }),
};

let db: PgliteDatabase;
let world: SmallWorld;
const names = new Map<string, string>();

async function submit(name: string, pipeline: keyof typeof pipelines, options = {}): Promise<string> {
  const { items, ids } = await world.submit(pipelines[pipeline], 1, options);
  names.set(items[0] ?? "", name);
  return ids[0] ?? "";
}

const text = (name: string, sql: string) => db.query({ name, text: sql }, []);

/** One of each is in hand, and whoever comes then finds no place. */
async function fillPlaces(): Promise<void> {
  for (const name of ["narrow", "full", "keyed", "back"] as const) {
    await submit(`${name}, in hand`, name, name === "keyed" ? { fairness: "a" } : {});
    expect(await world.claim("1", 1, [pipelines[name]])).toHaveLength(1);
    await submit(name, name, name === "keyed" ? { fairness: "a" } : {});
  }
  await submit("keyed, another", "keyed", { fairness: "b" });
}

async function waitByThemselves(): Promise<void> {
  const results = {
    "by its own word": { outcome: wait("not_available", { again: "6h" }) },
    "asking somebody": { outcome: ask("Which?", { options: ["a", "b"] }) },
    "turned away": { fault: unavailable("DOWN", "connection refused") },
  };
  for (const [name, result] of Object.entries(results)) {
    await submit(name, "own");
    const [held] = await world.claim("1", 1, [pipelines.own]);
    if (held === undefined) throw new Error("there was one to be claimed");
    await world.settle(held, "1", result);
  }
  await submit("later", "own", { delayMs: 3_600_000 });
}

async function breakService(): Promise<void> {
  const [row] = await readServices(db, ["broken"]);
  if (row === undefined) throw new Error("it was registered");
  const failed = ["7", "8", "9", "7", "8"].map(
    (item, at): CallEnd => ({ at, item, verdict: "failure", era: row.changed_at ?? 0 }),
  );
  await saveService(db, row, judge(healthOf(row), failed, services.broken.rules, row.now));
}

beforeAll(async () => {
  db = await openPglite();
  world = await smallWorld(db, Object.values(pipelines));
  const { orphan: _, ...served } = pipelines;
  await world.worker("1", Object.values(served), Object.keys(services));
  for (const { name, rules } of Object.values(services)) await registerService(db, name, rules);
  await fillPlaces();
  await waitByThemselves();
  for (const name of ["queued", "orphan", "broken", "limited", "off", "paused", "held"] as const)
    await submit(name, name);
  const passing = await submit("off, let through", "off");
  await text("pass", `update sluice.run set is_manual = true where id = ${passing}`);
  await breakService();
  const now = "(extract(epoch from sluice.now()) * 1000)::float8";
  await text(
    "use-up",
    `update sluice.service set grants = jsonb_build_array(jsonb_build_array(${now}, 1)) where name = 'limited'`,
  );
  await text("ramp", "update sluice.service set ramp = 1, ramp_left = 1 where name = 'back'");
  for (const [kind, stage] of [
    ["switch", "off"],
    ["pause", "paused"],
    ["hold", "held"],
  ] as const)
    await setValve(db, { kind, scope: { pipeline: stage }, closed: true, note: null, actor: "ann" });
});
afterAll(() => db.close());

const list = async (filter: ItemFilter = {}) => (await listItems(db, world.stagesOf, filter, { limit: 200 })).entries;
const named = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => names.get(id)).sort();

const pick = ({ reason, since, until }: Explanation) => ({ reason, since, until });

const TOLD: readonly (readonly [reason: string, items: readonly string[]])[] = [
  ["queued", ["keyed, another", "off, let through", "queued"]],
  ["service_down", ["broken", "turned away"]],
  ["stage_off", ["off"]],
  ["paused", ["paused"]],
  ["held", ["held"]],
  ["no_worker", ["orphan"]],
  ["rate_limited", ["limited"]],
  ["ramping", ["back"]],
  ["at_capacity", ["full"]],
  ["capped", ["narrow"]],
  ["key_capped", ["keyed"]],
  ["not_available", ["by its own word"]],
  ["question", ["asking somebody"]],
  ["scheduled", ["later"]],
];

describe("a list", () => {
  it.each(TOLD)("tells %s of what waits so, and finds it by that", async (reason, items) => {
    const all = await list();
    expect(named(all.filter((line) => line.reason === reason))).toEqual(items);
    expect(named(await list({ reason }))).toEqual(items);
    const others = all.filter((line) => line.reason !== reason);
    expect(named(await list({ not: { reason } }))).toEqual(named(others));
  });

  it("tells of each the same as its explanation, and nothing of what is in hand", async () => {
    await atOneMoment(db, async (tx) => {
      const { entries } = await listItems(tx, world.stagesOf, {}, { limit: 200 });
      expect(entries).toHaveLength(names.size);
      for (const { id, state, reason, since, until, wait: told } of entries) {
        const why = await explainItem(tx, world.stagesOf, id);
        if (state === "running") expect({ reason, until, told }).toEqual({ reason: null, until: null, told: null });
        else expect({ reason, since, until, told }).toEqual({ ...pick(why), told: why });
      }
      expect(entries.filter(({ state }) => state === "running")).toHaveLength(4);
    });
  });

  it("finds by several reasons, stored and not, and with other terms", async () => {
    expect(named(await list({ reason: ["paused", "held"] }))).toEqual(["held", "paused"]);
    expect(named(await list({ reason: ["paused", "not_available"] }))).toEqual(["by its own word", "paused"]);
    expect(named(await list({ reason: ["service_down"], pipeline: "broken" }))).toEqual(["broken"]);
    expect(named(await list({ reason: ["paused"], not: { pipeline: "paused" } }))).toEqual([]);
    expect(await list({ reason: "running" })).toEqual([]);
  });

  it("goes on page by page", async () => {
    const seen: (string | undefined)[] = [];
    for (let after: string | undefined, page = 0; page < 4; page += 1) {
      const { entries, next } = await listItems(db, world.stagesOf, { reason: "queued" }, { limit: 1, after });
      seen.push(...named(entries));
      after = next ?? undefined;
      if (next === null) break;
    }
    expect(seen.sort()).toEqual(["keyed, another", "off, let through", "queued"]);
  });
});
