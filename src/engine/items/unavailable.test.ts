import { describe, expect, it } from "vitest";
import { backoffRule } from "../pipeline/backoff.ts";
import { transient, unavailable } from "../pipeline/fault.ts";
import { refusedByRate, refusedDown } from "../services/verdict.ts";
import { decide } from "./decide.ts";
import { isParked, NO_SERVICES, type ServiceView } from "./unavailable.ts";

const backoff = backoffRule({ base: "1m", cap: "30m" }, "b");
const rules = { stages: [{ name: "s", attemptsMax: 3, backoff, outside: undefined }] };
const standing = { stage: 0, attempts: 0, series: 1, backs: 0, waits: 0, reason: null };
const view = (state: "unknown" | "well" | "held", isWellForOthers = false): ServiceView => ({
  standing: () => state,
  isWellForOthers: () => isWellForOthers,
});
const refused = unavailable("REFUSED", "connection refused", { service: "api" });
const fate = (fault: typeof refused, given: ServiceView, waits = 0) =>
  decide(rules, { ...standing, waits }, { fault }, 0, given);

describe("an item whose service is down", () => {
  it.each([
    ["a breaker that is open holds it", refused, "held", true],
    ["a breaker that is not does not", refused, "well", false],
    ["we refused the call", refusedDown("api", "down"), "well", true],
    ["we refused it for the rate", refusedByRate("api", 500), "well", true],
    ["a service that only a connector speaks of", refused, "unknown", false],
    ["even when it says so", refusedDown("api", "down"), "unknown", false],
    ["nobody is named", unavailable("REFUSED", "x"), "held", false],
    ["a full disk", unavailable("DISK_FULL", "x", { service: "api" }), "held", false],
    ["nobody who can do it", unavailable("NO_WORKER", "x", { service: "api" }), "held", false],
    ["anything else than unavailable", transient("RESET", "x", { service: "api" }), "held", false],
  ] as const)("%s", (_, fault, state, parked) => {
    expect(isParked(fault, view(state))).toBe(parked);
    expect(fate(fault, view(state)).service).toBe(parked ? "api" : undefined);
  });

  it("is ready at once behind it, and waits by itself where nothing holds it", () => {
    expect(fate(refused, view("held"))).toMatchObject({
      reason: "service_down",
      delayMs: 0,
      attempts: 0,
      attempt: null,
    });
    expect(fate(refused, view("well"))).toMatchObject({ reason: "service_down", delayMs: 300_000, waits: 1 });
    const nobody = unavailable("NO_WORKER", "no encoder is online", { retryAfter: "15s" });
    expect(fate(nobody, view("well"))).toMatchObject({
      reason: "no_worker",
      delayMs: 15_000,
      attempts: 0,
      attempt: null,
    });
    expect(fate(refusedByRate("api", 500), view("well"))).toMatchObject({ reason: "rate_limited", delayMs: 500 });
    expect(decide(rules, standing, { fault: refused }, 0)).toEqual(fate(refused, NO_SERVICES));
  });
});

it("who asks in vain behind a service that comes back slowly asks ever less often", () => {
  const delays = [0, 1, 2, 3, 4, 20].map((waits) => fate(refused, view("held"), waits).delayMs);
  expect(delays).toEqual([0, 1_000, 2_000, 4_000, 5_000, 5_000]);
  expect(fate(refusedDown("api", "x"), view("held"), 9).delayMs).toBe(0);
});

describe("five waits in a row while others are served", () => {
  it("count from the fifth on, and end like every transient fault", () => {
    expect(fate(refused, view("well", true), 3)).toMatchObject({ attempt: null, waits: 4 });
    expect(fate(refused, view("well", true), 4)).toMatchObject({
      attempt: 1,
      attempts: 1,
      reason: "backoff",
      waits: 4,
    });
    expect(fate(refused, view("well", false), 9)).toMatchObject({ attempt: null, waits: 10 });
    const last = decide(rules, { ...standing, attempts: 2, waits: 4 }, { fault: refused }, 0, view("well", true));
    expect(last).toMatchObject({ to: { end: "failed" }, code: "REFUSED" });
  });

  it("are not those that we refused ourselves", () => {
    expect(fate(refusedByRate("api", 500), view("well", true), 9)).toMatchObject({ attempt: null, waits: 9 });
    expect(fate(refusedDown("api", "x"), view("held", true), 9)).toMatchObject({ attempt: null, waits: 9 });
  });
});

it("a repeat of the same unavailability writes no journal row", () => {
  const busy = unavailable("BUSY", "x", { retryAfter: 9 });
  const repeated = (fault: typeof refused) =>
    decide(rules, { ...standing, reason: "service_down" }, { fault }, 0).journal;
  expect(repeated(refused)).toBe(false);
  expect(repeated(busy)).toBe(true);
});
