// Traces, as a collector gets them over OTLP/HTTP.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { definePipeline, done, transient } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { systemClock } from "../../src/kit/index.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { otlpSender } from "../../src/server/traces/otlp.ts";
import { type TracePorts, Traces } from "../../src/server/traces/traces.ts";

const film = definePipeline("film", { version: 1, input: z.object({ how: z.string() }) })
  .stage("search", {
    attempts: 2,
    backoff: { base: "1m", cap: "1m" },
    run: (visit) => {
      if (visit.input.how === "again" && visit.attempt === 1) throw transient("TIMEOUT", "too slow");
      if (visit.input.how === "never") throw transient("TIMEOUT", "too slow");
      return done();
    },
  })
  .stage("encode", { run: () => done() });

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number; readonly message?: string };
}

let t: TestSluice;
let traces: Traces;
let collector: Server;
let isAway = false;
let refused = 0;
const bodies: string[] = [];
const log: string[] = [];
const asked: unknown[] = [];

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (isAway) refused += 1;
      else bodies.push(body);
      response.writeHead(isAway ? 400 : 200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo; // it listens on a port
  t = await testSluice({ pipelines: [film] });
  await prepareServerTables(t.sluice.tables);
  const note = (event: string, facts?: unknown) => void log.push(`${event} ${JSON.stringify(facts)}`);
  const sender = await otlpSender({
    url: `http://127.0.0.1:${port}/v1/traces`,
    serviceName: "films of the house",
    version: "1.2.3",
  });
  const { sluice } = t;
  const watched: TracePorts["sluice"] = {
    tables: sluice.tables,
    feed: (options) => sluice.feed(options),
    feedEnd: () => sluice.feedEnd(),
    origins: (items) => sluice.origins(items),
    history: (item, options) => {
      asked.push(options);
      return sluice.history(item, options);
    },
  };
  traces = new Traces({
    ...{ sluice: watched, clock: systemClock, holder: "here", sender },
    log: { info: note, warn: note, error: note },
  });
  await traces.start();
  const place = { name: "place", text: "select value from sluice_server.setting where name = 'place.traces'" };
  await vi.waitFor(async () => expect(await t.db.query(place, [])).toHaveLength(1), SOON);
});
afterAll(async () => {
  await traces.stop();
  await t.close();
  collector.close();
});

const SOON = { timeout: 30_000, interval: 20 };

function received(): OtlpSpan[] {
  return bodies
    .map((body) => JSON.parse(body))
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
}

function attribute(span: OtlpSpan | undefined, name: string): unknown {
  const found = span?.attributes.find(({ key }) => key === `sluice.${name}`);
  return found === undefined ? undefined : Object.values(found.value)[0];
}

async function traceOf(item: string | undefined): Promise<OtlpSpan[]> {
  return await vi.waitFor(async () => {
    await t.drain();
    const all = received();
    const root = all.find((span) => attribute(span, "item") === item);
    expect(root).toBeDefined();
    return all.filter(({ traceId }) => traceId === root?.traceId);
  }, SOON);
}

const seconds = ({ startTimeUnixNano, endTimeUnixNano }: OtlpSpan) =>
  Number((BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1_000_000_000n);

describe("a trace", () => {
  it("has the item, each of its visits, and what it waited for between them", async () => {
    const { items } = await t.submit(film, [{ how: "again" }]);
    await t.advance("2m");
    const [root, ...rest] = await traceOf(items[0]);
    expect(rest.map(({ name }) => name)).toEqual(["search", "wait backoff", "search", "encode"]);
    expect(rest.every(({ parentSpanId }) => parentSpanId === root?.spanId)).toBe(true);
    expect(rest.map((span) => attribute(span, "outcome"))).toEqual(["fault", undefined, "done", "done"]);
    expect(rest[0]?.status).toEqual({ code: 2, message: "TIMEOUT" });
    expect(root?.status.code).toBe(1);
    expect(root?.parentSpanId).toBeUndefined();
    const wait = rest[1];
    if (root === undefined || wait === undefined) throw new Error("a span is missing");
    expect(seconds(wait)).toBeGreaterThanOrEqual(59);
    expect(seconds(root)).toBeGreaterThanOrEqual(seconds(wait));
    expect(bodies.at(-1)).toContain("films of the house");
    expect(asked[0]).toEqual({ limit: 200, outputs: false });
  });

  it("goes on in the trace that the item was handed in with; one that is not recorded is not sent", async () => {
    const ids = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"] as const;
    const unrecorded = await t.submit(film, [{ how: "well" }], { trace: `00-${ids.join("-")}-00` });
    const { items } = await t.submit(film, [{ how: "well" }], { trace: `00-${ids.join("-")}-01` });
    const spans = await traceOf(items[0]);
    expect([spans[0]?.traceId, spans[0]?.parentSpanId]).toEqual([...ids]);
    expect(received().some((span) => attribute(span, "item") === unrecorded.items[0])).toBe(false);
  });

  it("of an item that failed and is tried once more is the same, and longer", async () => {
    const { items } = await t.submit(film, [{ how: "never" }]);
    const [item] = items;
    if (item === undefined) throw new Error("nothing was handed in");
    await t.advance("2m");
    const before = await traceOf(item);
    expect(before[0]?.status).toEqual({ code: 2, message: "TIMEOUT" });
    await t.retry(item);
    await t.advance("5m");
    await vi.waitFor(async () => expect((await traceOf(item)).length).toBeGreaterThan(before.length), SOON);
    const roots = (await traceOf(item)).filter((span) => attribute(span, "item") === item);
    expect(new Set(roots.map(({ spanId }) => spanId)).size).toBe(1);
    const ids = new Set((await traceOf(item)).map(({ spanId }) => spanId));
    expect(before.every(({ spanId }) => ids.has(spanId))).toBe(true);
  });
});

it("a collector that is away costs what could not be sent, and a line that says so", async () => {
  isAway = true;
  const { result } = await t.submit(film, [{ how: "well" }]);
  await t.drain();
  await result();
  await vi.waitFor(async () => {
    await t.drain();
    expect(log.some((line) => /^traces\.unsent .*"dropped":[1-9]/.test(line))).toBe(true);
  }, SOON);
  expect(refused).toBeGreaterThan(0);
  isAway = false;
  const { items } = await t.submit(film, [{ how: "well" }]);
  await traceOf(items[0]);
});
