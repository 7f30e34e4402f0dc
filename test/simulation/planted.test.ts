// An invariant that cannot fail proves nothing: here each one meets a bug made for it.

import { expect, test } from "vitest";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { Counts } from "./counts.ts";
import { submitOne } from "./exhaustive.ts";
import { hasTurns } from "./fairness.ts";
import { Invariants } from "./invariants.ts";
import { follow } from "./item-path.ts";
import { Outside } from "./outside.ts";
import { type Bug, beginningWith, brokenBy, plant, SETTLE } from "./planting.ts";
import { runSeed, session } from "./run-seed.ts";
import { type JournalEntry, RESET } from "./snapshot.sql.ts";
import { runStarving } from "./starvation.ts";
import type { Invariant } from "./violation.ts";

const planted: readonly (readonly [Invariant, string, Bug])[] = [
  [
    "nothing forgotten",
    "a cancelled item stays open",
    {
      statement: "end-runs",
      from: "set state = $4::smallint, finished_at = sluice.now(), run_version",
      to: "set run_version",
    },
  ],
  [
    "one owner",
    "taking back from the living",
    { statement: "workers-uncleared", from: "w.state <> 0 and", to: "w.id > 0 and" },
  ],
  [
    "legal path",
    "the journal says the wrong stage",
    {
      statement: "settle-on",
      from: "$5, $8, 1, series",
      to: "$5, $5, 1, series",
    },
  ],
  [
    "attempts",
    "attempts are forgotten",
    { statement: SETTLE, from: "attempts = coalesce((v.detail ->> 'attempts')::smallint, 0)", to: "attempts = 0" },
  ],
  ["no gap", "the run row stays behind", { statement: "settle-on", from: "stage = $8::smallint,", to: "stage = $5," }],
  [
    "closed means closed",
    "claiming behind a valve, and explaining likewise",
    {
      from: "v.closed\n      and (v.pipeline is null",
      to: "v.closed and false\n      and (v.pipeline is null",
      foundBy: 16,
    },
  ],
  [
    "explained",
    "an explanation that overlooks valves",
    {
      statement: "explain",
      from: "from sluice.valve v\n    -- Of what a person let through, only breakers still hold anything.\n    where v.closed",
      to: "from sluice.valve v where false and v.closed",
      foundBy: 10,
    },
  ],
  [
    "explained",
    "claiming what is not due",
    { statement: "claim", from: "ready_at <= sluice.now() and (ready_at, id) >=", to: "(ready_at, id) >=" },
  ],
  [
    "version",
    "claiming from everybody's first lanes, with no valve in the way",
    {
      statement: "claim",
      from: "where lane = place.lane and",
      to: `where (lane = place.lane or stage = 0 and not exists (select from sluice.valve where closed)
        and exists (select from sluice.lane o where o.id = run.lane and o.service = '' and o.cap is null and o.per_key is null)) and`,
      foundBy: 3,
    },
  ],
  [
    "bounds",
    "refusals recorded again and again",
    {
      statement: SETTLE,
      from: "stage\n  from refused",
      to: "stage\n  from refused cross join generate_series(1, 50)",
    },
  ],
  [
    "bounds",
    "messages without a limit",
    { statement: SETTLE, from: "detail ->> 'message', output", to: "repeat(detail ->> 'message', 5000), output" },
  ],
  [
    "counts",
    "an end that is not counted",
    { statement: SETTLE, from: "completed = q.completed + t.completed", to: "completed = q.completed" },
  ],
  [
    "waits",
    "a signal that leaves the flag",
    { statement: "wake-signalled", from: "(r.flags | 1) & ~4", to: "(r.flags | 1)" },
  ],
  [
    "keys",
    "a key that is free too soon",
    { statement: SETTLE, from: "where c.is_over and c.key is not null", to: "where c.key is not null", foundBy: 2 },
  ],
  [
    "feed",
    "a page that begins where the last one ended",
    { statement: "events", from: "(xid, seq) > (", to: "(xid, seq) >= (" },
  ],
  ["liveness", "nobody takes back", { statement: "workers-uncleared", from: "limit 100", to: "limit 0" }],
  ["no crash", "a statement the server refuses", { statement: "send-signal", from: "insert into", to: "insert unto" }],
];

