import { describe, expect, test } from "vitest";
import type { Explanation, LanePulse } from "../../engine/index.ts";
import { type Facts, laneName } from "./cause.ts";
import { lanesToLookAt } from "./facts.ts";
import { idleCauses, idleOrNot } from "./flow-causes.ts";
import { settingsOf } from "./rule.ts";

const now = new Date("2030-01-01T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const lane = (given: Partial<LanePulse>): LanePulse => ({
  ...{ pipeline: "films", version: 1, stage: "find", service: null, due: 1, fresh: 1, down: 0 },
  ...{ oldestAt: null, oldest: [], claimedAt: null, closedBy: [] },
  ...given,
});
const busy: Explanation = {
  ...{
    state: "queued",
    reason: "at_capacity",
    sentence: "In line.",
    discreetSentence: "In line.",
    since: ago(70),
    until: null,
    service: null,
    actions: [],
  },
};
const nothing: Facts = {
  ...{ now, lanes: [], stages: [], readSince: null, stalls: [], gone: [], unexplained: [], longAway: [] },
  ...{ services: [], stuck: [], heads: new Map(), unknown: [], disks: [], failing: [], encoders: [] },
};

describe("of more odd lanes than can be looked at", () => {
  const crowd = Array.from({ length: 40 }, (_, n) => lane({ stage: `s${n}`, due: 1, oldestAt: ago(30 - n / 2) }));
  const last = lane({ pipeline: "zoo", due: 1, oldestAt: ago(6) });
  const facts = { ...nothing, lanes: [...crowd, last] };
  const names = (lanes: readonly LanePulse[]) => lanes.map(({ pipeline, stage: name }) => `${pipeline}/${name}`);

  test("one of each pipeline is, the one that is due longest", () => {
    const { looked, left } = lanesToLookAt(facts);
    expect(names(looked)).toHaveLength(20);
    expect(names(looked).slice(0, 2)).toEqual(["films/s0", "zoo/find"]);
    expect(left).toHaveLength(21);
  });

  test("those that are left do not say that a pipeline is well", () => {
    const { looked, left } = lanesToLookAt(facts);
    const heads = new Map([
      ...looked.map((one) => [laneName(one), busy] as const),
      ...left.map((one) => [laneName(one), null] as const),
    ]);
    const { idle } = settingsOf(new Map());
    expect(idleCauses({ ...facts, heads }, idle)).toEqual([]);
    expect([...idleOrNot({ ...facts, heads }, idle)]).toEqual(["idle/films"]);
    expect([...idleOrNot({ ...facts, readSince: ago(4) }, idle)]).toEqual(["idle/films", "idle/zoo"]);
    expect([...idleOrNot(facts, idle)]).toEqual([]);
  });
});
