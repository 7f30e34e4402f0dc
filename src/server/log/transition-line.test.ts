import { describe, expect, it } from "vitest";
import type { SluiceEvent } from "../../engine/index.ts";
import { transitionLine } from "./transition-line.ts";

const at = new Date("2030-01-01T00:00:00Z");
const common = { cursor: "0-1-1", at, reason: null, code: null, message: null, worker: null, output: null };
const item = {
  ...common,
  ...{ item: "itm_1", request: "req_1", pipeline: "films", version: 1, from: "search", to: "search" },
  ...{ outcome: "fault", end: null, attempt: null, series: 1, tookMs: 12 },
};
// Ids are branded, and the alternatives are many; what is read here is all there.
const line = (event: object) => transitionLine(event as SluiceEvent, () => undefined);

describe("a line", () => {
  it("about a service says how its breaker stands, and what it answered", () => {
    const event = { ...common, type: "service.changed", output: { service: "shop" }, code: "HTTP_503" };
    const opened = line({ ...event, reason: "opened", message: "shop answered 503 to GET /" });
    expect(opened).toEqual({
      level: "warn",
      event: "service.changed",
      facts: {
        ...{ at, service: "shop", breaker: "open", serviceStatus: 503, reason: "opened", code: "HTTP_503" },
        ...{ detail: "shop answered 503 to GET /", msg: "service changed shop HTTP_503" },
      },
    });
    expect(line({ ...event, code: "CLOSED", reason: "closed" })).toMatchObject({
      level: "info",
      facts: { breaker: "closed" },
    });
  });

  it("about an item behind a breaker says that it is open", () => {
    const waits = line({ ...item, type: "item.fault", reason: "service_down", code: "NOT_REACHED" });
    expect(waits.facts).toMatchObject({ breaker: "open", errorCode: "NOT_REACHED", stage: "search" });
  });

  it("reads an answer's status from our own sentence where the code is a better word", () => {
    const refused = line({ ...item, type: "item.fault", code: "AUTH", message: "shop answered 401 to GET /" });
    expect(refused.facts.serviceStatus).toBe(401);
  });

  it("has no word for a status that the event does not give away", () => {
    const { facts } = line({ ...item, type: "item.priority", outcome: "priority", tookMs: null });
    expect(Object.keys(facts)).not.toContain("fromStatus");
    expect(Object.keys(facts)).not.toContain("toStatus");
    expect(facts).toEqual({
      ...{ at, itemId: "itm_1", requestId: "req_1", pipeline: "films", version: 1, stage: "search" },
      msg: "search priority",
    });
  });
});
