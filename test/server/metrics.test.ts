// The numbers that are scraped, each by its name, after something of everything has happened.

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  definePipeline,
  done,
  permanent,
  ask as question,
  service,
  transient,
  unavailable,
} from "../../src/engine/index.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import { testSluice } from "../../src/engine/testing/test-sluice.ts";
import { silentLogger, systemClock } from "../../src/kit/index.ts";
import { Metrics } from "../../src/server/metrics/metrics.ts";
import { type AppWorld, openAppWorld } from "../support/app-world.ts";
import { download } from "../support/downloads.ts";

const shop = service<{ order(title: string): Promise<string> }>("shop");

const film = definePipeline("films", { version: 2, input: z.object({ title: z.string() }) })
  .stage("download", { ...download, stall: { never: "10m", stopped: "30m" } })
  .stage("check", {
    backoff: { base: "1m", cap: "1m" },
    run: async (visit) => {
      const { title } = visit.input;
      if (title === "broken") throw permanent("UNREADABLE", "no film");
      if (title === "asked") return question("Which one?");
      if (title !== "half") return done();
      if (visit.checkpoint.value !== undefined) return done();
      await visit.checkpoint.save({ half: true });
      throw transient("TIMEOUT", "too slow");
    },
  })
  .stage("deliver", { run: () => done() });

const orders = definePipeline("orders", { version: 1, input: z.object({ title: z.string() }) }).stage("order", {
  uses: shop,
  run: async (visit) => done(await visit.call(shop, (client) => client.order(visit.input.title))),
});

let world: AppWorld;
let text = "";
let isDown = true;

beforeAll(async () => {
  const client: Scripted = scripted().stallsAt(40, 1);
  const order = async (title: string) => {
    if (isDown) throw unavailable("NOT_REACHED", "connection refused");
    return title;
  };
  world = await openAppWorld([film, orders], { services: { torrents: client, shop: { order } } });
  const { t } = world;
  await t.submit(
    film,
    ["stalls", "broken", "half", "asked"].map((title) => ({ title })),
  );
  await t.submit(
    orders,
    Array.from({ length: 10 }, (_, n) => ({ title: `order ${n}` })),
  );
  await t.advance("3m");
  isDown = false;
  await t.advance("2h");
  await vi.waitFor(
    async () => {
      await t.drain();
      text = (await world.ask("/metrics", { as: "viewer" })).text;
      expect(sumOf("pipeline_jobs_completed_total", { pipeline: "films" })).toBe(2);
    },
    { timeout: 30_000 },
  );
});
afterAll(() => world.close());

type Labels = Readonly<Record<string, string>>;

