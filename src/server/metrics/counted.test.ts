import { describe, expect, it } from "vitest";
import type { ItemEvent } from "../../engine/index.ts";
import { Breakers } from "./breakers.ts";
import { countedBy } from "./counted.ts";
import { KnownValues } from "./known-values.ts";
import { ageOf } from "./standing.ts";
import { storedHistogram } from "./stored-histogram.ts";

const event = (change: Partial<ItemEvent>): ItemEvent =>
  ({
    ...{ type: "item.done", outcome: "done", from: "encode", to: "deliver", end: null, attempt: 1, tookMs: 1_500 },
    ...{ item: "itm_1", code: null, pipeline: "films", version: 1 },
    ...change,
  }) as ItemEvent; // what is not named here is not looked at

const words = (change: Partial<ItemEvent>) =>
  countedBy(event(change)).map((one) =>
    Object.values(one)
      .filter((value) => typeof value === "string")
      .join(" "),
  );

describe("what an event counts for", () => {
  it.each<[string, Partial<ItemEvent>, string[]]>([
    ["a stage done", {}, ["processed encode success"]],
    ["a stage skipped", { outcome: "skip" }, ["processed encode success"]],
    ["handed in", { type: "item.accepted", outcome: "accepted", from: null, tookMs: null }, ["created"]],
    ["the last stage", { type: "item.completed", end: "done", to: null }, ["processed encode success", "completed"]],
    [
      "a fault that is tried again",
      { type: "item.fault", outcome: "fault", to: "encode", code: "TIMEOUT" },
      ["processed encode failed", "error encode transient", "retry encode"],
    ],
    [
      "the other side away: no try was spent, so none is made again",
      { type: "item.fault", outcome: "fault", to: "encode", attempt: null },
      ["processed encode waiting", "error encode unavailable"],
    ],
    [
      "the end of all tries",
      { type: "item.failed", outcome: "fault", end: "failed", to: null, code: "BAD" },
      ["processed encode failed", "error encode permanent", "failed BAD"],
    ],
    [
      "a process that died",
      { type: "item.crashed", outcome: "crashed", to: "encode", attempt: null },
      ["processed encode failed", "error encode crash", "retry encode"],
    ],
    ["sent back", { type: "item.sent-back", outcome: "back", to: "search" }, ["processed encode sent_back"]],
    ["a wait", { type: "item.waiting", outcome: "wait", to: "encode" }, ["processed encode waiting"]],
    ["asked for again", { type: "item.retried", outcome: "retried", tookMs: null }, ["retry encode"]],
    ["a stall", { type: "item.seen", outcome: "seen", code: "STALLED", tookMs: null }, ["stall encode"]],
    ["an end outside", { type: "item.seen", outcome: "seen", code: "DONE", tookMs: null }, []],
    ["work that was in vain", { type: "item.refused", outcome: "refused", to: null }, []],
  ])("%s", (_, change, counted) => expect(words(change)).toEqual(counted));
});

describe("breakers", () => {
  it("are open from when they opened, or we began to look, until they close", () => {
    const breakers = new Breakers();
    breakers.begin("shop", true, 1_000);
    breakers.begin("post", false, 1_000);
    breakers.closed("shop", 3_000);
    breakers.opened("post", 4_000);
    expect(breakers.sums(5_000)).toEqual([
      { service: "shop", activations: 0, openMs: 2_000 },
      { service: "post", activations: 1, openMs: 1_000 },
    ]);
    breakers.begin("post", false, 6_000);
    expect(breakers.sums(9_000)[1]).toEqual({ service: "post", activations: 1, openMs: 2_000 });
  });

  it("never count time that has not passed", () => {
    const breakers = new Breakers();
    breakers.opened("shop", 5_000);
    expect(breakers.sums(4_000)[0]?.openMs).toBe(0);
  });
});

it("of values from data only so many are told apart", () => {
  const known = new KnownValues(2);
  expect(["A", "B", "C", "A", "D"].map((one) => known.of(one))).toEqual(["A", "B", "other", "A", "other"]);
});

it("an age is the longest that was reached", () => {
  const hour = 3_600_000;
  expect([0, hour, 6 * hour, 23 * hour, 24 * hour, 200 * hour].map(ageOf)).toEqual([
    "1h",
    "1h",
    "6h",
    "6h",
    "24h",
    "7d",
  ]);
});

it("counts by step become buckets, and services without a name of their own share one", async () => {
  const histogram = storedHistogram("calls", "help");
  const one = { pipeline: "films", version: 1, times: 3, totalMs: 900 };
  const steps = [
    { belowMs: 4, times: 1 },
    { belowMs: 256, times: 1 },
    { belowMs: Number.POSITIVE_INFINITY, times: 1 },
  ];
  const two = { ...one, service: "b", steps };
  histogram.set([{ ...one, service: "a", steps }, two], () => "other");
  const { values } = await histogram.get();
  const found = values.map(({ metricName, labels, value }) => [`${metricName} ${labels.le ?? ""}`.trim(), value]);
  expect(found).toEqual([
    ["calls_bucket 0.004", 2],
    ["calls_bucket 0.016", 2],
    ["calls_bucket 0.064", 2],
    ["calls_bucket 0.256", 4],
    ["calls_bucket 1.024", 4],
    ["calls_bucket 4.096", 4],
    ["calls_bucket 16.384", 4],
    ["calls_bucket 65.536", 4],
    ["calls_bucket +Inf", 6],
    ["calls_sum", 1.8],
    ["calls_count", 6],
  ]);
});
