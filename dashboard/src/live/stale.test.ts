import { expect, it } from "vitest";
import type { Event, JobProgress } from "../../../src/server/contract/wire.ts";
import { staleBy } from "./stale.ts";

const common = { id: "1-p0-1", at: "2026-11-16T12:00:00.000Z", version: 1, entityType: "films", entityId: "k" };
const job = {
  ...common,
  ...{ type: "job.progress", event: "item.done", jobId: "itm_1", requestId: "req_1", status: "completed" },
  ...{ pipeline: "films", stage: "search" },
} as JobProgress;
const other = (type: string): Event => ({ ...common, type, pipeline: null, stage: null });

it("a transition makes the item, its request and the lists stale", () => {
  expect(staleBy(job)).toEqual(
    expect.arrayContaining([["item", "itm_1"], ["request", "req_1"], ["items"], ["overview"]]),
  );
});

it("progress makes the item stale, and what tells how far all of its request is, and no list", () => {
  expect(staleBy({ ...job, id: null, event: "item.progress" })).toEqual([
    ["item", "itm_1"],
    ["media", "request", "req_1"],
    ["documents", "one", "itm_1"],
  ]);
});

it("a transition makes the document, its events, and what all of them come to stale", () => {
  expect(staleBy(job)).toEqual(
    expect.arrayContaining([
      ["documents", "list"],
      ["documents", "about"],
      ["documents", "one", "itm_1"],
      ["documents", "events", "itm_1"],
    ]),
  );
});

it("a transition makes cards and what was found for the item stale", () => {
  expect(staleBy(job)).toEqual(
    expect.arrayContaining([
      ["media", "requests"],
      ["media", "request", "req_1"],
      ["media", "releases", "itm_1"],
    ]),
  );
});

it("after a gap everything is stale", () => {
  expect(staleBy(other("hello"))).toBeNull();
  expect(staleBy(other("resync"))).toBeNull();
});

it("a heartbeat, and what nobody here knows, leave all as it is", () => {
  expect(staleBy(other("heartbeat"))).toEqual([]);
  expect(staleBy(other("from.tomorrow"))).toEqual([]);
});

it.each(["service.changed", "valve.changed", "worker.changed"])("%s touches whatever may wait for it", (type) => {
  expect(staleBy(other(type))).toEqual(expect.arrayContaining([["item"], ["items"], ["overview"]]));
});

it("what a part of a film does is seen where the film is looked at, whatever it is called", () => {
  const part = { ...job, pipeline: "media", jobId: "itm_2", requestId: "req_2" };
  for (const event of [part, { ...part, id: null, event: "item.progress" }])
    expect(staleBy(event)).toEqual(
      expect.arrayContaining([
        ["media", "request"],
        ["media", "encodes"],
      ]),
    );
});
