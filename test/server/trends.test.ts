// How work went, over HTTP: what is told leads to what it is about, and to members of nobody else's.

import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, permanent } from "../../src/engine/index.ts";
import { type AppWorld, openAppWorld, type Person } from "../support/app-world.ts";

const films = definePipeline("films", { version: 1, input: z.object({ says: z.string() }), title: "says" }).stage(
  "fetch",
  {
    run: ({ input: { says } }) => {
      if (says === "well") return done();
      throw permanent("GW_TIMEOUT", says);
    },
  },
);

let world: AppWorld;
const ask = async (path: string, as: Person) => (await world.ask(`/api/v1${path}`, { as })).json;
const listed = async (filter: string, as: Person): Promise<string[]> =>
  (await ask(`/items?filter=${encodeURIComponent(filter)}`, as)).entries.map((one: { title: string }) => one.title);

beforeAll(async () => {
  world = await openAppWorld([films]);
  const hand = (owner: string, ...says: string[]) =>
    world.t.submit(
      films,
      says.map((one) => ({ says: one })),
      { owner },
    );
  await hand("mia", "no answer after 3s", "well");
  await hand("mo", "no answer after 4s", 'cannot open "x"');
  await world.t.advance("1m");
});
afterAll(() => world.close());

it("a cause leads to the items that failed of it", async () => {
  const { causes, scope, done: told } = await ask("/trends?range=1h&pipeline=films", "ann");
  expect([scope, told.reduce((sum: number, one: number) => sum + one, 0)]).toEqual(["all", 1]);
  expect(causes).toMatchObject([
    { code: "GW_TIMEOUT", count: 3, filter: "state:failed kind:item error:GW_TIMEOUT age:<1h pipeline:films" },
  ]);
  expect(await listed(causes[0].filter, "ann")).toHaveLength(3);
});

it("a group of failures leads to its own, in lists and operations", async () => {
  const { entries, looked, isMore } = await ask("/failures", "vic");
  expect({ looked, isMore }).toEqual({ looked: 3, isMore: false });
  expect(entries.map(({ message, count }: { message: string; count: number }) => [message, count])).toEqual([
    ["no answer after #s", 2],
    ["cannot open …", 1],
  ]);
  for (const { filter, count } of entries) {
    expect(await listed(filter, "ann")).toHaveLength(count);
    const order = { method: "POST", as: "ann", body: { action: { type: "retry" }, filter } } as const;
    expect((await world.ask("/api/v1/bulk?dryRun=true", order)).json.preview).toMatchObject({ matched: count });
  }
});

it("to a member all of it is of their own", async () => {
  expect(await ask("/trends?range=1h", "mia")).toMatchObject({
    ...{ scope: "own", causes: [{ count: 1 }] },
    week: { done: 1, failed: 1, stalls: null, breakerOpenings: null, checkpointResumes: null },
  });
  expect((await ask("/failures", "mia")).entries).toMatchObject([{ count: 1, message: "no answer after #s" }]);
});

it("what is not there is said to be", async () => {
  const { status, json } = await world.ask("/api/v1/trends?pipeline=film", { as: "ann" });
  expect([status, json.detail]).toEqual([400, 'there is no pipeline film; did you mean "films"?']);
  expect((await world.ask("/api/v1/trends?range=2h", { as: "ann" })).status).toBe(400);
});

it("a group's filter finds all of it, whatever blanks their messages have and where they have no code", async () => {
  await world.t.submit(films, [{ says: "two\n  lines of 1" }, { says: "two\tlines of 2" }], { owner: "vic" });
  await world.t.advance("1m");
  const groups = (await ask("/failures", "ann")).entries as { message: string; count: number; filter: string }[];
  const lines = groups.find(({ message }) => message.startsWith("two"));
  expect(lines).toMatchObject({ message: "two … lines of #", count: 2 });
  expect(await listed(lines?.filter ?? "", "ann")).toHaveLength(2);
  const text = "update sluice.journal set code = null where ended = 2 and message like 'two%'";
  await world.t.db.query({ name: "test-no-code", text }, []);
  const unknown = ((await ask("/failures", "ann")).entries as { code: string; filter: string }[]).find(
    ({ code }) => code === "UNKNOWN",
  );
  expect(await listed(unknown?.filter ?? "", "ann")).toHaveLength(2);
});
