// The first page of any list, by any filter, costs the same among very many rows: it looks at a bounded number of them,
// whatever the statistics say, and without any.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/engine/db/database.ts";
import { type ItemFilter, listItems } from "../../src/engine/read/list-items.ts";
import { listRequests, type RequestFilter } from "../../src/engine/read/list-requests.ts";
import { formatId } from "../../src/kit/index.ts";
import { type BigDatabase, buffersOf, load, openBig, startBigServer } from "../scale/database.ts";
import type { TestServer } from "../support/server.ts";

const FEW = 10_000;
const MANY = 100_000;
const PAST = "sluice.now() - interval '1 hour' + n * interval '1 microsecond'";
const FUTURE = "sluice.now() + interval '1 hour' + n * interval '1 microsecond'";

let server: TestServer;
let few: BigDatabase;
let many: BigDatabase;

beforeAll(async () => {
  server = await startBigServer();
  few = await filled("few", FEW);
  many = await filled("many", MANY);
}, 180_000);

afterAll(async () => {
  await few?.close();
  await many?.close();
  await server?.stop();
});

/** Half of them live; a hundred are somebody's, and a few, the oldest, have failed. */
async function filled(name: string, rows: number): Promise<BigDatabase> {
  const big = await openBig(server, name);
  await load(big, { count: rows / 2, lane: big.lanes[0], readyAt: PAST, perRequest: 4 });
  await load(big, { count: rows / 2, lane: big.lanes[0], readyAt: FUTURE, perRequest: 4 });
  await big.client.query("delete from sluice.run where id <= $1", [rows / 2]);
  await big.client.query(
    "update sluice.item set state = case when id <= 20 then 2 else 1 end, finished_at = sluice.now() where id <= $1",
    [rows / 2],
  );
  await big.client.query(
    `insert into sluice.journal (at, item_id, version, kind, stage, ended)
     select sluice.now(), id, 1, 1, 0, state from sluice.item where state <> 0`,
  );
  await big.client.query("update sluice.item set owner = 'ann' where id % $1 = 0", [rows / 100]);
  await big.client.query("update sluice.request set key = 'k' || id");
  await big.client.query(
    "insert into sluice.request_owner (request_id, owner, joined_at) select id, 'ann', sluice.now() from sluice.request where id % $1 = 0",
    [rows / 400],
  );
  return big;
}

const items: Record<string, ItemFilter> = {
  all: {},
  "a pipeline": { pipeline: "big" },
  "a version that is not there": { pipeline: "big", version: 7 },
  "a stage": { stage: "open" },
  "a stage that nobody is in": { stage: "closed" },
  queued: { state: "queued" },
  waiting: { state: "waiting" },
  "failed, which are few and old": { state: "failed" },
  cancelled: { state: "cancelled" },
  "a reason": { reason: "not_available" },
  "an owner": { owner: "ann" },
  "an owner without anything": { owner: "bob" },
  "an owner's failed ones": { owner: "ann", state: "failed" },
  "a request": { request: formatId("request", "50") },
  "a key": { key: "k50" },
};
const requests: Record<string, RequestFilter> = {
  all: {},
  "an owner": { owner: "ann" },
  "a key": { key: "k50" },
  over: { over: true },
  "an owner's that are over": { owner: "ann", over: true },
};

type Look = (db: Queryable) => Promise<unknown>;
const looks: readonly (readonly [string, Look])[] = [
  ...Object.entries(items).map(([name, filter]): [string, Look] => [
    `items: ${name}`,
    (db) => listItems(db, () => undefined, filter),
  ]),
  ...Object.entries(requests).map(([name, filter]): [string, Look] => [
    `requests: ${name}`,
    (db) => listRequests(db, filter),
  ]),
];

/** Pages, the second time: the first sets hint bits. */
async function costOf(big: BigDatabase, look: Look): Promise<number> {
  for (let time = 0; time < 2; time += 1) await look(big.explaining);
  const plan = big.explaining.plans.at(-1);
  if (plan === undefined) throw new Error("nothing was explained");
  return buffersOf(plan);
}

describe.each(["never counted", "counted now"])("with statistics %s", (when) => {
  beforeAll(async () => {
    if (when === "never counted") return;
    for (const { client } of [few, many]) await client.query("analyze");
  }, 60_000);

  it.each(looks)("%s", async (_, look) => {
    const cost = { few: await costOf(few, look), many: await costOf(many, look) };
    // Ten times as many rows; deeper trees cost a page more for each row that is looked up.
    expect(cost.many, JSON.stringify(cost)).toBeLessThanOrEqual(Math.max(200, cost.few * 2));
  });
});
