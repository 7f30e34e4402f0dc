import { describe, expect, test } from "vitest";
import type { SeenTorrent } from "../../../connectors/index.ts";
import { keepsSeeding, type SeedGoal } from "./seeding.ts";

const whole: SeenTorrent = {
  ...{ infohash: "a".repeat(40), name: "a", state: "complete", clientState: "stalledUP", tags: ["sluice-a"] },
  ...{ isOurs: true, doneBytes: 1, wantedBytes: 1, receivedBytes: 1, seeds: 0, ratio: 0.5, seededMs: 60_000 },
  ...{ path: null, folder: null, problem: null },
};
const goal = (ratio: number | null, seedMs: number | null): SeedGoal => ({ ratio, seedMs });
const again = (torrent: Partial<SeenTorrent>, ...goals: SeedGoal[]) =>
  keepsSeeding({ ...whole, ...torrent }, "sluice-a", goals)?.again;

describe("a whole torrent", () => {
  test.each<[string, SeedGoal[], number | undefined]>([
    ["nothing asked for", [], undefined],
    ["nothing above nothing asked for", [goal(0, null)], undefined],
    ["its ratio reached", [goal(0.5, 90_000)], undefined],
    ["its time reached", [goal(1, 60_000)], undefined],
    ["thirty seconds left", [goal(1, 90_000)], 30_000],
    ["only a ratio to reach", [goal(1, null)], 900_000],
    ["days left", [goal(null, 90_000_000)], 900_000],
    ["one goal of two reached", [goal(0.5, null), goal(null, 65_000)], 5_000],
    ["half a second left", [goal(null, 60_500)], 1_000],
  ])("with %s", (_, goals, expected) => expect(again({}, ...goals)).toBe(expected));
});

describe("with a day to seed", () => {
  const day = goal(null, 86_400_000);

  test.each<[string, Partial<SeenTorrent>, boolean]>([
    ["what is not whole", { state: "downloading" }, false],
    ["what broke", { state: "failed" }, false],
    ["what lost its files", { state: "missing-files" }, false],
    ["what somebody else began", { isOurs: false }, false],
    ["what another item uses", { tags: ["sluice-a", "sluice-b"] }, false],
    ["what is being checked", { state: "checking" }, true],
    ["what is being moved", { state: "moving" }, true],
    ["what is in a state of tomorrow", { state: "unknown" }, true],
  ])("%s", (_, torrent, stays) => expect(again(torrent, day) !== undefined).toBe(stays));
});