test.each(planted)("%s: %s", async (invariant, _, bug) => {
  const { world, wasPlanted } = plant(bug);
  const broken = await brokenBy(world, beginningWith(bug.foundBy));
  expect(wasPlanted(), `${bug.statement ?? "nothing"} has no "${bug.from}" any more`).toBe(true);
  expect(broken).toBe(invariant);
});

test("one owner: settling without the fence", async () => {
  const { world, wasPlanted } = plant({
    statement: SETTLE,
    from: "r.version = v.version and r.epoch = $",
    to: "r.state = 1 and '0'::bigint < $",
  });
  // Everybody is slow, so that whoever was stopped meets the next holder; one of these steps is the right moment.
  const slow = { ...world, workers: 2, script: () => "late" as const, begin: submitOne };
  const moments = Array.from({ length: 80 }, (_, index) => 40 + 2 * index);
  let broken: Invariant | undefined;
  for (const step of beginningWith(94, moments)) {
    if (broken !== undefined) break;
    const decisions = [{ step, kind: "longPause" as const, detail: 0.6 }];
    broken = (await runSeed(1, { decisions, steps: 700, world: slow })).violation?.invariant;
  }
  expect(wasPlanted()).toBe(true);
  expect(broken).toBe("one owner");
});

test("capacity: everybody sees free places", async () => {
  const { world, wasPlanted } = plant({
    statement: "lane-room",
    from: "l.cap - count(r.id)::int",
    to: "l.cap + 0 * count(r.id)::int",
  });
  // Where keys are limited to fewer than fit, the stage hardly ever fills.
  const all = Array.from({ length: 60 }, (_, index) => index + 1).filter((seed) => !hasTurns(seed, "main@1"));
  // First where it was found.
  const broken = await brokenBy(world, [126, 42, 115, 125, ...all], "capacity");
  expect(wasPlanted()).toBe(true);
  expect(broken).toBe("capacity");
});

test("key limit: nobody is counted", async () => {
  const { world, wasPlanted } = plant({
    statement: "claim-fair",
    from: "and r.state <> 0\n  group by r.lane, r.fair",
    to: "and r.state = 9\n  group by r.lane, r.fair",
  });
  const fair = Array.from({ length: 60 }, (_, index) => index + 1).filter((seed) => hasTurns(seed, "main@1"));
  const broken = await brokenBy(world, fair.slice(0, 8), "key limit");
  expect(wasPlanted()).toBe(true);
  expect(broken).toBe("key limit");
});

test("starvation: nothing is ever old", async () => {
  const { world, wasPlanted } = plant({
    statement: "claim-aged",
    from: "interval '1 second'",
    to: "interval '1 year'",
  });
  const { violation } = await runStarving(25, world);
  expect(wasPlanted()).toBe(true);
  expect(violation?.invariant).toBe("starvation");
});

test("bounds: a transaction that waits for something else", async () => {
  expect(await brokenBy({ commitWaits: true })).toBe("bounds");
});

test("one success: a stage that succeeds twice in a series", () => {
  const around = { stages: 3, attemptsMax: 5, watches: [], isPart: false, counts: new Counts() };
  const path = { stage: 1, ended: 0, attempts: 0, series: 1, successes: new Set(["1/1"]) };
  const entry: JournalEntry = ["9", "1", "7", 4, JOURNAL_KIND.done, 1, 2, 0, 1, 1, null, null];
  const owned = ["1", "1", "7", 4, 1, 1, 1, 0, 1, 0, null, false, null, 0, false, null] as const;
  expect(() => follow(path, entry, [...owned], { ...around, workers: [["7", 0, [1]]] })).toThrow("succeeded there");
});

test("acknowledged: an accepted item that is not there", async () => {
  const sql = await session();
  sql.exec(RESET);
  const invariants = new Invariants(sql, new Counts(), { attemptsMax: () => 3, hasCode: () => true });
  invariants.acknowledged.add("17");
  expect(() => invariants.check("1893456000")).toThrow("item 17 was accepted");
});

test("effects: more visits than leases, and one key for two effects", () => {
  const outside = new Outside();
  outside.leased("1");
  expect(outside.visited("1", "fetch")).toBe(0);
  expect(() => outside.visited("1", "fetch")).toThrow("visited 2 times for 1 leases");
  outside.start("key", "1", "fetch");
  expect(() => outside.start("key", "2", "fetch")).toThrow("share a key");
});
