import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type SmallWorld, smallWorld } from "../../../test/support/small-world.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { openPglite, type PgliteDatabase } from "../testing/pglite.ts";
import { reclaim } from "./lease.sql.ts";

const film = definePipeline("film", { version: 1, input: z.unknown() }).stage("search", { run: () => done() });
const song = definePipeline("song", { version: 1, input: z.unknown() }).stage("search", { run: () => done() });

let db: PgliteDatabase;
let world: SmallWorld;
beforeAll(async () => {
  db = await openPglite();
  world = await smallWorld(db, [film, song]);
  for (const epoch of ["1", "2"]) await world.worker(epoch);
});
afterAll(() => db.close());

it("what a dead worker held goes before a backlog, of better priority and in other lanes too, and only where asked", async () => {
  await world.submit(song, 2);
  const lost = (await world.claim("1", 2, [song])).map((held) => held.row.id);
  expect(lost).toHaveLength(2);
  await world.submit(film, 20, { priority: 1 });
  await world.submit(song, 20, { priority: 1 });
  expect(await reclaim(db, "1")).toBe(2);

  const elsewhere = await world.claim("2", 3, [film]);
  expect(elsewhere.filter((held) => lost.includes(held.row.id))).toEqual([]);
  expect(elsewhere).toHaveLength(3);

  const next = await world.claim("2", 3, [film, song]);
  expect(next).toHaveLength(3);
  expect(next.map((held) => held.row.id)).toEqual(expect.arrayContaining(lost));
});
