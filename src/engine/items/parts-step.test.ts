import { describe, expect, test } from "vitest";
import { permanent } from "../pipeline/fault.ts";
import { again, back, child, done, type Outcome, skip, spawn } from "../pipeline/outcome.ts";
import { decide } from "./decide.ts";
import type { Rules, VisitResult } from "./standing.ts";

const backoff = { baseMs: 60_000, capMs: 600_000, jitterMs: 0, jitterShare: 0 };
const rules: Rules = { stages: ["encode", "deliver", "tell"].map((name) => ({ name, attemptsMax: 3, backoff })) };
const standing = { stage: 1, attempts: 0, series: 2, backs: 0, waits: 0, reason: null };
const pipeline = { name: "films", version: 1, "~types": { asked: undefined as never } };

describe("a part", () => {
  const part = (outcome: Outcome) => decide(rules, { ...standing, isPart: true }, { outcome }, 0);

  test("ends with its stage, whatever stages come after it", () => {
    expect(part(done("x"))).toMatchObject({ kind: "done", to: { end: "done" }, output: "x", attempt: 1 });
    expect(part(skip("as it is"))).toMatchObject({ kind: "skip", to: { end: "done" } });
    expect(decide(rules, standing, { outcome: done("x") }, 0).to).toEqual({ stage: 2 });
  });

  test("waits and spawns like every item", () => {
    expect(part(again("1m"))).toMatchObject({ to: { stage: 1 }, delayMs: 60_000 });
    expect(part(spawn([child(pipeline, undefined as never)]))).toMatchObject({
      beside: { type: "children", join: true },
    });
  });

  test.each<[string, Outcome]>([
    ["go back", back("encode")],
    ["add items to its request", done("x", { spawn: [child(pipeline, undefined as never)] })],
  ])("cannot %s: that is a bug of its stage", (_, outcome) => {
    expect(part(outcome)).toMatchObject({ to: { end: "failed" }, code: "BUG" });
  });
});

describe("an item with parts", () => {
  const visited = (result: VisitResult, reason: string | null = null) =>
    decide(rules, { ...standing, reason }, result, 0);
  const make = ["a", "b"].map((name) => ({ name, input: `"${name}"`, service: "" }));

  test("waits for the parts it made, until they wake it", () => {
    expect(visited({ parts: { make, isWhole: true } })).toMatchObject({
      kind: "spawn",
      to: { stage: 1 },
      reason: "parts",
      delayMs: null,
      message: "a, b",
      beside: { type: "parts", parts: make, isWhole: true },
    });
  });

  test("waits on for parts that live again", () => {
    expect(visited({ parts: { await: "7" } })).toMatchObject({
      kind: "wait",
      reason: "parts",
      delayMs: null,
      beside: { type: "await-parts", request: "7" },
    });
  });

  test("undoes without spending attempts, and says so once for each fault", () => {
    const withdraw = { afterMs: 5_000, code: null, message: null };
    expect(visited({ parts: { withdraw } })).toMatchObject({
      kind: "wait",
      reason: "withdrawing",
      delayMs: 5_000,
      attempts: 0,
      attempt: null,
      journal: true,
    });
    expect(visited({ parts: { withdraw } }, "withdrawing").journal).toBe(false);
    const faulty = { ...withdraw, code: "EIO", message: "bad sector" };
    expect(visited({ parts: { withdraw: faulty } }, "withdrawing")).toMatchObject({ journal: true, code: "EIO" });
  });

  test("fails with them", () => {
    expect(visited({ fault: permanent("PARTS_FAILED", "failed: a") })).toMatchObject({
      to: { end: "failed" },
      code: "PARTS_FAILED",
    });
  });
});
