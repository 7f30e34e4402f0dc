import { describe, expect, test } from "vitest";
import type { Explanation, ItemId, LanePulse, ServiceState, StagePulse, StuckItem } from "../../engine/index.ts";
import { type Cause, type Facts, laneName } from "./cause.ts";
import { findCauses, holdOf } from "./causes.ts";
import { fold } from "./fold.ts";
import { checkSettings, type GivenSettings, RULE_NAMES, type RuleName, settingsOf } from "./rule.ts";

const now = new Date("2030-01-01T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const item = "itm_0000000000001" as ItemId;

const lane = (given: Partial<LanePulse> = {}): LanePulse => ({
  ...{ pipeline: "films", version: 1, stage: "find", service: null, due: 0, fresh: given.due ?? 0, down: 0 },
  ...{ oldestAt: null, oldest: [item], claimedAt: null, closedBy: [] },
  ...given,
});
const stage = (given: Partial<StagePulse> = {}): StagePulse => ({
  ...{ pipeline: "films", stage: "find", attempts: 0, faults: 0, code: null, faulty: [], visitedAt: ago(10) },
  ...given,
});
const down = (given: Partial<ServiceState> = {}): ServiceState => ({
  ...{ name: "converter", state: "down", since: ago(3), until: ago(-2), code: "NOT_REACHED", message: "refused." },
  ...{ capacity: null, ramp: null, limit: null },
  ...given,
});
const why = (reason: string, since = ago(70)): Explanation => ({
  ...{ state: "queued", reason, since, until: null, service: null, actions: [] },
  ...{ sentence: "In line.", discreetSentence: "In line." },
});
const stuckItem = (explanation: Explanation): StuckItem => ({
  ...{ item, pipeline: "films", version: 1, stage: "find", explanation },
});

const nothing: Facts = {
  ...{
    now,
    lanes: [],
    stages: [],
    readSince: null,
    stalls: [],
    gone: [],
    unexplained: [],
    longAway: [],
    services: [],
    stuck: [],
  },
  ...{ heads: new Map(), unknown: [], disks: [], failing: [], encoders: [] },
};

function found(facts: Partial<Facts>, rule?: RuleName, given: GivenSettings = {}): readonly Cause[] {
  const settings = settingsOf(new Map());
  const all = rule === undefined ? settings : { ...settings, [rule]: checkSettings(rule, given) };
  return findCauses({ ...nothing, ...facts }, all);
}
const keys = (facts: Partial<Facts>, rule?: RuleName, given?: GivenSettings) =>
  found(facts, rule, given).map(({ key }) => key);

test("where nothing is wrong nothing is told", () => expect(found({})).toEqual([]));

test("a rule that is off finds nothing", () => {
  expect(keys({ services: [down()] }, "service-down", { on: false })).toEqual([]);
});

describe("error-rate", () => {
  test.each([
    [9, 9, 0],
    [10, 1, 0],
    [10, 2, 1],
    [1_000, 100, 0],
    [1_000, 101, 1],
    [0, 0, 0],
  ])("of %i attempts %i failed: %i", (attempts, faults, count) => {
    expect(keys({ stages: [stage({ attempts, faults })] })).toHaveLength(count);
  });

  test("promises nothing to what cannot pass", () => {
    const [cause] = found({ stages: [stage({ attempts: 10, faults: 10 })] });
    expect(cause?.byItself).toContain("what cannot pass fails at once");
  });

  test("may be told of a single failure", () => {
    const values = { abovePercent: 0, samples: 1 };
    expect(keys({ stages: [stage({ attempts: 1, faults: 1 })] }, "error-rate", { values })).toEqual([
      "error-rate/films/find",
    ]);
  });
});

describe("idle", () => {
  const due = lane({ due: 4, oldestAt: ago(6) });
  const heads = (reason: string, of = due) => new Map([[laneName(of), why(reason)]]);

  test.each<[string, Partial<Facts>, number]>([
    ["due for six minutes, and nobody takes it", { lanes: [due], heads: heads("queued") }, 1],
    ["nobody could take it", { lanes: [due], heads: heads("no_worker") }, 1],
    ["it waits for its turn at a limit", { lanes: [due], heads: heads("rate_limited") }, 0],
    ["all places are taken by others that go on", { lanes: [due], heads: heads("at_capacity") }, 0],
    ["a person holds it", { lanes: [{ ...due, closedBy: ["hold"] }], heads: heads("queued") }, 0],
    [
      "another stage was visited a minute ago",
      { lanes: [due], heads: heads("queued"), stages: [stage({ stage: "b", visitedAt: ago(1) })] },
      0,
    ],
    [
      "another pipeline was visited a minute ago",
      { lanes: [due], heads: heads("queued"), stages: [stage({ pipeline: "b", visitedAt: ago(1) })] },
      1,
    ],
    [
      "one was taken a minute ago",
      { lanes: [due, lane({ stage: "b", claimedAt: ago(1) })], heads: heads("queued") },
      0,
    ],
    ["due for four minutes", { lanes: [{ ...due, oldestAt: ago(4) }], heads: heads("queued") }, 0],
    ["the journal is too busy to tell", { lanes: [due], heads: heads("queued"), readSince: ago(4) }, 0],
    ["the journal reaches back far enough", { lanes: [due], heads: heads("queued"), readSince: ago(6) }, 1],
  ])("%s", (_, facts, count) => expect(keys(facts)).toHaveLength(count));
});

describe("backlog", () => {
  test.each<[string, LanePulse[], number]>([
    ["50 wait", [lane({ due: 50 })], 0],
    ["51 wait", [lane({ due: 51 })], 1],
    ["51 in two versions", [lane({ due: 50 }), lane({ due: 1, version: 2 })], 1],
    ["51 in two stages", [lane({ due: 50 }), lane({ due: 1, stage: "b" })], 0],
    ["2,000 behind a breaker", [lane({ due: 2_000, closedBy: ["breaker"] })], 0],
    ["2,000 behind a switch", [lane({ due: 2_000, closedBy: ["switch"] })], 0],
    ["2,000 left by an outage that is over", [lane({ due: 2_000, fresh: 3 })], 0],
  ])("%s", (_, lanes, count) => expect(keys({ lanes })).toHaveLength(count));

  test("has a limit for a stage of its own", () => {
    const given = { stages: { "films/find": 5, "films/store": 500 } };
    const lanes = [lane({ due: 6 }), lane({ due: 400, stage: "store" })];
    expect(keys({ lanes }, "backlog", given)).toEqual(["backlog/films/find"]);
  });
});

describe("stuck", () => {
  const through = lane({ service: "converter" });

  test.each<[string, Partial<Facts>, number]>([
    ["for an hour", { stuck: [stuckItem(why("queued"))] }, 1],
    [
      "behind a service that came back just now",
      { lanes: [through], stuck: [stuckItem(why("queued"))], services: [down({ state: "well", since: ago(1) })] },
      0,
    ],
    [
      "although the service has been well for hours",
      { lanes: [through], stuck: [stuckItem(why("queued"))], services: [down({ state: "well", since: ago(300) })] },
      1,
    ],
  ])("%s", (_, facts, count) => expect(keys(facts)).toHaveLength(count));

  test("many of one stage are one cause", () => {
    const stuck = Array.from({ length: 40 }, () => stuckItem(why("queued")));
    expect(found({ stuck })).toEqual([expect.objectContaining({ count: 40, examples: [item, item, item] })]);
  });

  test("for as long as was set", () => {
    expect(keys({ stuck: [stuckItem(why("queued"))] }, "stuck", { values: { forSeconds: 7_200 } })).toEqual([]);
  });
});

describe("service-down", () => {
  test("says who waits, that it costs nothing, and when it is looked at again", () => {
    const lanes = [lane({ service: "converter", due: 1_995, down: 5, closedBy: ["breaker"] })];
    expect(found({ services: [down()], lanes })).toEqual([
      expect.objectContaining({
        key: "service-down/converter",
        count: 2_000,
        since: ago(3),
        sentence:
          "converter has not answered since 11:57 UTC (3 min): refused. 2,000 items wait for it; none spends an attempt on that.",
        byItself: "They go on by themselves when it answers; checked again at 12:02 UTC.",
      }),
    ]);
  });

  test("says that a person is needed where it is", () => {
    const [cause] = found({ services: [down({ code: "AUTH", message: null })] });
    expect(cause).toMatchObject({ title: "converter refuses our credentials", count: 0 });
    expect(cause?.byItself).toMatch(/^Needs you: renew the credentials\./);
  });

  test("is not what is busy or coming back", () => {
    expect(keys({ services: [down({ state: "busy" }), down({ state: "ramping" }), down({ state: "well" })] })).toEqual(
      [],
    );
  });
});

describe("disk-low", () => {
  const disk = (free: number, size: number) => ({
    disks: [{ host: "nas", uses: ["data"], path: "/data", free, size }],
  });
  test.each<[number, number, number]>([
    [500e9, 1e12, 0],
    [49e9, 1e12, 1],
    [2e9, 10e9, 1],
    [2_147_483_648, 10e9, 0],
  ])("%d of %d bytes are free: %i", (free, size, count) => expect(keys(disk(free, size))).toHaveLength(count));
});

test("what has waited for a day is told by its stage, and with the service where that is down", () => {
  const away = { item, pipeline: "films", stage: "store", service: "converter", since: ago(1_500) };
  const [cause] = found({ longAway: [away, away] });
  expect(cause).toMatchObject({ key: "unavailable/films/store", count: 2, services: ["converter"], since: ago(1_500) });
  expect(cause?.title).toBe("2 items of films/store have waited for a day");
  const causes = found({ longAway: [away], services: [down()] });
  expect(fold(causes).own.map(({ key }) => key)).toEqual(["service-down/converter"]);
});

test("stalls, workers and channels are told by what they have in common", () => {
  const stall = {
    item,
    pipeline: "films",
    stage: "get",
    service: "torrents",
    message: "torrents: nothing moved",
    at: ago(1),
  };
  expect(found({ stalls: [stall, stall] })).toEqual([
    expect.objectContaining({ key: "stalled/films/get at torrents", count: 2 }),
  ]);
  expect(keys({ stalls: [stall] }, "stalled", { values: { atLeast: 2 } })).toEqual([]);
  expect(keys({ encoders: [{ name: "shed", at: ago(9) }] })).toEqual(["encoder-offline/shed"]);
  expect(keys({ gone: [{ name: "nas", pipelines: [], services: [], at: ago(9) }] })).toEqual(["worker-offline/nas"]);
  const failing = [{ id: "3", name: "ops", since: ago(20), tries: 1, why: "HTTP_500: broken.", waiting: 2 }];
  expect(found({ failing })[0]?.sentence).toBe(
    "Nothing has reached the channel ops for 20 min, in 1 try: HTTP_500: broken.",
  );
});

test("every rule says for how long its causes have to hold", () => {
  const settings = settingsOf(new Map());
  const holds = RULE_NAMES.map((rule) => [rule, holdOf(rule, settings[rule])] as const);
  expect(
    Object.fromEntries(holds.filter(([, { from }]) => from === "since").map(([rule, { ms }]) => [rule, ms])),
  ).toEqual({
    "service-down": 120_000,
    "worker-offline": 300_000,
    "encoder-offline": 300_000,
    "channel-failing": 600_000,
  });
});
