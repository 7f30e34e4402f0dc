// Every action against every standing.

import { describe, expect, it } from "vitest";
import { queued } from "../../../test/support/plan-facts.ts";
import { ITEM_STATE, RUN_STATE } from "../items/codes.ts";
import type { ItemFacts, TargetPipeline } from "./facts.sql.ts";
import { type Action, NOT_HELD, plan, wouldDo } from "./plan.ts";

const ended = (item_state: number): ItemFacts => ({ ...queued, item_state, run_state: null, run_version: null });
const standings = {
  queued,
  fresh: { ...queued, is_fresh: true },
  leased: { ...queued, run_state: RUN_STATE.leased },
  watched: { ...queued, run_state: RUN_STATE.watched },
  "waiting for its own": { ...queued, awaits_own: true },
  done: { ...ended(ITEM_STATE.done), stage: 2 },
  failed: ended(ITEM_STATE.failed),
  cancelled: ended(ITEM_STATE.cancelled),
  part: { ...queued, part: "nas-1" },
} satisfies Record<string, ItemFacts>;
type Standing = keyof typeof standings;

const target: TargetPipeline = { id: 2, name: "films", version: 2, stages: ["search", "download", "shrink"] };
const none: ReadonlyMap<string, TargetPipeline> = new Map();

function planned(action: Action, facts: ItemFacts, targets = none): string {
  const result = plan(action, facts, targets);
  return "refusal" in result ? `no: ${result.refusal}` : JSON.stringify(result.change);
}

const over = "no: it has ended already";
const skip: Action = { type: "skip", reason: "by hand" };
const replay: Action = { type: "replay", from: "download", as: "same" };
const moved = '{"type":"move","stage":1,"pipeline":1,"series":2}';
const reopened = '{"type":"reopen","stage":1,"pipeline":1}';
const cancels = '{"type":"end","as":"cancelled"}';

const table: readonly (readonly [Action, Record<Standing, string>])[] = [
  [
    { type: "cancel" },
    {
      queued: cancels,
      fresh: cancels,
      leased: cancels,
      watched: cancels,
      "waiting for its own": cancels,
      done: over,
      failed: over,
      cancelled: over,
      part: cancels,
    },
  ],
  [
    { type: "retry" },
    {
      queued: "no: only a failed item can be retried",
      fresh: "no: only a failed item can be retried",
      leased: "no: only a failed item can be retried",
      watched: "no: only a failed item can be retried",
      "waiting for its own": "no: only a failed item can be retried",
      done: "no: only a failed item can be retried",
      failed: reopened,
      cancelled: "no: only a failed item can be retried",
      part: "no: only a failed part can be retried",
    },
  ],
  [
    replay,
    {
      queued: moved,
      fresh: 'no: it has not begun "download" yet',
      leased: moved,
      watched: moved,
      "waiting for its own": "no: it waits for what it has spawned; cancel it first, then replay it",
      done: reopened,
      failed: reopened,
      cancelled: reopened,
      part: "no: a part is not replayed by itself; replay its item",
    },
  ],
  [
    skip,
    {
      queued: '{"type":"move","stage":2,"series":1,"pipeline":1}',
      fresh: '{"type":"move","stage":2,"series":1,"pipeline":1}',
      leased: "no: a worker is busy with it; take it back first",
      watched: "no: its work goes on outside; cancel or replay it",
      "waiting for its own": "no: it waits for what it has spawned; skip or cancel that",
      done: over,
      failed: over,
      cancelled: over,
      part: '{"type":"end","as":"done"}',
    },
  ],
  [
    { type: "take-back" },
    {
      queued: "no: no worker holds it",
      fresh: "no: no worker holds it",
      leased: '{"type":"take-back"}',
      watched: "no: no worker holds it",
      "waiting for its own": "no: no worker holds it",
      done: over,
      failed: over,
      cancelled: over,
      part: "no: no worker holds it",
    },
  ],
  [
    { type: "set-priority", priority: 1 },
    {
      queued: '{"type":"set-priority","priority":1}',
      fresh: '{"type":"set-priority","priority":1}',
      leased: '{"type":"set-priority","priority":1}',
      watched: '{"type":"set-priority","priority":1}',
      "waiting for its own": '{"type":"set-priority","priority":1}',
      done: over,
      failed: over,
      cancelled: over,
      part: '{"type":"set-priority","priority":1}',
    },
  ],
];

