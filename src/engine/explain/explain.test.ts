import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RUN_STATE } from "../items/codes.ts";
import { explain } from "./explain.ts";
import type { Facts, Run, Valve } from "./facts.ts";

const at = (time: string) => new Date(`2026-11-15T${time}:00Z`);
const now = at("14:01");

const run: Run = {
  state: RUN_STATE.idle,
  reason: null,
  since: at("11:20"),
  readyAt: at("11:20"),
  isDue: true,
  attempts: 1,
};
const valve: Valve = { kind: "switch", service: null, note: null, changedAt: at("12:00"), until: null, count: 1 };

const base: Facts = {
  now,
  pipeline: "media",
  version: 2,
  stage: "encode",
  attemptsMax: 5,
  end: null,
  run,
  valve: null,
  lane: { cap: null, inside: 0, ahead: 0, liveWorkers: 1 },
  waiter: null,
  question: null,
  fault: null,
  holder: null,
};

const waits = (reason: string, change: Partial<Run> = {}): Run => ({
  ...run,
  reason,
  readyAt: at("14:05"),
  isDue: false,
  ...change,
});
const leased: Run = { ...run, state: RUN_STATE.leased };
const ended = (state: "done" | "failed" | "cancelled", change = {}) => ({
  run: null,
  end: { state, at: at("11:20"), attempt: null, code: null, message: null, ...change },
});
const fault = { code: "REFUSED", message: "connection refused" };

