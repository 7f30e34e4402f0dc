// Leases and obligations that something tore away from whoever had them: nothing stays behind.

import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { claimThrough } from "../../src/engine/items/claim-service.sql.ts";
import { learnRef } from "../../src/engine/items/intent.sql.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { takeProbe } from "../../src/engine/services/service.sql.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { formatId } from "../../src/kit/index.ts";

const torrents = service<Scripted>("torrents", { capacity: 1 });
const films = definePipeline("films", { version: 1, input: z.object({ title: z.string() }) }).stage("download", {
  outside: torrents,
  start: ({ key, input }, client) => client.start(key, input),
  adopt: ({ key }, client) => client.adopt(key),
  look: (refs, client) => client.look(refs),
  cancel: (ref, client) => client.cancel(ref),
  timeout: "10s",
});

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function opened(client: Scripted, titles: readonly string[] = ["Alien"]) {
  const t = await testSluice({ pipelines: [films], services: { torrents: client } });
  open = t;
  const { items } = await t.submit(
    films,
    titles.map((title) => ({ title })),
  );
  const ask = async <Row>(text: string): Promise<Row[]> => await t.db.query<Row>({ name: text, text }, []);
  const [item] = items;
  if (item === undefined) throw new Error("nothing was submitted");
  return { t, item, ask };
}

it("a clean-up that somebody cancels is owed all the same", async () => {
  const client = scripted().stallsAt(20);
  const { t, item, ask } = await opened(client);
  await t.advance("30s");
  client.goesDown();
  await t.cancel(item);
  await t.advance("10s");
  const cleanups = () => ask<{ id: string }>("select cleanup_id::text as id from sluice.intent where over_at is null");
  const [first] = await cleanups();
  expect((await t.cancel(formatId("item", first?.id ?? ""))).ok).toBe(true);
  await t.advance("10s");
  const [second] = await cleanups();
  expect(second?.id).not.toBe(first?.id);
  client.recovers();
  await t.advance("1h");
  expect(client.cancelled).toEqual(["job-1"]);
  expect(await t.owed()).toEqual([]);
});

it("somebody who comes too late with a job of his own does not hide the one that is watched", async () => {
  const client = scripted().stallsAt(20);
  const { t, item, ask } = await opened(client);
  await t.advance("30s");
  const [intent] = await ask<{ key: string }>("select key from sluice.intent");
  await learnRef(t.db, intent?.key ?? "", "job-2");
  await t.cancel(item);
  await t.advance("2s");
  await t.advance("1m");
  expect(client.cancelled).toEqual(["job-1"]);
});

it("what was never found is not looked for as long as a clock was set back", async () => {
  const client = scripted().goesDown();
  const { t, item, ask } = await opened(client);
  await t.advance("5s");
  await t.cancel(item);
  client.recovers();
  await ask("update sluice.intent set intended_at = sluice.now() + interval '30 days'");
  await t.advance("2s");
  await t.advance("1h");
  expect(await t.owed()).toEqual([]);
});

it("a probe whose answer was lost is taken by whoever asked for it, and by nobody else", async () => {
  const { t, ask } = await opened(scripted());
  await ask("update sluice.service set is_open = true, probe_at = sluice.now()");
  const [worker] = await ask<{ epoch: string }>("select epoch::text from sluice.worker where state = 0");
  const epoch = worker?.epoch ?? "";
  expect(await takeProbe(t.db, "torrents", epoch, 60_000)).toBe(true);
  expect(await takeProbe(t.db, "torrents", epoch, 60_000)).toBe(false);
  expect(await takeProbe(t.db, "torrents", "17", 60_000, true)).toBe(false);
  expect(await takeProbe(t.db, "torrents", epoch, 60_000, true)).toBe(true);
});

it("an item that is let through an open breaker needs room like every other", async () => {
  const { t, ask } = await opened(scripted().stallsAt(20), ["Alien", "Aliens"]);
  await t.advance("10s");
  const [worker] = await ask<{ epoch: string }>("select epoch::text from sluice.worker where state = 0");
  const epoch = worker?.epoch ?? "";
  await ask(`update sluice.service set is_open = true, probe_at = sluice.now()`);
  expect(await takeProbe(t.db, "torrents", epoch, 60_000)).toBe(true);
  const lanes = await ask<{ lane: number }>(
    "select id as lane from sluice.lane where service = 'torrents' order by id",
  );
  const places = lanes.flatMap(({ lane }) => [1, 2, 3, 4, 5].map((priority) => ({ lane, priority, floor: 0 })));
  expect(await claimThrough(t.db, "torrents", places, epoch)).toEqual([]);
  await ask("update sluice.service set capacity = 2");
  expect(await claimThrough(t.db, "torrents", places, epoch)).toHaveLength(1);
});
