import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formatId } from "../../kit/index.ts";
import { backoffRule } from "../pipeline/backoff.ts";
import { type Fault, permanent, transient, unavailable } from "../pipeline/fault.ts";
import { again, ask, back, child, done, type Outcome, skip, spawn, wait } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { decide } from "./decide.ts";
import type { Rules, Standing } from "./standing.ts";
import type { Transition } from "./transition.ts";

const backoff = backoffRule({ base: "1m", cap: "30m" }, "backoff");
const rules: Rules = {
  stages: [
    { name: "search", attemptsMax: 1, backoff },
    { name: "download", attemptsMax: 3, backoff },
    { name: "deliver", attemptsMax: 4, backoff },
  ],
};
const [FIRST, MIDDLE, LAST] = [0, 1, 2];
const fresh: Standing = { stage: MIDDLE, attempts: 0, series: 1, backs: 0, waits: 0, reason: null };
const songs = definePipeline("songs", { version: 1, input: z.object({ title: z.string() }) });
const song = child(songs, { title: "Blue" }, { priority: 2 });

const decided = (outcome: unknown, standing: Partial<Standing> = {}): Transition =>
  decide(rules, { ...fresh, ...standing }, { outcome: outcome as Outcome }, 0); // stages without types return anything
const failing = (fault: Fault, standing: Partial<Standing> = {}): Transition =>
  decide(rules, { ...fresh, ...standing }, { fault }, 0);

/** What a transition is when nothing in particular happens; each row below names only what differs. */
const plain: Transition = {
  kind: "done",
  to: { stage: MIDDLE },
  attempt: null,
  attempts: 0,
  waits: 0,
  backs: 0,
  series: 1,
  delayMs: 0,
  reason: null,
  code: null,
  message: null,
  output: undefined,
  journal: true,
  keepBegun: false,
  beside: null,
  entersAnew: false,
  service: undefined,
  outside: null,
};

describe("done and skip", () => {
  test.each<[string, Partial<Standing>, Partial<Transition>]>([
    ["first stage", { stage: FIRST }, { to: { stage: MIDDLE }, attempt: 1 }],
    ["middle stage", {}, { to: { stage: LAST }, attempt: 1 }],
    ["last stage", { stage: LAST }, { to: { end: "done" }, attempt: 1 }],
    ["after two counted faults", { attempts: 2 }, { to: { stage: LAST }, attempt: 3, attempts: 0 }],
    ["after waits", { waits: 7, reason: "service_down" }, { to: { stage: LAST }, attempt: 1, waits: 0 }],
    ["in a later series", { series: 3, backs: 2 }, { to: { stage: LAST }, attempt: 1, series: 3, backs: 2 }],
  ])("%s: moves on, ends an attempt, begins the next stage with none", (_, standing, change) => {
    expect(decided(done({ size: 1 }), standing)).toStrictEqual({ ...plain, output: { size: 1 }, ...change });
    expect(decided(skip("small", 5), standing)).toStrictEqual({
      ...plain,
      kind: "skip",
      message: "small",
      output: 5,
      ...change,
    });
  });

  test("done may add items to the request, and does not wait for them", () => {
    const beside = { type: "children", children: [song], join: false };
    expect(decided(done(null, { spawn: [song] }))).toMatchObject({ to: { stage: LAST }, beside });
  });
});

describe("again, wait, ask and spawn stay, and count nothing", () => {
  const stays = { to: { stage: MIDDLE }, attempt: null, attempts: 2, series: 2, backs: 1, code: null };
  const item = formatId("item", 7n);
  test.each<[string, Outcome, Partial<Transition>]>([
    ["again", again("5s"), { kind: "again", reason: "again", delayMs: 5_000, keepBegun: true }],
    [
      "wait for a time",
      wait("not_available", { again: "6h" }),
      { kind: "wait", reason: "not_available", delayMs: 21_600_000 },
    ],
    [
      "wait for a signal",
      wait("reply", { signal: "job 7" }),
      { kind: "wait", reason: "reply", delayMs: null, beside: { type: "waiter", kind: "signal", key: "job 7" } },
    ],
    [
      "wait for a signal, at most so long",
      wait("reply", { signal: "job 7", again: "1h" }),
      { kind: "wait", reason: "reply", delayMs: 3_600_000, beside: { type: "waiter", kind: "signal", key: "job 7" } },
    ],
    [
      "wait for an item",
      wait("other", { item }),
      { kind: "wait", reason: "other", delayMs: null, beside: { type: "waiter", kind: "item", key: "7" } },
    ],
    [
      "ask",
      ask("Which?"),
      {
        kind: "ask",
        reason: "question",
        delayMs: null,
        message: "Which?",
        beside: { type: "question", text: "Which?", options: null, fallback: null },
      },
    ],
    [
      "ask with options and a default",
      ask("Which?", { options: ["a", "b"], fallback: { answer: "a", after: "1d" } }),
      {
        beside: {
          type: "question",
          text: "Which?",
          options: ["a", "b"],
          fallback: { answer: "a", afterMs: 86_400_000 },
        },
      },
    ],
    [
      "spawn",
      spawn([song]),
      {
        kind: "spawn",
        reason: "children",
        delayMs: null,
        keepBegun: true,
        beside: { type: "children", children: [song], join: true },
      },
    ],
  ])("%s", (_, outcome, change) => {
    expect(decided(outcome, { attempts: 2, series: 2, backs: 1 })).toMatchObject({ ...stays, ...change });
  });

  test.each<[string, Outcome, string]>([
    ["again", again("5s"), "again"],
    ["wait", wait("not_available", { again: "6h" }), "not_available"],
  ])("a repeated %s writes no journal row; a change of reason does", (_, outcome, reason) => {
    expect(decided(outcome, { reason }).journal).toBe(false);
    expect(decided(outcome, { reason: null }).journal).toBe(true);
    expect(decided(outcome, { reason: "backoff" }).journal).toBe(true);
  });

  test("a repeated question or spawn is always written: each is a new one", () => {
    expect(decided(ask("Which?"), { reason: "question" }).journal).toBe(true);
    expect(decided(spawn([song]), { reason: "children" }).journal).toBe(true);
  });

  test("each ends the row of waits for something unavailable", () => {
    for (const outcome of [again(1), wait("x", { again: 1 }), ask("x"), spawn([song])]) {
      expect(decided(outcome, { waits: 4 }).waits).toBe(0);
    }
  });

  test("a sentence for people is cleaned rather than refused", () => {
    expect(decided(skip("a\0b\ud800")).message).toBe("ab\ufffd");
    expect(decided(ask("?".repeat(5_000))).message).toHaveLength(1_998);
  });
});

