import { expect, it } from "vitest";
import type { FoundDelivery } from "./deliveries.sql.ts";
import { nameStanding } from "./standing.ts";

const row = (changed: Partial<FoundDelivery> = {}): FoundDelivery => ({
  ...{ server: "nas", path: "Films/M.mkv", item_id: "1", part_id: "a", state: "sending", is_whole: false },
  ...{ bytes: 10, sha256: null, is_live: true, ...changed },
});

it.each([
  ["free", undefined],
  ["sending", row()],
  ["sent", row({ state: "sent" })],
  ["there", row({ state: "published" })],
  ["there", row({ state: "kept", is_live: false })],
  ["changed", row({ part_id: "b" })],
  ["changed", row({ part_id: "b", state: "kept" })],
  ["busy", row({ item_id: "2" })],
  ["busy", row({ item_id: "2", state: "sent" })],
  ["left", row({ item_id: "2", is_live: false })],
  ["another", row({ item_id: "2", state: "published" })],
  ["another", row({ item_id: "2", state: "kept", is_live: false })],
] as const)("a name is %s", (standing, found) => {
  expect(nameStanding({ item: "1", id: "a", row: found })).toBe(standing);
});