const table: readonly (readonly [
  name: string,
  facts: Partial<Facts>,
  state: string,
  reason: string,
  sentence: string,
])[] = [
  ["done", ended("done"), "done", "done", "Done at 11:20."],
  [
    "failed",
    ended("failed", { attempt: 5, code: "BAD_FORMAT", message: "no video in it" }),
    "failed",
    "failed",
    "Failed in encode at 11:20: BAD_FORMAT, no video in it. 5 of 5 attempts used.",
  ],
  [
    "cancelled",
    ended("cancelled", { message: "ann" }),
    "cancelled",
    "cancelled",
    "Cancelled in encode at 11:20 by ann.",
  ],
  [
    "running",
    { run: leased, holder: { name: "north", isAlive: true } },
    "running",
    "running",
    "In encode on worker north since 11:20 (2 h 41 min). Attempt 2 of 5.",
  ],
  [
    "running with outside work, which no process holds",
    { run: { ...run, state: RUN_STATE.watched }, attemptsMax: null },
    "running",
    "running",
    "In encode since 11:20 (2 h 41 min). Attempt 2.",
  ],
  [
    "in the hands of a worker that is gone",
    { run: leased, holder: { name: "north", isAlive: false } },
    "running",
    "running",
    "Worker north, which had it in encode, is gone; it is taken back within seconds. No attempt used (1 of 5 used).",
  ],
  ["next in line", {}, "queued", "queued", "In line for encode since 11:20 (2 h 41 min): next in line."],
  [
    "in line behind one",
    { lane: { ...base.lane, ahead: 1 } },
    "queued",
    "queued",
    "In line for encode since 11:20 (2 h 41 min): 1 is ahead.",
  ],
  [
    "in line behind many",
    { lane: { ...base.lane, ahead: 1_001 } },
    "queued",
    "queued",
    "In line for encode since 11:20 (2 h 41 min): more than 1000 are ahead.",
  ],
  [
    "due after a backoff: in line since then",
    { run: { ...run, reason: "backoff", readyAt: at("13:00") } },
    "queued",
    "queued",
    "In line for encode since 13:00 (1 h 1 min): next in line.",
  ],
  ["scheduled", { run: waits("scheduled") }, "waiting", "scheduled", "Scheduled: encode begins at 14:05 (in 4 min)."],
  [
    "not due without a reason, after the clock was set back",
    { run: { ...run, readyAt: at("14:05"), isDue: false } },
    "waiting",
    "scheduled",
    "Scheduled: encode begins at 14:05 (in 4 min).",
  ],
  [
    "again",
    { run: waits("again") },
    "waiting",
    "again",
    "Working in encode since 11:20 (2 h 41 min); nothing to do for the moment. Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "backoff",
    { run: waits("backoff"), fault },
    "waiting",
    "backoff",
    "Waiting before the next try of encode: connection refused, since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). 1 of 5 attempts used.",
  ],
  [
    "service_down",
    { run: waits("service_down"), fault },
    "waiting",
    "service_down",
    "Waiting for a service that encode needs: connection refused, since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "rate_limited",
    { run: waits("rate_limited") },
    "waiting",
    "rate_limited",
    "Waiting because encode was told to slow down since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "disk_low",
    { run: waits("disk_low") },
    "waiting",
    "disk_low",
    "Waiting for disk space that encode needs since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "undecodable",
    { run: waits("undecodable") },
    "waiting",
    "undecodable",
    "Waiting for a newer release since 11:20 (2 h 41 min): the workers that run now cannot read what was stored. Checked again at 14:05 (in 4 min). Update them. No attempt used (1 of 5 used).",
  ],
  [
    "a question",
    {
      run: waits("question", { readyAt: null }),
      question: { id: "4", text: "Which cut?", options: ["theatrical", "director's"], fallbackAt: at("15:00") },
    },
    "needs-you",
    "question",
    "Needs your answer since 11:20 (2 h 41 min): Which cut? (theatrical, director's) Without an answer it decides by itself at 15:00 (in 59 min).",
  ],
  [
    "children",
    {
      run: waits("children", { readyAt: null }),
      waiter: { kind: "children", key: "9", children: { total: 10, ended: 3 } },
    },
    "waiting",
    "children",
    "Waiting for the items it made since 11:20 (2 h 41 min). 3 of 10 have ended. No attempt used (1 of 5 used).",
  ],
  [
    "a signal, under the stage's own word",
    { run: waits("waiting_for_payment", { readyAt: null }), waiter: { kind: "signal", key: "paid:7", children: null } },
    "waiting",
    "waiting_for_payment",
    "Waiting for the signal paid:7: waiting for payment since 11:20 (2 h 41 min). No attempt used (1 of 5 used).",
  ],
  [
    "another item",
    { run: waits("needs_master"), waiter: { kind: "item", key: "1", children: null } },
    "waiting",
    "needs_master",
    "Waiting for item itm_0000000000001: needs master since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "the stage's own word with a time",
    { run: waits("not_available") },
    "waiting",
    "not_available",
    "Waiting: not available since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "stage_off",
    { valve: { ...valve, note: "new encoder" } },
    "queued",
    "stage_off",
    "Waiting: encode is switched off (new encoder) since 12:00 (2 h 1 min). It goes on from here once that ends. No attempt used (1 of 5 used).",
  ],
  [
    "paused, and held by another valve too",
    { valve: { ...valve, kind: "pause", count: 2 } },
    "queued",
    "paused",
    "Waiting: encode is paused since 12:00 (2 h 1 min). 1 more valve holds it. It goes on from here once that ends. No attempt used (1 of 5 used).",
  ],
  [
    "held, since it came into line",
    { valve: { ...valve, kind: "hold", changedAt: at("10:00"), until: at("15:00") } },
    "queued",
    "held",
    "Waiting: encode is held since 11:20 (2 h 41 min). Until 15:00 (in 59 min). It goes on from here once that ends. No attempt used (1 of 5 used).",
  ],
  [
    "a breaker",
    { valve: { ...valve, kind: "breaker", service: "server:nas-2", note: "connection refused, 5 in a row" } },
    "queued",
    "service_down",
    "Waiting for service server:nas-2: not answering (connection refused, 5 in a row) since 12:00 (2 h 1 min). It goes on from here once that ends. No attempt used (1 of 5 used).",
  ],
  [
    "a valve of a kind that only a newer release knows",
    { valve: { ...valve, kind: "quarantine" } },
    "queued",
    "held",
    "Waiting: encode is held since 12:00 (2 h 1 min). It goes on from here once that ends. No attempt used (1 of 5 used).",
  ],
  [
    "no_worker",
    { lane: { ...base.lane, liveWorkers: 0 } },
    "queued",
    "no_worker",
    "Waiting for a worker since 11:20 (2 h 41 min): none that is running has the code of media version 2. Start one that has. No attempt used (1 of 5 used).",
  ],
  [
    "capped",
    { lane: { cap: 2, inside: 2, ahead: 3, liveWorkers: 1 } },
    "queued",
    "capped",
    "In line for encode since 11:20 (2 h 41 min): all 2 places are taken, 3 are ahead.",
  ],
  [
    "neither ended nor anywhere, which must not be",
    { run: null },
    "waiting",
    "unknown",
    "Nobody knows why this stands in encode. That is a bug in Sluice; please report it.",
  ],
];

