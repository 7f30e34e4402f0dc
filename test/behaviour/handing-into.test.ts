// Items handed into a request that is open: they are its own from then on, and so is whoever hands them in.
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, type RequestId, wait } from "../../src/engine/index.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/index.ts";

const songs = definePipeline("songs", { version: 1, input: z.object({ title: z.string() }) }).stage("fetch", {
  run: ({ input }) => (input.title === "late" ? wait("not_available", { again: "6h" }) : done()),
});

let t: TestSluice;
beforeEach(async () => {
  t = await testSluice({ pipelines: [songs] });
});
afterEach(() => t.close());

const late = { title: "late" };
const fine = { title: "fine" };
const standing = async (request: RequestId) => {
  const { status, counts, owners } = await t.sluice.request(request);
  return [status, counts.total, counts.completed, owners.join()];
};

it("an item joins what is open, its owner too, and the request is over with the last of them", async () => {
  const { request, result } = await t.submit(songs, [late], { owner: "ann", key: "songs" });
  await t.drain();
  const added = await t.submit(songs, [fine, fine], { into: request, owner: "bob" });
  expect(added).toMatchObject({ request, joined: true, items: [expect.any(String), expect.any(String)] });
  await t.drain();
  expect(await standing(request)).toEqual(["PROCESSING", 3, 2, "ann,bob"]);
  expect(await t.trace(added.items[0] ?? expect.unreachable())).toEqual(["fetch accepted", "fetch done"]);
  await t.cancel(request);
  expect((await result()).items.map(({ state }) => state)).toEqual(["cancelled", "done", "done"]);
  expect(await standing(request)).toEqual(["PARTIAL", 3, 2, "ann,bob"]);
});

it("the key of the request is not let go of before what was added has ended", async () => {
  const first = await t.submit(songs, [late], { key: "songs" });
  await t.submit(songs, [late], { into: first.request });
  await t.drain();
  await t.cancel(first.items[0] ?? expect.unreachable());
  expect(await t.submit(songs, [fine], { key: "songs" })).toMatchObject({ joined: true, request: first.request });
});

it("without inputs only the owner joins, also what is over", async () => {
  const { request } = await t.submit(songs, [fine], { owner: "ann" });
  await t.drain();
  expect(await t.submit(songs, [], { into: request, owner: "bob" })).toMatchObject({ joined: true, items: [] });
  expect(await standing(request)).toEqual(["COMPLETED", 1, 1, "ann,bob"]);
});

it("what is over, gone, or made by an item takes nothing, and a dry run says the same", async () => {
  const { request } = await t.submit(songs, [fine]);
  await t.drain();
  const nobody = "req_0000000000999" as RequestId;
  for (const [into, code] of [
    [request, "REQUEST_OVER"],
    [nobody, "NOT_FOUND"],
  ] as const) {
    await expect(t.submit(songs, [fine], { into })).rejects.toMatchObject({ code, field: "into" });
    await expect(t.sluice.wouldSubmit(songs, [fine], { into })).rejects.toMatchObject({ code, field: "into" });
  }
  expect(await standing(request)).toEqual(["COMPLETED", 1, 1, ""]);
});

it("what is being removed takes nothing", async () => {
  const { request } = await t.submit(songs, [late]);
  await t.db.query(
    {
      name: "x",
      text: "insert into sluice.removal (request_id, asked_by, asked_at, due_at) select id, 'ann', sluice.now(), 'infinity' from sluice.request",
    },
    [],
  );
  await expect(t.submit(songs, [fine], { into: request })).rejects.toMatchObject({ code: "REQUEST_OVER" });
});

it("a key beside it is refused: it would name a request, too", async () => {
  const { request } = await t.submit(songs, [late]);
  await expect(t.submit(songs, [fine], { into: request, key: "k" })).rejects.toMatchObject({ field: "into" });
  await expect(t.submit(songs, [fine], { into: "no" as RequestId })).rejects.toMatchObject({ field: "into" });
});
