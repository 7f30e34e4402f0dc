import { expect, it } from "vitest";
import type { EncodeJobView } from "../../../../src/server/contract/wire.ts";
import { factsOf } from "./encode-facts.ts";

const GIB = 2 ** 30;
const job: EncodeJobView = {
  ...{ item: "itm_1", title: "Metropolis", encoding: "hevc", state: "running", encoder: "attic", phase: "encoding" },
  ...{ progress: 40, frames: 900, fps: 47.63, speed: 1.98, etaMs: 90_000, outBytes: GIB / 4, sourceBytes: 2 * GIB },
  ...{ turn: 1, since: "2026-11-18T12:00:00.000Z", endedAt: null, result: null, reason: null },
};

it("one that runs tells how fast, how long still, and how large so far", () => {
  expect(factsOf(job)).toEqual([
    "47.6 pictures a second",
    "2 × as fast as it plays",
    "≈ 1 min 30 s left",
    "256 MiB so far, of a film of 2.0 GiB",
  ]);
});

it("while a film is fetched or sent, how fast it was encoded says nothing", () => {
  const fetching = { ...job, phase: "fetching" as const, etaMs: null, outBytes: null };
  expect(factsOf(fetching)).toEqual(["a film of 2.0 GiB"]);
});

it("one that is done tells both sizes, and how much smaller or larger it is", () => {
  const done = { ...job, state: "done" as const, result: "made" as const, endedAt: "2026-11-18T12:10:00.000Z" };
  expect(factsOf({ ...done, outBytes: GIB }).slice(0, 3)).toEqual(["2.0 GiB → 1.0 GiB", "50 % smaller", "took 10 min"]);
  expect(factsOf({ ...done, outBytes: 3 * GIB })).toContain("50 % larger");
  expect(factsOf({ ...done, outBytes: 2 * GIB })).toContain("2.0 GiB → 2.0 GiB");
});

it("one that was not needed, waits or failed has only its film", () => {
  const same = { ...job, state: "done" as const, result: "same" as const };
  expect(factsOf(same)).toEqual(["a film of 2.0 GiB"]);
  expect(factsOf({ ...job, state: "waiting" })).toEqual(["a film of 2.0 GiB"]);
});
