// Each case breaks a right history in one place: in what the job service remembers, or in what the engine made of it.
import { describe, expect, it, test } from "vitest";
import { JOURNAL_KIND as KIND } from "../../src/engine/items/codes.ts";
import { check } from "./check.ts";
import { type Evidence, type FindingKind, type JobFact, PLANTED } from "./evidence.ts";
import { job, rightHistory } from "./right-history.ts";

const withJob = (change: Partial<JobFact>) => ({ jobs: [{ ...job("5", "j5"), ...change }] });

const withFault = (code: string, attempt: number | null, ended = 0) => ({
  journal: rightHistory().journal.map((row) =>
    row.item === "5" && row.kind === KIND.fault && row.version === 1 ? { ...row, code, attempt, ended } : row,
  ),
});

const wrong: readonly (readonly [what: string, kind: FindingKind, change: Partial<Evidence>])[] = [
  ["a job was done twice", "effect twice", withJob({ effects: 2 })],
  ["two jobs of one item were done", "effect twice", { jobs: [job("5", "j5"), job("5", "j6")] }],
  [
    "the key changed without a new series",
    "effect twice",
    { jobs: [job("5", "j5"), { ...job("5", "j6"), effects: 0 }] },
  ],
  ["an item is done whose job never was", "lost", withJob({ effects: 0 })],
  ["an item is done that the service never heard of", "lost", { jobs: [] }],
  ["a job belongs to no item", "lost", { jobs: [job("5", "j5"), job("77", "j77")] }],
  ["a job goes on for an item that has ended", "other", withJob({ isAlive: true })],
  [
    "a forgotten job goes on",
    "other",
    { jobs: [job("5", "j5"), { ...job("5", "f"), tag: PLANTED, effects: 0, isAlive: true }] },
  ],
  [
    "the end of a job was news twice",
    "recorded twice",
    {
      webhooks: [
        { key: "j5", isNews: true },
        { key: "j5", isNews: true },
      ],
    },
  ],
  ["a removal was given up", "other", { removals: { total: 1, waiting: 0, failed: 1 } }],
  ["an outage cost an attempt", "blameless failure", withFault("NOT_REACHED", 1)],
  ["refusals cost an attempt", "blameless failure", withFault("HTTP_503", 1)],
  ["an item failed through an outage", "blameless failure", withFault("TIMEOUT", 1, 2)],
  ["a job that was there is said to have vanished", "blameless failure", withFault("VANISHED", 1)],
];

describe("the checker of outside jobs", () => {
  test.each(wrong)("finds that %s", (_, kind, change) => {
    const findings = check({ ...rightHistory(), ...change });
    expect(findings.map((finding) => finding.kind)).toContain(kind);
  });

  it("allows that an answer was lost, which costs an attempt, and that a forgotten job was removed", () => {
    const removed = { ...job("5", "f"), tag: PLANTED, effects: 0, removed: 1 };
    const change = { jobs: [job("5", "j5"), removed], ...withFault("RESET", 1) };
    expect(check({ ...rightHistory(), ...change })).toEqual([]);
  });
});
