import { expect, it } from "vitest";
import type { StandingRow } from "./card-items.sql.ts";
import { standingOf } from "./standing.ts";

const row = (pipeline: StandingRow["pipeline"], end_state: number, change: Partial<StandingRow> = {}): StandingRow => ({
  ...{ request_id: "1", pipeline, version: 1, stages: ["search", "download"], end_state, items: 1 },
  ...{ run_state: end_state === 0 ? 0 : null, stage: 0, reason: null, is_due: false, has_begun: false },
  ...{ was_begun: false, parts_move: false, progress: 0, next_at: null, airs: null, newest: "1" },
  ...change,
});
const [LIVE, DONE, FAILED, CANCELLED] = [0, 1, 2, 3];
const media = (state: number, change: Partial<StandingRow> = {}) => row("media", state, change);
const series = (state: number) => row("media-series", state);
const stagesOf = () => undefined;
const standing = (...rows: StandingRow[]) => standingOf(rows, 0, stagesOf);

it.each<[string, readonly StandingRow[], string, number]>([
  ["what looks for episodes is under way", [series(LIVE)], "PENDING", 0],
  ["nothing has begun", [series(DONE), media(LIVE, { items: 3 })], "PENDING", 3],
  ["something has begun", [series(DONE), media(LIVE), media(LIVE, { was_begun: true })], "PROCESSING", 2],
  ["all are done, and more is looked for", [media(DONE), series(LIVE)], "PROCESSING", 1],
  ["all are done", [series(DONE), media(DONE, { items: 10 })], "COMPLETED", 10],
  ["all failed", [series(DONE), media(FAILED, { items: 2 })], "FAILED", 2],
  ["all were cancelled", [series(DONE), media(CANCELLED)], "CANCELLED", 1],
  ["some failed", [series(DONE), media(DONE), media(FAILED)], "PARTIAL", 2],
  ["a series that is not known", [series(FAILED)], "FAILED", 0],
  ["a season that is not known, beside one that is there", [series(FAILED), media(DONE)], "PARTIAL", 1],
  ["cancelled before anything was found", [series(CANCELLED)], "CANCELLED", 0],
  ["everything was there already", [series(DONE)], "COMPLETED", 0],
])("%s", (_, rows, status, total) => {
  expect(standing(...rows)).toMatchObject({ status, counts: { total } });
});

it("progress is the mean over what was not cancelled, each over all its stages", () => {
  const half = media(LIVE, { stage: 1, progress: 100, items: 2 });
  expect(standing(half, media(DONE), media(CANCELLED), series(DONE)).progress).toBeCloseTo((75 + 75 + 100) / 3);
});
