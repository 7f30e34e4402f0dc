import { describe, expect, it } from "vitest";
import { SERVICES } from "../services/index.ts";
import { FAULTS, scriptOf } from "./faults.ts";

const well = { speed: 1, answers: "well", saysDoneAt: 1, losesAt: Number.POSITIVE_INFINITY, isFull: false };

describe("a service's script", () => {
  it("is as usual without faults", () => {
    expect(scriptOf([])).toEqual(well);
  });

  it.each([
    ["slow", { speed: 0.1 }],
    ["stall", { speed: 0 }],
    ["hang", { answers: "never" }],
    ["error", { answers: "with 500" }],
    ["corrupt", { answers: "by half" }],
    ["lie", { saysDoneAt: 0.5 }],
    ["lose", { losesAt: 0.2 }],
    ["fill", { isFull: true }],
  ])("%s changes %j and nothing else", (fault, change) => {
    expect(scriptOf([fault])).toEqual({ ...well, ...change });
  });

  it("has all its faults at a time", () => {
    expect(scriptOf(["slow", "lie", "fill"])).toMatchObject({ speed: 0.1, saysDoneAt: 0.5, isFull: true });
    expect(scriptOf(["slow", "stall"]).speed).toBe(0);
  });
});

describe("faults", () => {
  it("each say in sentences what they do and what one should see", () => {
    const texts = [...Object.values(FAULTS), ...SERVICES.flatMap(({ faults }) => Object.values(faults))];
    for (const { does, expect: seen } of texts) {
      expect(does).toMatch(/^[A-Z].*\.$/);
      expect(seen).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("are all to be found at some service", () => {
    const offered = new Set(["stop", ...SERVICES.flatMap(({ faults }) => Object.keys(faults))]);
    expect([...offered].toSorted()).toEqual(Object.keys(FAULTS).toSorted());
  });
});
