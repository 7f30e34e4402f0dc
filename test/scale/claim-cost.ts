// What claiming a hundred items costs, in pages looked at: with few rows, with very many, and while an old snapshot keeps
// vacuum from removing what was claimed before.

import pg from "pg";
import { claim } from "../../src/engine/items/claim.sql.ts";
import { Claimer } from "../../src/engine/workers/claimer.ts";
import { seededRandom } from "../../src/kit/index.ts";
import type { TestServer } from "../support/server.ts";
import { type BigDatabase, buffersOf, EPOCH, load, openBig } from "./database.ts";

export interface ClaimCost {
  readonly few: number;
  readonly many: number;
  /** With the floor, after many claims under an old snapshot. */
  readonly oldSnapshot: number;
  /** The same moment without the floor: what it is there for. */
  readonly withoutFloor: number;
}

const FEW = 10_000;
const CLAIMED = 100;
const PAST = "sluice.now() - interval '1 hour' + n * interval '1 microsecond'";
const FUTURE = "sluice.now() + interval '1 hour' + n * interval '1 microsecond'";

/** `rows` of each kind: queued, deferred, behind a closed valve. */
export async function measureClaims(server: TestServer, rows: number, claims: number): Promise<ClaimCost> {
  const small = await openBig(server, "few");
  await load(small, { count: FEW, lane: small.lanes[0], readyAt: PAST });
  const few = await claimCost(small);
  await small.close();
  const big = await openBig(server, "many");
  await load(big, { count: rows, lane: big.lanes[0], readyAt: PAST });
  await load(big, { count: rows, lane: big.lanes[0], readyAt: FUTURE });
  await load(big, { count: rows, lane: big.lanes[1], readyAt: PAST });
  const many = await claimCost(big);
  const { oldSnapshot, withoutFloor } = await underOldSnapshot(server, big, claims);
  await big.close();
  return { few, many, oldSnapshot, withoutFloor };
}

async function claimCost(big: BigDatabase): Promise<number> {
  // The first claim after a load also sets hint bits and reads catalogues; the second is what every other one is like.
  await claim(big.db, everything(big), CLAIMED, EPOCH);
  await claim(big.explaining, everything(big), CLAIMED, EPOCH);
  const plan = big.explaining.plans.at(-1);
  if (plan === undefined) throw new Error("nothing was explained");
  return buffersOf(plan);
}

function everything(big: BigDatabase) {
  return [1, 2, 3, 4, 5].flatMap((priority) => big.lanes.map((lane) => ({ lane, priority, floor: 0 })));
}

async function underOldSnapshot(
  server: TestServer,
  big: BigDatabase,
  claims: number,
): Promise<{ oldSnapshot: number; withoutFloor: number }> {
  const holder = new pg.Client(server.url("many"));
  await holder.connect();
  await holder.query("begin isolation level repeatable read");
  await holder.query("select count(*) from sluice.lane");
  try {
    let isExplaining = false;
    const query: typeof big.db.query = (statement, values) =>
      isExplaining ? big.explaining.query(statement, values) : big.db.query(statement, values);
    const claimer = new Claimer({
      db: { ...big.explaining, query },
      // It stands still: in life the floor is dropped once a second, and one claim in a second then costs more.
      clock: { ...stopped },
      random: seededRandom(1),
      epoch: () => EPOCH,
      isClosed: () => false,
      registry: { lanes: () => big.places },
      services: { has: () => false },
    });
    for (let claimed = 0; claimed < claims; ) {
      const batch = await claimer.claim(500);
      if (batch.length === 0) throw new Error("there was too little to claim");
      claimed += batch.length;
    }
    await big.client.query("vacuum sluice.run");
    isExplaining = true;
    await claimer.claim(CLAIMED);
    const oldSnapshot = buffersOf(big.explaining.plans.at(-1) as Parameters<typeof buffersOf>[0]);
    await claim(big.explaining, everything(big), CLAIMED, EPOCH);
    const withoutFloor = buffersOf(big.explaining.plans.at(-1) as Parameters<typeof buffersOf>[0]);
    return { oldSnapshot, withoutFloor };
  } finally {
    await holder.query("rollback");
    await holder.end();
  }
}

const stopped = { monotonic: () => 0, now: () => 0, sleep: () => Promise.resolve() };

/** What must hold, as sentences; empty when all of it does. */
export function tooDear({ few, many, oldSnapshot }: ClaimCost): string[] {
  const most = 1.5 * few;
  return [
    ...(many <= most ? [] : [`claiming ${CLAIMED} of very many looks at ${many} pages, of ${FEW} at ${few}`]),
    ...(oldSnapshot <= most ? [] : [`under an old snapshot it looks at ${oldSnapshot} pages, without at ${few}`]),
  ];
}
