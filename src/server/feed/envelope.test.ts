import { describe, expect, it } from "vitest";
import type { ItemEvent, ItemId, LiveItem, OtherEvent, RequestId } from "../../engine/index.ts";
import { liveTold, toTold } from "./envelope.ts";

const item = "itm_0000000000001" as ItemId;
const request = "req_0000000000001" as RequestId;
const done: ItemEvent = {
  type: "item.done",
  cursor: "1-2-3",
  at: new Date(0),
  item,
  request,
  owner: "mia",
  key: "tt0133093",
  pipeline: "films",
  version: 2,
  from: "search",
  to: "encode",
  outcome: "done",
  end: null,
  attempt: 1,
  series: 1,
  tookMs: 12,
  reason: null,
  code: null,
  message: null,
  worker: { id: "wrk_0000000000001" as never, name: "north" },
  output: { secret: "hunter2" },
};
const closed: OtherEvent = {
  type: "service.changed",
  cursor: "1-2-4",
  at: new Date(0),
  reason: "opened",
  code: "TIMEOUT",
  message: "GET /films/of-mo timed out",
  worker: null,
  output: { service: "encoder" },
};
const read = (json: string | undefined) => JSON.parse(json ?? "null");

describe("an item's event", () => {
  it("is job.progress, with the engine's own word beside it, and nothing of what stages hand on", () => {
    const told = toTold(done);
    expect(read(told.json)).toEqual({
      id: "1-2-3",
      type: "job.progress",
      event: "item.done",
      at: "1970-01-01T00:00:00.000Z",
      jobId: item,
      requestId: request,
      pipeline: "films",
      version: 2,
      stage: "search",
      status: "completed",
      entityType: "films",
      entityId: "tt0133093",
      from: "search",
      to: "encode",
      attempt: 1,
      reason: null,
      code: null,
      message: null,
      worker: "north",
      tookMs: 12,
    });
    expect(told).toMatchObject({ owner: "mia", item, common: undefined });
    expect(told.topics).toEqual([`item:${item}`, `request:${request}`, "pipeline:films"]);
    expect(JSON.stringify(told)).not.toContain("hunter2");
  });

  it.each([
    ["item.accepted", null, "search", "search", "queued"],
    ["item.sent-back", "encode", "search", "search", "queued"],
    ["item.fault", "encode", "encode", "encode", "retrying"],
    ["item.failed", "encode", null, "encode", "failed"],
    ["item.completed", "encode", null, "encode", "completed"],
    ["item.started", "encode", "encode", "encode", "started"],
    ["item.refused", "encode", null, "encode", null],
  ] as const)("%s from %s to %s is about %s: %s", (type, from, to, stage, status) => {
    // Each is one of the alternatives; together they are none.
    const event = { ...done, type, from, to } as ItemEvent;
    expect(read(toTold(event).json)).toMatchObject({ event: type, stage, status });
  });

  it("is about the item itself where it has no key", () => {
    expect(read(toTold({ ...done, key: null }).json).entityId).toBe(item);
  });
});

describe("what happens between events", () => {
  const live: LiveItem = {
    item,
    request,
    owner: "mia",
    key: null,
    pipeline: "films",
    version: 2,
    stage: "encode",
    hasBegun: false,
    progress: 62.5,
    stageProgress: 25,
    at: new Date(0),
  };

  it("has no place to go on from", () => {
    const told = liveTold(live);
    expect(told.cursor).toBeNull();
    expect(read(told.json)).toMatchObject({ id: null, status: "running", progress: 62.5, stageProgress: 25 });
    expect(read(liveTold({ ...live, hasBegun: true }).json).status).toBe("started");
  });
});

describe("an event that is no item's", () => {
  it("keeps its type; of a service's or a worker's everybody is told, without what may be another's", () => {
    const told = toTold(closed);
    expect(read(told.json)).toMatchObject({
      type: "service.changed",
      entityType: "service",
      entityId: "encoder",
      message: "GET /films/of-mo timed out",
    });
    expect(read(told.common)).toMatchObject({ entityId: "encoder", code: null, message: null });
  });

  it("of a valve says what it holds, and can be asked for by the pipeline", () => {
    const scope = { pipeline: "films", version: 2, stage: "encode" };
    const told = toTold({ ...closed, type: "valve.changed", reason: "hold", output: scope });
    expect(read(told.common)).toMatchObject({ ...scope, entityType: "valve", entityId: "hold" });
    expect(told.topics).toEqual(["pipeline:films"]);
  });

  it("of an operation is for who began it, of a request that is gone for those who see everything", () => {
    const operation = toTold({ ...closed, type: "operation.changed", message: "mia", output: { operation: "opr_1" } });
    expect(operation).toMatchObject({ owner: "mia", common: undefined });
    expect(read(operation.json).entityId).toBe("opr_1");
    expect(toTold({ ...closed, type: "request.removed" })).toMatchObject({ owner: null, common: undefined });
    expect(toTold({ ...closed, type: "unknown" })).toMatchObject({ owner: null, common: undefined });
  });
});
