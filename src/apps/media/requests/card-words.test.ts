import { expect, it } from "vitest";
import { cardSentence } from "./card-words.ts";

type Row = Parameters<typeof cardSentence>[0][number];

const NOW = new Date("2026-11-16T18:00:00Z");
const row = (change: Partial<Row>): Row => ({
  ...{ pipeline: "media", stages: ["search", "download"], end_state: 0, run_state: 0, stage: 0, reason: null },
  ...{ is_due: false, has_begun: false, parts_move: false, items: 1, next_at: null, airs: null },
  ...change,
});
const STAGES = ["search", "download", "encode", "deliver", "publish"];
const done = row({ end_state: 1, run_state: null, items: 7 });
const downloading = row({ run_state: 2, stage: 1, has_begun: true, items: 2 });

it.each<[string, readonly Row[]]>([
  [
    "7 of 10 ready, 2 downloading, 1 waits: not on before 21 November.",
    [done, downloading, row({ reason: "not_aired", airs: "2026-11-21", next_at: NOW })],
  ],
  [
    "0 of 3 ready, 3 wait: not on before 2 January 2027.",
    [
      row({ reason: "not_aired", airs: "2027-01-09", items: 2 }),
      row({ reason: "not_aired", next_at: new Date("2027-01-02T00:00:00Z") }),
    ],
  ],
  ["0 of 2 ready, 2 wait: nobody has it in the wanted quality.", [row({ reason: "not_available", items: 2 })]],
  [
    "0 of 3 ready, 1 found, 1 being searched for, 1 in line.",
    [row({ stage: 1, is_due: true }), row({ run_state: 1, has_begun: true }), row({ is_due: true })],
  ],
  ["7 of 9 ready, 1 failed, 1 cancelled.", [done, row({ end_state: 2 }), row({ end_state: 3 })]],
  [
    "7 of 10 ready, 1 being delivered, 2 encoding.",
    [
      done,
      row({ stages: STAGES, stage: 2, reason: "parts", parts_move: true, items: 2 }),
      row({ stages: STAGES, stage: 3, reason: "parts", parts_move: true }),
    ],
  ],
  [
    "0 of 3 ready, 1 waits: for an encoder, 2 wait: for a server.",
    [row({ stages: STAGES, stage: 2, reason: "parts" }), row({ stages: STAGES, stage: 3, reason: "parts", items: 2 })],
  ],
  ["0 of 1 ready, 1 waits: disk low.", [row({ reason: "disk_low" })]],
  ["7 of 7 ready; more is being looked up.", [done, row({ pipeline: "media-series" })]],
  ["Its episodes are being looked up.", [row({ pipeline: "media-series" })]],
  ["All that was asked for is there already.", [row({ pipeline: "media-series", end_state: 1 })]],
])("%s", (sentence, rows) => {
  expect(cardSentence(rows, NOW)).toBe(sentence);
});
