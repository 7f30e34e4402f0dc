// The invariants of what only some seeds have, each with a bug made for it.

import { expect, test } from "vitest";
import type { Statement } from "../../src/engine/db/database.ts";
import { hasOutside } from "./outside-pipelines.ts";
import { type Bug, beginningWith, brokenBy, plant } from "./planting.ts";
import type { Kind } from "./swarm.ts";

/** Those first in which such bugs were found. */
const SEEDS = [2, 3, 5, 6, 1, ...Array.from({ length: 24 }, (_, index) => index + 7)];

const planted: readonly (readonly [Kind, string, Bug])[] = [
  [
    "bulk",
    "a batch does what another one has done",
    { statement: "still-open", from: "and outcome = 0", to: "and outcome >= 0" },
  ],
  [
    "bulk",
    "what was refused is not counted",
    { statement: "record-results", from: "refused = o.refused + ", to: "refused = o.refused + 0 * " },
  ],
  [
    "finders",
    "the mark runs ahead of what is entered",
    {
      statement: "move-finder",
      from: "after = coalesce($3::jsonb, f.after)",
      to: "after = coalesce(to_jsonb(($3::jsonb)::int + 1), f.after)",
    },
  ],
  [
    "schedules",
    "everybody makes the run",
    { statement: "move-schedule", from: "and s.version = $2", to: "and $2::bigint >= 0" },
  ],
  [
    "schedules",
    "what was missed is not counted",
    { statement: "move-schedule", from: "s.missed + $5::int", to: "s.missed + 0 * $5::int" },
  ],
  ["deadlines", "nobody looks at them", { statement: "overdue", from: "limit $1", to: "limit 0 * $1::int" }],
  [
    "deadlines",
    "a second too early",
    { statement: "overdue", from: "<= sluice.now()", to: "<= sluice.now() + interval '1 second'" },
  ],
  [
    "deadlines",
    "what is spawned has more time than what spawned it",
    {
      from: "(select r.deadline_at from sluice.run r where r.id = u.parent) as until",
      to: "null::timestamptz as until",
    },
  ],
  [
    "removal",
    "somebody else's is cancelled",
    {
      statement: "live-of-requests",
      from: "i.request_id = any ($1::bigint[]) and",
      to: "$1::bigint[] is not null and",
    },
  ],
  [
    "removal",
    "its history stays",
    {
      statement: "forget-journal",
      from: "where item_id = any ($1::bigint[])",
      to: "where item_id = any ($1::bigint[]) and kind <> 0",
    },
  ],
  [
    "removal",
    "what is kept for ever goes by age",
    { from: "when 1 then p.keep_done", to: "when 1 then coalesce(p.keep_done, interval '0')" },
  ],
];

test.each(planted)("%s: %s", async (kind, _, bug) => {
  const { world, wasPlanted } = plant(bug);
  const broken = await brokenBy({ ...world, kinds: [kind] }, beginningWith(bug.foundBy, SEEDS), kind);
  expect(wasPlanted(), `${bug.statement ?? "nothing"} has no "${bug.from}" any more`).toBe(true);
  expect(broken).toBe(kind);
});

test("removal: what may exist outside is forgotten", async () => {
  const { world, wasPlanted } = plant({
    statement: "remove-requests",
    from: "n.item_id = i.id and n.over_at is null",
    to: "n.item_id = i.id and false",
  });
  expect(await brokenBy({ ...world, kinds: ["removal"] }, SEEDS.filter(hasOutside), "removal")).toBe("removal");
  expect(wasPlanted()).toBe(true);
});

test("removal: nobody cancels, and what lives goes as well", async () => {
  const change = (given: Statement): Statement => {
    if (given.name === "live-of-requests") return { ...given, text: given.text.replace("limit 500", "limit 0") };
    if (given.name !== "remove-requests") return given;
    return {
      ...given,
      text: given.text.replace("i.request_id = q.id and (i.state = 0", "i.request_id = q.id and (false"),
    };
  };
  expect(await brokenBy({ plant: change, kinds: ["removal"] }, SEEDS, "removal")).toBe("removal");
});

test("finders: keys that everybody may take", async () => {
  const change = (given: Statement): Statement => ({
    name: given.name,
    text: given.text
      .replace("where k.pipeline = $1 and k.key = any", "where false and k.pipeline = $1 and k.key = any")
      .replace("where k.expires_at <= sluice.now()\nreturning k.key", "returning k.key"),
  });
  expect(await brokenBy({ plant: change, kinds: ["finders"] }, SEEDS, "finders")).toBe("finders");
});
