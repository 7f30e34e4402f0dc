import { describe, expect, it } from "vitest";
import type { TargetPartRow } from "./target-states.sql.ts";
import { type TargetFacts, targetStates } from "./target-states.ts";

const AT = new Date("2030-01-01T00:00:00Z");
const part = (changed: Partial<TargetPartRow> = {}): TargetPartRow => ({
  ...{ item_id: "1", stage: "deliver", id: "7", name: "nas", input: { to: "Films/M.mkv", encoding: null }, state: 0 },
  ...{ progress: 40, reason: null, code: null, message: null, output: null, ended_at: null, ...changed },
});
const targets = [{ name: "nas", encoding: null }];
const one = (facts: Partial<TargetFacts>) => targetStates({ targets, parts: [], end: "live", ...facts })[0];
const sent = { path: "Films/M.mkv", bytes: 9, sentBytes: 9, isPublished: false };

describe("a target is", () => {
  it("pending before anything is sent, while it is, and while it waits for others", () => {
    expect(one({})).toMatchObject({ state: "pending", progress: 0, path: null, part: null });
    expect(one({ parts: [part()] })).toMatchObject({ state: "pending", progress: 40, path: "Films/M.mkv" });
    const waiting = part({ code: "NOT_REACHED", message: "nobody there" });
    expect(one({ parts: [waiting] })).toMatchObject({ state: "pending", code: "NOT_REACHED", at: null });
    expect(one({ parts: [part({ state: 1, output: sent })] })).toMatchObject({ state: "pending", progress: 100 });
  });

  it("delivered when it has its name, whichever stage gave it", () => {
    const told = { ok: false, sentence: "away" };
    const output = { ...sent, isPublished: true, told };
    const delivered = { state: "delivered", bytes: 9, mediaServer: told, at: AT, code: null };
    expect(one({ parts: [part({ state: 1, output, ended_at: AT })], end: "done" })).toMatchObject(delivered);
    const parts = [
      part({ state: 1, output: sent }),
      part({ stage: "publish", id: "8", state: 1, output, ended_at: AT }),
    ];
    expect(one({ parts })).toMatchObject({ ...delivered, sentBytes: 9 });
  });

  it("failed for its own reason, or because its item is over", () => {
    const refused = part({ state: 2, code: "PERMISSION_DENIED", message: "nas lets nobody write", ended_at: AT });
    expect(one({ parts: [refused] })).toMatchObject({ state: "failed", code: "PERMISSION_DENIED", at: AT });
    expect(one({ end: "lost" })).toMatchObject({ state: "failed", code: "ITEM_OVER" });
    expect(one({ parts: [part({ state: 1, output: sent })], end: "lost" })).toMatchObject({ state: "failed" });
  });

  it("not delivered any more where all or none were to have it, and none has", () => {
    const output = { ...sent, isPublished: true };
    const whole = part({ state: 1, output, input: { to: "Films/M.mkv", isWhole: true } });
    expect(one({ parts: [whole], end: "lost" })).toMatchObject({ state: "failed" });
    expect(one({ parts: [part({ state: 1, output })], end: "lost" })).toMatchObject({ state: "delivered" });
  });

  it("also one that only its part names", () => {
    expect(targetStates({ targets: [], parts: [part()], end: "live" })).toMatchObject([{ server: "nas" }]);
  });
});
