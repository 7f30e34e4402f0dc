import { expect, it } from "vitest";
import type { MediaTarget } from "../../../../src/server/contract/wire.ts";
import { targetFacts } from "./target-facts.ts";

const MIB = 2 ** 20;
const target: MediaTarget = {
  ...{ server: "nas", encoding: null, state: "delivered", progress: 100, code: null, sentence: null },
  ...{ path: "Films/Metropolis (1927).mkv", bytes: 100 * MIB, sentBytes: 100 * MIB, mediaServer: null },
  ...{ at: "2026-11-18T12:00:00.000Z", part: "itm_2" },
};

it("one that was sent whole has its size, and no more", () => {
  expect(targetFacts(target)).toEqual(["100 MiB"]);
});

it("one that went on from a part says how much was sent", () => {
  expect(targetFacts({ ...target, sentBytes: 40 * MIB })).toEqual([
    "100 MiB",
    "40.0 MiB of it sent; the rest was there already",
  ]);
  expect(targetFacts({ ...target, sentBytes: 0 })).toContain("was there already, nothing was sent");
});

it("a media server that did not listen is told with its reason", () => {
  expect(targetFacts({ ...target, mediaServer: { ok: true, sentence: null } })).toContain("its media server was told");
  expect(targetFacts({ ...target, mediaServer: { ok: false, sentence: "it did not answer" } })).toContain(
    "its media server could not be told: it did not answer",
  );
});

it("of what is not there yet, nothing is said that nobody knows", () => {
  expect(targetFacts({ ...target, state: "pending", bytes: null, sentBytes: null })).toEqual([]);
});
