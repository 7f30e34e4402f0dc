import { describe, expect, it } from "vitest";
import type { LeftRow } from "./tally.sql.ts";
import { addUp } from "./tally.ts";

const left = (change: Partial<LeftRow> = {}): LeftRow => ({
  ...{ pipeline: 1, item: "7", version: 3, stage: 0, at: "2026-11-15T14:07:31.123456+00:00", input: null },
  ...change,
});

describe("adding up", () => {
  it("counts lengths by stage, day and size", () => {
    const lengths = { stayed: 1_000, worked: 10 };
    const stays = addUp(
      [left(), left(), left({ at: "2026-11-16T00:30:00+02:00" }), left({ at: "2026-11-16T00:00:00+00:00" })],
      [lengths, lengths, lengths, lengths],
      () => -1,
    );
    expect(stays.map((one) => [one.day, one.stayed, one.worked])).toEqual([
      ["2026-11-15", 3, 0],
      ["2026-11-15", 0, 3],
      ["2026-11-16", 1, 0],
      ["2026-11-16", 0, 1],
    ]);
  });

  it("leaves out a stay that says nothing", () => {
    expect(addUp([left(), left()], [{ stayed: null, worked: null }], () => -1)).toEqual([]);
  });

  it("never finds the work longer than the stay", () => {
    expect(addUp([left()], [{ stayed: 5, worked: 5_000 }], () => -1)).toHaveLength(1);
  });
});
