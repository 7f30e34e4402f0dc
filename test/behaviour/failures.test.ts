// What has failed, by what it failed of.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, permanent } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const songs = definePipeline("songs", { version: 1, input: z.object({ says: z.string() }) })
  .stage("find", { run: () => done() })
  .stage("fetch", {
    run: ({ input: { says } }) => {
      if (says === "well") return done();
      throw permanent(says.startsWith("no room") ? "DISK_FULL" : "GW_TIMEOUT", says);
    },
  });
const copies = definePipeline("copies", { version: 1, input: z.object({}) }).stage("copy", {
  parts: () => ["nas-1", "nas-2"],
  run: () => Promise.reject(permanent("GONE", "no such disc")),
});

let t: TestSluice;
const hand = async (owner: string, ...says: string[]) => {
  const { items } = await t.submit(
    songs,
    says.map((one) => ({ says: one })),
    { owner },
  );
  await t.advance("1m");
  return items;
};

beforeAll(async () => {
  t = await testSluice({ pipelines: [songs, copies] });
});
afterAll(() => t.close());

it("nothing that failed is no group", async () => {
  expect(await t.sluice.failures()).toEqual({ groups: [], looked: 0, isMore: false, others: 0 });
});

it("items that failed alike are one group, however their numbers and names differ", async () => {
  const [first] = await hand("mia", "no answer after 30s", "well");
  await hand("mo", "no answer after 31s", 'no room for "b.mkv"');
  const newest = (await hand("mia", "no answer after 32s"))[0];
  const { groups, looked, others } = await t.sluice.failures();
  expect({ looked, others }).toEqual({ looked: 4, others: 0 });
  expect(groups).toMatchObject([
    {
      ...{ pipeline: "songs", stage: "fetch", code: "GW_TIMEOUT", message: "no answer after #s", count: 3 },
      example: { item: newest, message: "no answer after 32s" },
      retry: { can: true, reason: null },
      advice: null,
    },
    { code: "DISK_FULL", message: "no room for …", count: 1, advice: "Make room, then retry." },
  ]);
  const [group] = groups;
  expect((group?.lastAt.getTime() ?? 0) - (group?.firstAt.getTime() ?? 0)).toBe(120_000);
  expect(group?.firstAt).toEqual((await t.sluice.item(first as NonNullable<typeof first>)).finishedAt);
});

it("an owner sees groups of what is theirs alone", async () => {
  const { groups } = await t.sluice.failures({ owner: "mo" });
  expect(groups.map((one) => [one.code, one.count])).toEqual([
    ["DISK_FULL", 1],
    ["GW_TIMEOUT", 1],
  ]);
});

it("a part counts for its item, and of one pipeline others are left out", async () => {
  await t.submit(copies, [{}]);
  await t.advance("1m");
  const { groups } = await t.sluice.failures({ pipeline: "copies" });
  expect(groups).toMatchObject([{ pipeline: "copies", stage: "copy", code: "PARTS_FAILED", count: 1 }]);
});

it("where none of those that were looked at is left, it is told how many that were", async () => {
  const all = (await t.sluice.failures()).looked;
  expect(all).toBeGreaterThan(4);
  expect(await t.sluice.failures({ pipeline: "others" })).toMatchObject({ groups: [], looked: all, isMore: false });
  expect(await t.sluice.failures({ pipeline: "copies", owner: "mo" })).toMatchObject({ groups: [], looked: 2 });
});

it("what was retried and did well has not failed any more", async () => {
  const [item] = await hand("mia", "gone for good");
  const before = (await t.sluice.failures()).groups.length;
  await t.sluice.cancel(item as NonNullable<typeof item>);
  await t.sluice.replay(item as NonNullable<typeof item>, { from: "fetch" });
  await t.sluice.skip(item as NonNullable<typeof item>, { reason: "test" });
  expect((await t.sluice.failures()).groups.length).toBe(before - 1);
});

it("without the code of the pipeline nobody can say whether a retry is allowed", async () => {
  await t.db.query(
    {
      name: "test-foreign",
      text: "insert into sluice.pipeline (name, version, shape, stages, created_at) values ('gone', 1, 'x', '{a}', sluice.now())",
    },
    [],
  );
  await t.db.query(
    {
      name: "test-move",
      text: "update sluice.item set pipeline_id = (select id from sluice.pipeline where name = 'gone') where owner = 'mo'",
    },
    [],
  );
  const { groups } = await t.sluice.failures({ pipeline: "gone" });
  expect(groups.map((one) => one.retry)).toEqual(
    groups.map(() => ({ can: false, reason: "the code of gone is not here, and it may have a say in retries" })),
  );
  expect(groups.length).toBeGreaterThan(0);
});
