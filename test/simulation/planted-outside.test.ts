// The invariants of what happens elsewhere, each with a bug made for it.

import { expect, test } from "vitest";
import type { Statement } from "../../src/engine/db/database.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { Counts } from "./counts.ts";
import { follow } from "./item-path.ts";
import { JobsService } from "./jobs-service.ts";
import { hasOutside } from "./outside-pipelines.ts";
import { type Bug, beginningWith, brokenBy, plant, SETTLE } from "./planting.ts";
import { runSeed } from "./run-seed.ts";
import type { JournalEntry, Snapshot } from "./snapshot.sql.ts";
import { StartChecks } from "./start-checks.ts";
import type { Invariant } from "./violation.ts";
import type { WorldOptions } from "./world-options.ts";

const SEEDS = Array.from({ length: 80 }, (_, index) => index + 1).filter(hasOutside);

const planted: readonly (readonly [Invariant, string, Bug])[] = [
  [
    "effects",
    "nobody asks whether it was started before",
    { statement: "write-intents", from: "i.xmax::text::bigint = 0 as is_new", to: "true as is_new" },
  ],
  [
    "watched",
    "nobody writes down as what it was started",
    {
      statement: SETTLE,
      from: "set ref = (select w.detail ->> 'ref' from written w where w.detail ->> 'key' = i.key)",
      to: "set ref = i.ref",
    },
  ],
  [
    "orphans",
    "what is started is written down as nobody's",
    {
      statement: "write-intents",
      from: "select key, id, service, pipeline, stage, sluice.now(), stays from holder",
      to: "select key, 0, service, pipeline, stage, sluice.now(), stays from holder",
    },
  ],
  [
    "orphans",
    "a cancelled item owes nothing",
    {
      statement: "end-runs",
      from: "set owed_at = coalesce(owed_at, sluice.now())",
      to: "set owed_at = owed_at",
      foundBy: 8,
    },
  ],
  [
    "orphans",
    "nobody makes anything of what is owed",
    { statement: "owed-services", from: "limit 1000", to: "limit 0" },
  ],
  [
    "breaker",
    "nobody sees that it is open",
    { statement: "list-services", from: "s.is_open", to: "false as is_open", foundBy: 145 },
  ],
  [
    "capacity",
    "everybody sees room at a service",
    { statement: "service-inside", from: "count(r.id)::int as inside", to: "0 as inside", foundBy: 26 },
  ],
];

test.each(planted)("%s: %s", async (invariant, _, bug) => {
  const { world, wasPlanted } = plant(bug);
  const broken = await brokenBy(world, beginningWith(bug.foundBy, SEEDS), invariant);
  expect(wasPlanted(), `${bug.statement} has no "${bug.from}" any more`).toBe(true);
  expect(broken).toBe(invariant);
});

test("closed means closed: claiming behind a breaker", async () => {
  const { world, wasPlanted } = plant({
    from: "v.closed\n      and (v.pipeline is null",
    to: "v.closed and v.kind <> 'breaker'\n      and (v.pipeline is null",
  });
  // Mostly those who claim know of it already; where services refuse often, some do not yet.
  const broken = await brokenBy({ ...world, serviceFaults: { refuse: 0.4 } }, SEEDS, "closed means closed");
  expect(wasPlanted()).toBe(true);
  expect(broken).toBe("closed means closed");
});

test("orphans: nobody compares what goes on with what is known", async () => {
  const bug = { statement: "unowned-keys", from: "where (n.over_at is not null or", to: "where (false and" };
  const { world, wasPlanted } = plant(bug);
  // Jobs that are not found, given up and started anew, and that go on all the same.
  const options = { decisions: [], steps: 2_500 };
  const [seed = 0] = SEEDS;
  const forgetful = (bug: WorldOptions) =>
    runSeed(seed, { ...options, world: { ...bug, serviceFaults: { hide: 0.7 } } });
  const { counts, violation } = await forgetful({});
  expect(new Map(counts).get("orphans found")).toBeGreaterThan(0);
  expect(violation).toBeUndefined();
  expect((await forgetful(world)).violation?.invariant).toBe("orphans");
  expect(wasPlanted()).toBe(true);
});

test("rate: everybody sees places in it", async () => {
  const change = (given: Statement): Statement => ({
    name: given.name,
    text: given.text
      .replaceAll("s.grants as service_grants", "'[]'::jsonb as service_grants")
      .replaceAll("s.grants,", "'[]'::jsonb as grants,"),
  });
  expect(await brokenBy({ plant: change }, SEEDS)).toBe("rate");
});

const path = { stage: 0, ended: 0, attempts: 0, series: 1, successes: new Set<string>() };
const around = { stages: 2, attemptsMax: 3, workers: [], isPart: false, counts: new Counts() };
type Run = Snapshot["runs"][number];

test("watched: an end brought by somebody who does not watch", () => {
  const entry: JournalEntry = ["9", "1", "7", 5, JOURNAL_KIND.seen, 0, 0, 0, null, 1, "DONE", null];
  const watched: Run = ["1", "1", "-3", 4, 3, 0, 2, 0, 1, 8, null, true, "job-1", 0, false, null];
  const seen = (epoch: string) => follow(path, entry, watched, { ...around, watches: [["watch:3", epoch]] });
  expect(() => seen("8")).toThrow("it is watched by 8");
  expect(seen("7")).toEqual(path);
});

test("attempts: an outage that is counted", () => {
  const held: Run = ["1", "1", "7", 4, 3, 0, 1, 0, 1, 8, null, false, null, 0, false, null];
  const fault = (code: string, attempt: number | null): JournalEntry => [
    ...(["9", "1", "7", 4, JOURNAL_KIND.fault, 0, 0, 0, attempt, 1, code, null] as const),
  ];
  for (const code of ["SERVICE_DOWN", "REFUSED", "AUTH"]) {
    expect(() => follow(path, fault(code, 1), held, { ...around, watches: [] })).toThrow("counted");
    expect(follow(path, fault(code, null), held, { ...around, watches: [] })).toEqual(path);
  }
});

test("effects: more starts than claims, and a key for two items", () => {
  const service = new JobsService(1, "jobs", () => 0);
  const somebody = { name: "w1", alive: true, pausedUntil: 0 };
  const starts = new StartChecks(new Counts(), () => 1);
  expect(() => starts.arrived(service, somebody, "k", "1")).toThrow("nobody wrote down");
  starts.intended(somebody, "k");
  starts.arrived(service, somebody, "k", "1");
  expect(() => starts.arrived(service, somebody, "k", "1")).toThrow("2 times for 1 claims");
  starts.intended(somebody, "k");
  starts.intended(somebody, "k");
  expect(() => starts.arrived(service, somebody, "k", "2")).toThrow("share a key");
});
