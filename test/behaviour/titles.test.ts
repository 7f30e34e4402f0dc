// Items by what people call them, by what their failures say, and by what stands in their inputs.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { child, definePipeline, done, type ItemFilter, type ItemId, permanent, spawn } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";

const input = z.object({ film: z.object({ name: z.string(), year: z.number() }) });
const subtitles = definePipeline("subtitles", { version: 1, input: z.object({ of: z.string() }), title: "of" }).stage(
  "find",
  { run: () => done() },
);
const films = definePipeline("films", {
  version: 1,
  input,
  title: ({ film }) => `${film.name} (${film.year})`,
}).stage("fetch", {
  run: ({ input: { film }, because }) => {
    if (film.name === "Gone 100%") throw permanent("GONE", "not in /shelf_7 any more");
    if (film.name !== "Brazil" || because.children !== undefined) return done();
    return spawn([child(subtitles, { of: "Brazil, subtitles" })]);
  },
});
const plain = definePipeline("plain", { version: 1, input: z.object({ n: z.number() }) }).stage("one", {
  run: () => done(),
});

let t: TestSluice;
const ids = new Map<string, ItemId>();
const found = async (filter: ItemFilter) => {
  const { entries } = await t.sluice.items(filter);
  return entries.map((one) => one.title).toReversed();
};

beforeAll(async () => {
  t = await testSluice({ pipelines: [films, subtitles, plain] });
  for (const [name, year] of [
    ["Alien", 1979],
    ["Brazil", 1985],
    ["Gone 100%", 2014],
  ] as const) {
    const { items } = await t.submit(films, [{ film: { name, year } }], { owner: "mia", key: `tmdb:${year}` });
    ids.set(name, items[0] as ItemId);
  }
  await t.advance("1m");
  await t.submit(plain, [{ n: 1 }]);
  await t.advance("1m");
});
afterAll(() => t.close());

describe("a title", () => {
  it("is told of an item, of what it spawned, and of a copy; of a pipeline without one there is none", async () => {
    expect((await t.sluice.item(ids.get("Alien") as ItemId)).title).toBe("Alien (1979)");
    expect(await found({ pipeline: ["films", "subtitles", "plain"] })).toEqual([
      ...["Alien (1979)", "Brazil (1985)", "Gone 100% (2014)", "Brazil, subtitles", null],
    ]);
    const { copy } = (await t.sluice.replay(ids.get("Alien") as ItemId, { from: "fetch", as: "copy" })) as {
      copy: { item: ItemId };
    };
    expect((await t.sluice.item(copy.item)).title).toBe("Alien (1979)");
    await t.advance("1m");
  });

  it("is found by what it has in it, and by nothing that only looks like a pattern", async () => {
    expect(await found({ title: "alien" })).toEqual(["Alien (1979)", "Alien (1979)"]);
    expect(await found({ title: ["BRAZIL", "gone"] })).toEqual([
      "Brazil (1985)",
      "Gone 100% (2014)",
      "Brazil, subtitles",
    ]);
    expect(await found({ title: "0%" })).toEqual(["Gone 100% (2014)"]);
    expect(await found({ title: "A_ien" })).toEqual([]);
    expect(await found({ title: "brazil", not: { title: "subtitles" } })).toEqual(["Brazil (1985)"]);
    expect(await found({ not: { title: ["a", "g"] } })).toEqual([null]);
  });

  it("is found by a free word, beside what begins with it", async () => {
    expect(await found({ word: "brazil" })).toEqual(["Brazil (1985)", "Brazil, subtitles"]);
    expect(await found({ word: "tmdb:1979" })).toEqual(["Alien (1979)"]);
    expect(await found({ word: "brazil", owner: "mia" })).toContain("Brazil (1985)");
    expect(await found({ word: "nothing like it" })).toEqual([]);
  });
});

it("a failure is found by what it says", async () => {
  expect(await found({ message: "SHELF_7" })).toEqual(["Gone 100% (2014)"]);
  expect(await found({ message: "shelf-7" })).toEqual([]);
  expect(await found({ state: "failed", not: { message: "shelf" } })).toEqual([]);
  const preview = await t.sluice.bulk.preview(
    { type: "retry" },
    { state: "failed", message: "shelf_7", title: "gone" },
  );
  expect(preview).toMatchObject({ matched: 1 });
  expect(await t.sluice.bulk.preview({ type: "retry" }, { state: "failed", message: "shelf-7" })).toMatchObject({
    matched: 0,
  });
});

it("an input is found by what stands in it", async () => {
  expect(await found({ data: [{ path: ["film", "year"], values: ["1985", "2014"] }] })).toEqual([
    "Brazil (1985)",
    "Gone 100% (2014)",
  ]);
  expect(await found({ data: [{ path: ["film", "name"], values: ["Alien"] }], state: "failed" })).toEqual([]);
  expect(await found({ data: [{ path: ["film", "rating"], values: ["5"] }] })).toEqual([]);
  const both = [
    { path: ["film", "year"], values: ["1985"] },
    { path: ["film", "name"], values: ["Alien"] },
  ];
  expect(await found({ data: both })).toEqual([]);
});
