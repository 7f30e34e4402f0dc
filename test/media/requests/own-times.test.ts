import { expect, it } from "vitest";
import { ownTimes } from "./own-times.ts";

it("adds up what each service takes for its share, as many at a time as it can", () => {
  const work = { releases: 60, encodes: 40, seconds: 4, encoders: 2, bytes: new Map([["attic", 2_000_000]]) };
  const pace = { releaseSeconds: 3, torrentsAtATime: 30, encodesAtATime: 4, encodeSpeed: 2 };
  expect(ownTimes(work, { ...pace, serverBytesPerSecond: 400_000 })).toEqual([
    { service: "download client", ms: 6_000 },
    { service: "encoders", ms: 10_000 },
    { service: "attic", ms: 5_000 },
  ]);
});

it("counts nothing for what is as fast as it can be", () => {
  const work = { releases: 0, encodes: 40, seconds: 4, encoders: 2, bytes: new Map([["attic", 2_000_000]]) };
  const pace = { releaseSeconds: 3, torrentsAtATime: 30, encodesAtATime: 4, encodeSpeed: null };
  expect(ownTimes(work, { ...pace, serverBytesPerSecond: null }).map(({ ms }) => ms)).toEqual([0, 0, 0]);
});
