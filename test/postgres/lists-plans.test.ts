// The first page of any list, by any filter, costs the same among very many rows: it looks at a bounded number of them,
// whatever the statistics say, and without any.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/engine/db/database.ts";
import { findAllFacts } from "../../src/engine/explain/explain.sql.ts";
import { AHEAD_MOST } from "../../src/engine/explain/explanation.ts";
import { findLaneFacts } from "../../src/engine/explain/lane-facts.sql.ts";
import { LOOKED_MOST } from "../../src/engine/read/page.ts";
import { type BigDatabase, buffersOf, nodesOf, startBigServer } from "../scale/database.ts";
import { fillLists, LOOKS, type Look } from "../scale/lists.ts";
import type { TestServer } from "../support/server.ts";

const FEW = 10_000;
const MANY = 100_000;
/** What is held is put in order where it is no more than this. */
const ROWS_MOST = 5 * LOOKED_MOST + 1;
/** Pages: what looking at as many rows as a page may look at comes to. */
const WHOLE_LOOK = LOOKED_MOST * 6;

const PAGE = 100;

let server: TestServer;
let few: BigDatabase;
let many: BigDatabase;

beforeAll(async () => {
  server = await startBigServer();
  few = await fillLists(server, "few", FEW);
  many = await fillLists(server, "many", MANY);
}, 180_000);

afterAll(async () => {
  await few?.close();
  await many?.close();
  await server?.stop();
});

interface Cost {
  readonly pages: number;
  /** Of the tables that grow, the most that one step of the plan read. */
  readonly rows: number;
}

const GROWS = /^(item|run|request|request_owner|journal_.*)$/;

/** What is told of lanes decides where a list looks. */
const listing = (big: BigDatabase): Queryable => ({
  query: (statement, values) =>
    statement.name === "explain-lanes" ? big.db.query(statement, values) : big.explaining.query(statement, values),
});

/** The second time: the first sets hint bits. */
async function costOf(big: BigDatabase, { run }: Pick<Look, "run">): Promise<Cost> {
  for (let time = 0; time < 2; time += 1) await run(listing(big));
  const plan = big.explaining.plans.at(-1);
  if (plan === undefined) throw new Error("nothing was explained");
  const read = [...nodesOf(plan)]
    .filter((node) => GROWS.test(node["Relation Name"] ?? ""))
    .map((node) => ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1));
  return { pages: buffersOf(plan), rows: Math.max(0, ...read) };
}

describe.each(["never counted", "counted now"])("with statistics %s", (when) => {
  beforeAll(async () => {
    if (when === "never counted") return;
    for (const { client } of [few, many]) await client.query("analyze");
  }, 60_000);

  it.each(LOOKS)("$name", async (look) => {
    const cost = { few: await costOf(few, look), many: await costOf(many, look) };
    expect(cost.many.rows, JSON.stringify(cost)).toBeLessThanOrEqual(ROWS_MOST);
    // Ten times as many rows; deeper trees cost a page more for each row that is looked up. A whole small table may be cheaper
    // than as many look-ups as a page may make.
    const most = look.grows ? WHOLE_LOOK : Math.max(2 * LOOKED_MOST + 200, cost.few.pages * 2);
    expect(cost.many.pages, JSON.stringify(cost)).toBeLessThanOrEqual(most);
  });

  it.each([
    ["in line", "r.lane = $1 and r.ready_at < sluice.now()"],
    ["behind a closed valve", "r.lane <> $1 and r.ready_at < sluice.now()"],
    ["for themselves", "r.lane = $1 and r.ready_at > sluice.now()"],
  ])("why a page of those waits that do so %s", async (_, where) => {
    const [fewPages = 0, manyPages = 0] = [await pagesOf(few, where), await pagesOf(many, where)];
    // Who is ahead is counted so far and no further, once for all of them.
    expect(manyPages, `${fewPages} among few`).toBeLessThanOrEqual(fewPages * 2 + AHEAD_MOST);
  });

  it("why lanes keep what is due in them", async () => {
    await findLaneFacts(many.explaining);
    const plan = many.explaining.plans.at(-1);
    expect(plan && buffersOf(plan)).toBeLessThan(100);
  });
});

async function pagesOf(big: BigDatabase, where: string): Promise<number> {
  const { rows } = await big.client.query(
    `select r.id from sluice.run r where r.state = 0 and ${where} order by r.id desc limit ${PAGE}`,
    [big.lanes[0]],
  );
  expect(rows).toHaveLength(PAGE);
  return (
    await costOf(big, {
      run: (db) =>
        findAllFacts(
          db,
          rows.map(({ id }) => id),
        ),
    })
  ).pages;
}