function series(name: string): { labels: Labels; value: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, metric, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (metric !== name) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = "", one = ""]) => [key, one] as const,
    );
    return [{ labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

function sumOf(name: string, wanted: Labels = {}): number | undefined {
  const found = series(name).filter(({ labels }) => Object.entries(wanted).every(([key, one]) => labels[key] === one));
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

const films = { pipeline: "films", version: "2" };
const ordered = { pipeline: "orders", version: "1" };

describe("each by its name", () => {
  it.each<[name: string, labels: Labels, value: number]>([
    ["worker_items_processed_total", { ...films, worker: "check", status: "success" }, 2],
    ["worker_items_processed_total", { ...films, worker: "check", status: "failed" }, 2],
    ["worker_items_processed_total", { ...films, worker: "check", status: "waiting" }, 1],
    ["worker_processing_duration_seconds_count", { ...films, worker: "deliver" }, 2],
    ["worker_processing_duration_seconds_bucket", { ...films, worker: "deliver", le: "+Inf" }, 2],
    ["pipeline_items_by_status", { ...films, stage: "check", status: "needs-you" }, 1],
    ["pipeline_items_by_status", { ...films, stage: "deliver", status: "queued" }, 0],
    ["pipeline_requests_by_status", { ...films, status: "PROCESSING" }, 1],
    ["pipeline_requests_by_status", { ...ordered, status: "COMPLETED" }, 1],
    ["pipeline_errors_total", { ...films, worker: "check", error_type: "transient" }, 1],
    ["pipeline_errors_total", { ...films, worker: "check", error_type: "permanent" }, 1],
    ["pipeline_errors_total", { ...films, worker: "download", error_type: "transient" }, 1],
    ["pipeline_retries_total", { ...films, worker: "check" }, 1],
    ["pipeline_jobs_created_total", films, 4],
    ["pipeline_jobs_created_total", ordered, 10],
    ["pipeline_jobs_completed_total", ordered, 10],
    ["pipeline_jobs_failed_total", { ...films, code: "UNREADABLE" }, 1],
    ["pipeline_queue_depth", { ...films, stage: "check" }, 0],
    ["service_breaker_activations_total", { ...ordered, service: "shop" }, 1],
    ["pipeline_time_to_completion_seconds_count", ordered, 10],
    ["pipeline_stalls_caught_total", { ...films, worker: "download" }, 1],
    ["pipeline_checkpoint_resumes_total", { ...films, worker: "check" }, 1],
    ["sluice_build_info", { version: "0.0.0" }, 1],
  ])("%s %j", (name, labels, value) => expect(sumOf(name, labels)).toBe(value));

  it("service_call_duration_seconds: as many calls as there were, and what they took", () => {
    const calls = { ...ordered, service: "shop" };
    const count = sumOf("service_call_duration_seconds_count", calls) ?? 0;
    expect(count).toBeGreaterThanOrEqual(11);
    expect(sumOf("service_call_duration_seconds_bucket", { ...calls, le: "+Inf" })).toBe(count);
    const buckets = series("service_call_duration_seconds_bucket").filter(({ labels }) => labels.service === "shop");
    const rising = buckets.map(({ value }) => value);
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  });

  it("service_breaker_open_seconds_total: from the moment it opened until it closed", () => {
    const seconds = sumOf("service_breaker_open_seconds_total", { ...ordered, service: "shop" }) ?? 0;
    expect(seconds).toBeGreaterThan(100);
    expect(seconds).toBeLessThan(600);
  });

  it("pipeline_time_to_completion_seconds: the stalled film took more than half an hour", () => {
    expect(sumOf("pipeline_time_to_completion_seconds_bucket", { ...films, le: "900" })).toBe(1);
    expect(sumOf("pipeline_time_to_completion_seconds_bucket", { ...films, le: "3600" })).toBe(2);
  });

  it("all of them say which pipeline and which version", () => {
    const own = /^(worker|pipeline|service)_/;
    const bare = text
      .split("\n")
      .filter((line) => own.test(line))
      .filter((line) => !/pipeline="[^"]+"/.test(line) || !/version="(\d+|none)"/.test(line));
    expect(bare).toEqual([]);
  });

  it("what the process itself needs stands under a name of its own", () => {
    expect(sumOf("sluice_process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
    expect(text).not.toMatch(/^process_/m);
  });
});

it("an event is counted once, also where counting failed halfway", async () => {
  const t = await testSluice({ pipelines: [orders], services: { shop: { order: async (title: string) => title } } });
  const asked: unknown[] = [];
  let fails = 1;
  const shaky = new Proxy(t.sluice, {
    get: (sluice, name) => {
      if (name === "origins" && fails-- > 0) return async () => Promise.reject(new Error("the database is away"));
      if (name === "feed") return (options: object) => asked.push(options) && sluice.feed(options);
      const value = Reflect.get(sluice, name);
      return typeof value === "function" ? value.bind(sluice) : value;
    },
  });
  const log = { ...silentLogger, warn: () => void asked.push("failed") };
  const metrics = new Metrics({ sluice: shaky, log, clock: systemClock, version: "1", now: () => Date.now() });
  await metrics.start();
  await t.submit(
    orders,
    Array.from({ length: 600 }, () => ({ title: "any" })),
    { delay: "1h" },
  );
  await vi.waitFor(
    async () => {
      expect(asked).toHaveLength(3);
      text = await metrics.text();
      expect(sumOf("pipeline_jobs_created_total")).toBeGreaterThanOrEqual(600);
    },
    { timeout: 30_000 },
  );
  expect(sumOf("pipeline_jobs_created_total")).toBe(600);
  // Outputs are nobody's business here, and may be large.
  const feed = expect.objectContaining({ outputs: false });
  expect(asked).toEqual([feed, "failed", feed]);
  await metrics.stop();
  await t.close();
});

describe("pipeline_stuck_items_total", () => {
  it("has those that nobody can work on, by how long they have been", async () => {
    const later = await openAppWorld([orders], { services: {} });
    try {
      const { t } = later;
      await t.submit(orders, [{ title: "nobody's" }]);
      await t.advance("7h");
      text = (await later.ask("/metrics", { as: "admin" })).text;
      expect(series("pipeline_stuck_items_total")).toEqual([
        { labels: { ...ordered, stage: "order", status: "queued", age: "6h" }, value: 1 },
      ]);
    } finally {
      await later.close();
    }
  });
});

describe("who may scrape", () => {
  it("viewers and admins, with a session or a key that may read; members and strangers not", async () => {
    const { status, json } = await world.ask("/metrics", { as: "member" });
    expect([status, json.code]).toEqual([403, "FORBIDDEN"]);
    expect((await world.ask("/metrics")).status).toBe(401);
    const vic = { user: "vic", role: "viewer", via: "session", scopes: null } as const;
    const { key } = await world.access.makeKey(vic, { name: "prometheus", scopes: ["read"] }, "here");
    const scraped = await world.ask("/metrics", { headers: { authorization: `Bearer ${key}` } });
    expect(scraped.status).toBe(200);
    expect(scraped.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  });
});
