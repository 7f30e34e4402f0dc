import { expect, it } from "vitest";
import { cardSentence } from "./card-words.ts";

type Row = Parameters<typeof cardSentence>[0][number];

const NOW = new Date("2026-11-16T18:00:00Z");
const row = (change: Partial<Row>): Row => ({
  ...{ pipeline: "media", stages: ["search", "download"], end_state: 0, run_state: 0, stage: 0, reason: null },
  ...{ is_due: false, has_begun: false, items: 1, next_at: null, airs: null },
  ...change,
});
const done = row({ end_state: 1, run_state: null, items: 7 });
const downloading = row({ run_state: 2, stage: 1, has_begun: true, items: 2 });

it.each<[string, readonly Row[]]>([
  [
    "7 of 10 downloaded, 2 downloading, 1 waits: not on before 21 November.",
    [done, downloading, row({ reason: "not_aired", airs: "2026-11-21", next_at: NOW })],
  ],
  [
    "0 of 3 downloaded, 3 wait: not on before 2 January 2027.",
    [
      row({ reason: "not_aired", airs: "2027-01-09", items: 2 }),
      row({ reason: "not_aired", next_at: new Date("2027-01-02T00:00:00Z") }),
    ],
  ],
  ["0 of 2 downloaded, 2 wait: nobody has it in the wanted quality.", [row({ reason: "not_available", items: 2 })]],
  [
    "0 of 3 downloaded, 1 found, 1 being searched for, 1 in line.",
    [row({ stage: 1, is_due: true }), row({ run_state: 1, has_begun: true }), row({ is_due: true })],
  ],
  ["7 of 9 downloaded, 1 failed, 1 cancelled.", [done, row({ end_state: 2 }), row({ end_state: 3 })]],
  ["0 of 1 downloaded, 1 waits: disk low.", [row({ reason: "disk_low" })]],
  ["7 of 7 downloaded; more is being looked up.", [done, row({ pipeline: "media-series" })]],
  ["Its episodes are being looked up.", [row({ pipeline: "media-series" })]],
  ["All that was asked for is there already.", [row({ pipeline: "media-series", end_state: 1 })]],
])("%s", (sentence, rows) => {
  expect(cardSentence(rows, NOW)).toBe(sentence);
});
