import { expect, it } from "vitest";
import type { ItemLine } from "../../server/contract/wire.ts";
import { itemColumns } from "./items.ts";
import { table } from "./table.ts";

const now = new Date("2030-01-01T12:00:00Z");
const sentence = "Waiting for indexer: not answering since 11:58 UTC (2 min): connection refused.";
const wait = { code: "service_down", sentence, since: null, until: null, service: "indexer", actions: [] };
const behind = {
  ...{ id: "itm_0000000000001", request: "req_0000000000001", pipeline: "media", version: 1, stage: "encode" },
  ...{ state: "queued", status: "PENDING", reason: "service_down", since: "2030-01-01T11:59:00Z", until: null, wait },
  ...{ attempts: 1, maxAttempts: 5, lastError: null, progress: 42, key: "tmdb:603", part: null, partOf: null },
} as Partial<ItemLine> as ItemLine;

const row = (item: ItemLine, width: number, isTerminal = true) =>
  table(itemColumns(now, width), [item], { isTerminal, width, paint: (_, text) => text })
    .split("\n")
    .at(-1) ?? "";

it("a row says why its item waits: in a word, and where there is room in a sentence as far as it goes", () => {
  expect(row(behind, 80)).toContain("  service_down");
  expect(row(behind, 80)).not.toContain("Waiting");
  expect(row(behind, 140)).toMatch(/ {2}service_down 1\/5: Waiting for indexer: \S.*… {2}tmdb:603$/);
  expect(row(behind, 240)).toContain(`  service_down 1/5: ${sentence}  tmdb:603`);
  for (const width of [80, 100, 140, 240]) expect(row(behind, width).length).toBeLessThanOrEqual(width);
});

it("a row ends with what people call its item, else with its key", () => {
  expect(row({ ...behind, title: "Alien (1979)" }, 140)).toMatch(/ {2}Alien \(1979\)$/);
  expect(row({ ...behind, title: null }, 140)).toMatch(/ {2}tmdb:603$/);
});

it("what is plainly in line is told without repeating its state", () => {
  const inLine = { ...behind, reason: "queued", attempts: 0, wait: { ...wait, code: "queued", sentence: "In line." } };
  expect(row(inLine, 140)).toMatch(/ {2}In line\. {2}tmdb:603$/);
  expect(row(inLine, 80)).not.toContain("In line");
});

it("to programs it is the code alone: why it waits, or why it failed", () => {
  const faulty = { ...behind, lastError: { code: "GW_TIMEOUT", message: null } };
  expect(row(faulty, 80, false)).toContain("\tservice_down\t");
  expect(row({ ...faulty, state: "failed", reason: null, wait: null }, 80, false)).toContain("\tGW_TIMEOUT\t");
});
