import { describe, expect, it } from "vitest";
import { at, base, ended, fault, leased, qbittorrent, run, valve, waits } from "../../../test/support/explain-facts.ts";
import { RUN_STATE } from "../items/codes.ts";
import { OWN_REASONS } from "../items/reasons.ts";
import { explain } from "./explain.ts";
import type { Facts } from "./facts.ts";

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
    "Failed in encode at 11:20: BAD_FORMAT, no video in it. 5 of 5 attempts used. Retry it once the cause is mended.",
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
    "a breaker that nothing more is known of",
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
    "service_down for more than a day",
    { run: waits("service_down", { since: new Date("2026-11-13T11:20:00Z") }) },
    "waiting",
    "service_down",
    "Waiting for a service that encode needs since 2026-11-13 11:20 (2 d 3 h). Checked again at 14:05 (in 4 min). That is more than a day: somebody should look. No attempt used (1 of 5 used).",
  ],
  [
    "work outside",
    {
      run: { ...run, state: RUN_STATE.watched },
      service: qbittorrent,
      outside: {
        ...{ ref: "job-1", state: "running" as const, progress: 40, activeAt: at("14:00"), hasMoved: true },
        stallsAt: at("14:30"),
      },
    },
    "running",
    "outside",
    "In encode at qbittorrent, 40 % since 11:20 (2 h 41 min). It last moved at 14:00 (1 min). Without movement it counts as stalled at 14:30 (in 29 min).",
  ],
  [
    "ramping",
    { service: { ...qbittorrent, ramp: 2 } },
    "queued",
    "ramping",
    "In line for encode since 11:20 (2 h 41 min): qbittorrent has just come back and is given 2 at a time, next in line.",
  ],
  [
    "at_capacity",
    { service: { ...qbittorrent, capacity: 3 } },
    "queued",
    "at_capacity",
    "In line for encode since 11:20 (2 h 41 min): all 3 places at qbittorrent are taken, next in line.",
  ],
  [
    "parts, before they are told apart",
    { run: waits("parts"), waiter: { kind: "children", key: "9", children: { total: 3, ended: 1 } } },
    "waiting",
    "parts",
    "Waiting for the parts of encode since 11:20 (2 h 41 min). 1 of 3 have ended. Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "withdrawing, before its parts are told apart",
    { run: waits("withdrawing") },
    "waiting",
    "withdrawing",
    "A part of encode failed, and what the others did is being undone since 11:20 (2 h 41 min). Checked again at 14:05 (in 4 min). No attempt used (1 of 5 used).",
  ],
  [
    "neither ended nor anywhere, which must not be",
    { run: null },
    "waiting",
    "unknown",
    "Nobody knows why this stands in encode. That is a bug in Sluice; please report it.",
  ],
];

describe("the sentence", () => {
  it("is in this table for every reason of the engine's own", () => {
    const told = new Set(table.map(([, , , reason]) => reason));
    expect(OWN_REASONS.filter((reason) => !told.has(reason))).toEqual([]);
  });

  it.each(table)("for %s", (_, facts, state, reason, sentence) => {
    expect(explain({ ...base, ...facts }, { timeZone: "Etc/UTC" })).toMatchObject({ state, reason, sentence });
  });
});
