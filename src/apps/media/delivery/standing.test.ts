import { expect, it } from "vitest";
import type { FoundDelivery } from "./deliveries.sql.ts";
import { nameStanding } from "./standing.ts";

const row = (changed: Partial<FoundDelivery> = {}): FoundDelivery => ({
  ...{ server: "nas", path: "Films/M.mkv", item_id: "1", part_id: "a", state: "sending", is_whole: false },
  ...{
    bytes: 10,
    sha256: null,
    is_live: true,
    turn: 1,
    also: [],
    title: "film 19",
    made_of: "aa hevc",
    there_bytes: null,
  },
  ...changed,
});
const other = (changed: Partial<FoundDelivery> = {}) =>
  row({ item_id: "2", part_id: "b", made_of: "bb hevc", ...changed });
const over = { is_live: false } as const;
const asked = { item: "1", id: "a", title: "film 19", madeOf: "aa hevc", isWhole: false };

it.each([
  ["free", undefined],
  ["sending", row()],
  ["sent", row({ state: "sent" })],
  ["there", row({ state: "published" })],
  ["there", row({ state: "kept", ...over })],
  ["changed", row({ part_id: "b" })],
  ["changed", row({ part_id: "b", state: "kept" })],
  ["busy", row({ state: "leaving" })],
  ["busy", other({ state: "leaving", ...over })],
  ["busy", other()],
  ["busy", other({ state: "sent" })],
  ["busy", other({ state: "sent", made_of: "aa hevc" })],
  ["left", other(over)],
  ["shared", other({ state: "published", made_of: "aa hevc" })],
  ["shared", other({ state: "kept", made_of: "aa hevc", ...over })],
  ["earlier", other({ state: "kept", ...over })],
  ["busy", other({ state: "kept" })],
  ["another", other({ state: "published", title: "film 20" })],
  ["another", other({ state: "kept", title: null, made_of: null, ...over })],
] as const)("a name is %s", (standing, found) => {
  expect(nameStanding({ ...asked, row: found })).toBe(standing);
});

it("what was sent waits with those it is enough for, where all or none are to have it", () => {
  const waiting = other({ state: "sent", made_of: "aa hevc", is_whole: true });
  expect(nameStanding({ ...asked, isWhole: true, row: waiting })).toBe("shared");
  expect(nameStanding({ ...asked, isWhole: true, row: other({ state: "sent", is_whole: true }) })).toBe("busy");
});