describe("an item that a person wants to run once", () => {
  const held = { id: "7", is_queued: true, is_manual: false, is_held: true, is_paused: false, broken: null };
  const asked = (barrier: ItemFacts["barrier"], facts: ItemFacts = queued) =>
    planned({ type: "run-once" }, { ...facts, barrier });

  it("is let through where a switch, pause or hold keeps it in line", () => {
    expect(asked(held)).toBe('{"type":"let-through"}');
    expect(wouldDo(queued, { type: "let-through" })).toMatchObject({ stage: "download", redoes: [] });
  });

  it.each([
    ["in nobody's way", { ...held, is_held: false }, `no: ${NOT_HELD}`],
    ["waiting for something else", { ...held, is_queued: false }, `no: ${NOT_HELD}`],
    ["not there", undefined, `no: ${NOT_HELD}`],
    ["let through before", { ...held, is_manual: true }, "no: it was let through already"],
    [
      "behind a breaker",
      { ...held, broken: "api" },
      "no: service api does not answer, and its breaker lets only a probe through",
    ],
  ])("is refused while it is %s", (_, barrier, refusal) => {
    expect(asked(barrier)).toBe(refusal);
  });

  it("is refused when it has ended", () => {
    expect(asked(undefined, standings.done)).toBe(over);
  });
});

describe("what an action comes to", () => {
  const cases = table.flatMap(([action, expected]) =>
    (Object.keys(standings) as Standing[]).map((name) => [action.type, name, action, expected[name]] as const),
  );
  it.each(cases)("%s, %s", (_, name, action, expected) => {
    expect(planned(action, standings[name])).toBe(expected);
  });

  it("tries a failed part again together with its item", () => {
    expect(planned({ type: "retry" }, { ...standings.failed, part: "nas-1" })).toBe('{"type":"reopen-part"}');
  });

  it("refuses the same priority again, and a stage it is not in", () => {
    expect(planned({ type: "set-priority", priority: 3 }, queued)).toBe("no: its priority is 3 already");
    expect(planned({ ...skip, stage: "search" }, queued)).toBe('no: it is not in "search"');
    expect(planned({ ...skip, stage: "download" }, queued)).toMatch(/move/);
  });

  it("ends what is skipped in its last stage", () => {
    expect(planned(skip, { ...queued, stage: 2 })).toBe('{"type":"end","as":"done"}');
  });
});

describe("a replay", () => {
  it("begins no later than the item has come", () => {
    const later: Action = { ...replay, from: "encode" };
    expect(planned(later, queued)).toBe('no: it has not come to "encode" yet');
    expect(planned(later, standings.failed)).toBe('no: it has not come to "encode" yet');
    expect(planned(later, standings.done)).toMatch(/reopen/);
    expect(planned({ ...replay, from: "nowhere" }, queued)).toBe('no: films@1 has no stage "nowhere"');
  });

  it("leaves alone what has parts under way", () => {
    const facts = { ...standings.done, has_live_parts: true };
    expect(planned(replay, facts)).toBe("no: parts of it are being tried again; wait for them, or cancel them");
    expect(planned({ ...replay, as: "copy" }, facts)).toMatch(/copy/);
  });

  it("goes onto another version that is the same up to there", () => {
    const targets = new Map([["films", target]]);
    const onto: Action = { ...replay, onto: 2 };
    expect(planned(onto, queued)).toBe("no: there is no films@2");
    expect(planned(onto, queued, targets)).toBe('{"type":"move","stage":1,"pipeline":2,"series":2}');
    expect(planned(onto, standings.fresh, targets)).toMatch(/move/);
    expect(planned(onto, standings.done, targets)).toBe('{"type":"reopen","stage":1,"pipeline":2}');
    expect(planned({ ...onto, from: "encode" }, standings.done, targets)).toBe(
      'no: films@2 has other stages up to "encode"',
    );
  });

  it("tells before what is kept and what is done again", () => {
    const of = (action: Action, facts: ItemFacts) => {
      const result = plan(action, facts, none);
      return "change" in result ? wouldDo(facts, result.change) : result;
    };
    const kept = { items: 1, stage: "download", keeps: ["search"] };
    expect(of(replay, queued)).toEqual({ ...kept, redoes: ["download"] });
    expect(of(replay, standings.done)).toEqual({ ...kept, redoes: ["download", "encode"] });
    expect(of({ ...replay, as: "copy" }, queued)).toEqual({ ...kept, redoes: ["download", "encode"] });
    expect(of(skip, queued)).toEqual({ items: 1, stage: "encode", keeps: ["search", "download"], redoes: [] });
    expect(of({ type: "take-back" }, standings.leased)).toEqual({ ...kept, redoes: [] });
  });
});
