import { describe, expect, it } from "vitest";
import { formatId } from "../../kit/index.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../items/codes.ts";
import { eventType, type JournalRow, toEvent } from "./event.ts";

const row: JournalRow = {
  xid: "900",
  seq: "4",
  at: new Date(0),
  item_id: "7",
  request_id: "3",
  owner: "ann",
  item_key: "tt0133093",
  pipeline: "media",
  pipeline_version: 2,
  from_stage: "search",
  to_stage: "download",
  kind: JOURNAL_KIND.done,
  ended: 0,
  attempt: 1,
  series: 1,
  took_ms: 12,
  reason: null,
  code: null,
  message: null,
  worker_id: "5",
  worker_name: "north",
  output: { ranked: 1 },
};

describe("the type of an event", () => {
  it.each([
    ["accepted", "item.accepted"],
    ["done", "item.done"],
    ["skip", "item.skipped"],
    ["again", "item.again"],
    ["wait", "item.waiting"],
    ["back", "item.sent-back"],
    ["ask", "item.asked"],
    ["spawn", "item.spawned"],
    ["fault", "item.fault"],
    ["refused", "item.refused"],
    ["reclaimed", "item.reclaimed"],
    ["cancelled", "item.cancelled"],
    ["retried", "item.retried"],
    ["answered", "item.answered"],
    ["signalled", "item.signalled"],
    ["joined", "item.joined"],
    ["crashed", "item.crashed"],
    ["rescheduled", "item.rescheduled"],
    ["expired", "item.expired"],
    ["valve", "valve.changed"],
    ["worker", "worker.changed"],
  ] as const)("%s is %s", (kind, type) => {
    expect(eventType(JOURNAL_KIND[kind], 0)).toBe(type);
  });

  it("has a case for every kind the journal knows", () => {
    for (const number of Object.values(JOURNAL_KIND)) expect(eventType(number, 0)).not.toBe("unknown");
  });

  it("follows the end where an item ended, whatever brought it about", () => {
    expect(eventType(JOURNAL_KIND.done, ITEM_STATE.done)).toBe("item.completed");
    expect(eventType(JOURNAL_KIND.skip, ITEM_STATE.done)).toBe("item.completed");
    expect(eventType(JOURNAL_KIND.fault, ITEM_STATE.failed)).toBe("item.failed");
    expect(eventType(JOURNAL_KIND.crashed, ITEM_STATE.failed)).toBe("item.failed");
    expect(eventType(JOURNAL_KIND.cancelled, ITEM_STATE.cancelled)).toBe("item.cancelled");
  });

  it("is unknown for a number of a newer release", () => {
    expect(eventType(999, 0)).toBe("unknown");
    expect(toEvent({ ...row, kind: 999 }, "1")).toMatchObject({ type: "unknown" });
  });
});

describe("an event", () => {
  it("carries names instead of numbers", () => {
    expect(toEvent(row, "1")).toEqual({
      type: "item.done",
      cursor: "1-p0-4",
      at: new Date(0),
      item: formatId("item", "7"),
      request: formatId("request", "3"),
      owner: "ann",
      key: "tt0133093",
      pipeline: "media",
      version: 2,
      from: "search",
      to: "download",
      outcome: "done",
      end: null,
      attempt: 1,
      series: 1,
      tookMs: 12,
      reason: null,
      code: null,
      message: null,
      worker: { id: formatId("worker", "5"), name: "north" },
      output: { ranked: 1 },
    });
  });

  it("of a valve or a worker has no item", () => {
    const event = toEvent({ ...row, kind: JOURNAL_KIND.worker, item_id: null, request_id: null, code: "DEAD" }, "1");
    expect(event).toMatchObject({ type: "worker.changed", code: "DEAD", worker: { name: "north" } });
    expect("item" in event).toBe(false);
  });
});
