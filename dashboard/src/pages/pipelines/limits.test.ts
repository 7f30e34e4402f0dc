import { describe, expect, it } from "vitest";
import { type LimitedService, type Limits, perKeyOf, placesOf, servicesOf, serviceWords } from "./limits.ts";

type Lane = Limits["lanes"][number];

const lane = (given: Partial<Lane>): Lane => ({ inside: 0, cap: null, perKey: null, service: null, ...given });
const limits = (...lanes: Lane[]): Limits => ({ lanes, code: null });
const nas = (given: Partial<LimitedService> = {}): LimitedService => ({
  ...{ name: "server:nas-1", inside: 4, capacity: null, limit: null },
  ...given,
});

describe("the places of a stage", () => {
  it("are told with who is inside", () => {
    expect(placesOf(limits(lane({ inside: 3, cap: 20 })))).toEqual(["3 of 20"]);
  });

  it("without a limit are those of all its lanes together", () => {
    expect(placesOf(limits(lane({ inside: 1 }), lane({ inside: 2, service: nas() })))).toEqual(["3, no limit"]);
  });

  it("are told for each service where it has some in each", () => {
    const lanes = [
      lane({ inside: 0, cap: 2 }),
      lane({ inside: 1, cap: 2, service: nas() }),
      lane({ inside: 2, cap: 2, service: nas({ name: "server:nas-2" }) }),
    ];
    expect(placesOf(limits(...lanes))).toEqual(["0 of 2", "server:nas-1: 1 of 2", "server:nas-2: 2 of 2"]);
  });

  it("of one key are the same everywhere", () => {
    expect(perKeyOf(limits(lane({}), lane({ perKey: 2 })))).toBe(2);
    expect(perKeyOf(limits(lane({})))).toBeNull();
  });
});

describe("a service of a stage", () => {
  it("is told with what it takes at a time and in which time", () => {
    const [service] = servicesOf(limits(lane({}), lane({ service: nas() })));
    expect(service === undefined ? "" : serviceWords(service)).toBe("4, no limit");
    expect(serviceWords(nas({ capacity: 10, limit: { count: 30, perMs: 60_000 } }))).toBe(
      "4 of 10 · 30 calls in 1 min",
    );
  });
});