describe("back", () => {
  test("begins a new series of the earlier stage, with a note", () => {
    expect(decided(back("search", { not: "x" }), { attempts: 2, waits: 3, series: 4 })).toStrictEqual({
      ...plain,
      kind: "back",
      to: { stage: FIRST },
      backs: 1,
      series: 5,
      output: { not: "x" },
    });
  });

  test.each<[number, number, unknown]>([
    [MIDDLE, 0, { stage: FIRST }],
    [MIDDLE, 1, { stage: FIRST }],
    [MIDDLE, 2, { end: "failed" }],
    [MIDDLE, 9, { end: "failed" }],
    [LAST, 2, { stage: FIRST }],
    [LAST, 3, { end: "failed" }],
  ])("from stage %i after %i returns", (stage, backs, to) => {
    const transition = decided(back("search"), { stage, backs });
    expect(transition.to).toEqual(to);
    if ("end" in transition.to)
      expect(transition).toMatchObject({ kind: "fault", code: "TOO_MANY_RETURNS", attempt: 1 });
  });
});

describe("faults", () => {
  test.each([0, 1, 2])("permanent fails at once, after %i counted faults", (attempts) => {
    expect(failing(permanent("GONE", "gone"), { attempts })).toStrictEqual({
      ...plain,
      kind: "fault",
      to: { end: "failed" },
      attempts,
      attempt: attempts + 1,
      code: "GONE",
      message: "gone",
    });
  });

  test.each<[number, number, number | "failed"]>([
    [FIRST, 0, "failed"],
    [MIDDLE, 0, 60_000],
    [MIDDLE, 1, 120_000],
    [MIDDLE, 2, "failed"],
    [MIDDLE, 3, "failed"],
    [LAST, 2, 240_000],
    [LAST, 3, "failed"],
  ])("transient in stage %i after %i counted faults: %s", (stage, attempts, next) => {
    const transition = failing(transient("RESET", "reset"), { stage, attempts, waits: 2 });
    expect(transition).toMatchObject({
      kind: "fault",
      attempt: attempts + 1,
      code: "RESET",
      message: "reset",
      waits: 0,
    });
    expect(transition).toMatchObject(
      next === "failed"
        ? { to: { end: "failed" } }
        : { to: { stage }, attempts: attempts + 1, reason: "backoff", delayMs: next, keepBegun: true, journal: true },
    );
  });

  test.each<[string, Fault, Partial<Standing>, Partial<Transition>]>([
    ["down", unavailable("REFUSED", "x"), {}, { reason: "service_down", delayMs: 300_000, waits: 1 }],
    ["down again", unavailable("REFUSED", "x"), { waits: 1 }, { reason: "service_down", delayMs: 600_000, waits: 2 }],
    ["down for long", unavailable("REFUSED", "x"), { waits: 1_000 }, { delayMs: 1_800_000, waits: 1_000 }],
    ["busy", unavailable("BUSY", "x", { retryAfter: "7s" }), {}, { reason: "rate_limited", delayMs: 7_000 }],
    ["full", unavailable("DISK_FULL", "x"), {}, { reason: "disk_low", delayMs: 300_000 }],
  ])("unavailable (%s) waits and spends nothing", (_, fault, standing, change) => {
    expect(failing(fault, { attempts: 2, ...standing })).toMatchObject({
      kind: "fault",
      to: { stage: MIDDLE },
      attempt: null,
      attempts: 2,
      keepBegun: true,
      journal: true,
      ...change,
    });
  });
});