describe("an explanation", () => {
  it.each(table)("for %s", (_, facts, state, reason, sentence) => {
    expect(explain({ ...base, ...facts }, { timeZone: "Etc/UTC" })).toMatchObject({ state, reason, sentence });
  });

  it.each([
    ["its end", { ...ended("failed"), valve, waiter: null }, "failed", ["retry"]],
    ["being held before everything but the end", { run: leased, valve }, "running", ["cancel"]],
    ["its own wait before the valve", { run: waits("backoff"), valve }, "backoff", ["cancel"]],
    [
      "the valve before a missing worker",
      { valve, lane: { ...base.lane, liveWorkers: 0 } },
      "stage_off",
      ["open", "cancel"],
    ],
    [
      "a missing worker before the cap",
      { lane: { cap: 1, inside: 1, ahead: 0, liveWorkers: 0 } },
      "no_worker",
      ["cancel"],
    ],
    ["the cap before the line", { lane: { cap: 1, inside: 1, ahead: 9, liveWorkers: 1 } }, "capped", ["cancel"]],
    ["the line where a place is free", { lane: { cap: 2, inside: 1, ahead: 9, liveWorkers: 1 } }, "queued", ["cancel"]],
  ])("tells %s", (_, facts, reason, actions) => {
    expect(explain({ ...base, ...facts })).toMatchObject({ reason, actions });
  });

  it("offers what would end the wait", () => {
    const question = { id: "4", text: "Which cut?", options: null, fallbackAt: null };
    expect(explain({ ...base, run: waits("question"), question }).actions).toEqual(["answer", "cancel"]);
    const waiter = { kind: "signal", key: "paid", children: null } as const;
    expect(explain({ ...base, run: waits("payment"), waiter }).actions).toEqual(["signal", "cancel"]);
    expect(explain({ ...base, ...ended("done") }).actions).toEqual([]);
  });

  it("tells times in the reader's zone, with the day where it is another, and says so when it is nobody's", () => {
    const facts = { ...base, run: { ...run, since: new Date("2026-11-13T23:30:00Z") } };
    expect(explain(facts, { timeZone: "Europe/Berlin" }).sentence).toContain("since 12:20 (2 h 41 min)");
    expect(explain(facts).sentence).toContain("since 11:20 UTC (2 h 41 min)");
    const older = { ...base, run: { ...run, since: new Date("2026-11-13T23:30:00Z"), readyAt: null } };
    expect(explain(older, { timeZone: "Europe/Berlin" }).sentence).toContain("since 2026-11-14 00:30 (1 d 15 h)");
    expect(() => explain(base, { timeZone: "Nowhere" })).toThrow(expect.objectContaining({ field: "timeZone" }));
  });

  it("has a reason other than unknown for every legal combination, and a sentence that ends", () => {
    const time = fc.option(fc.date({ min: at("00:00"), max: at("23:59"), noInvalidDate: true }), { nil: null });
    const legalRun = fc
      .record({
        state: fc.constantFrom(0, 1, 2),
        reason: fc.constantFrom(null, "backoff", "again", "question", "children", "scheduled", "undecodable", "my_own"),
        since: fc.constant(at("11:20")),
        readyAt: time,
        isDue: fc.boolean(),
        attempts: fc.nat(4),
      })
      // Only a wait has no time of its own, and what has none is not due.
      .filter((one) => one.readyAt !== null || (one.reason !== null && !one.isDue));
    const facts = fc.record({
      run: legalRun,
      valve: fc.option(fc.constantFrom(valve, { ...valve, kind: "breaker" }), { nil: null }),
      lane: fc.record({
        cap: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
        inside: fc.nat(3),
        ahead: fc.nat(2_000),
        liveWorkers: fc.nat(2),
      }),
      attemptsMax: fc.option(fc.constant(5), { nil: null }),
      fault: fc.option(fc.constant(fault), { nil: null }),
      holder: fc.option(fc.record({ name: fc.constant("north"), isAlive: fc.boolean() }), { nil: null }),
    });
    fc.assert(
      fc.property(facts, (some) => {
        const { reason, sentence, since } = explain({ ...base, ...some });
        expect(reason).not.toBe("unknown");
        expect(since).not.toBeNull();
        expect(sentence).toMatch(/^[A-Z].*[.)]$/);
        expect(sentence).not.toMatch(/undefined|null|NaN| {2}|\.\./);
      }),
      { numRuns: 500 },
    );
  });
});
