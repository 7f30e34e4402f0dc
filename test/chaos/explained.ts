// Whether everything that waits in the middle of the chaos can say why, whether lists say the same, and whether that is what the claim
// would decide. A look explains every waiting item and then has the claims take all they would, in one transaction that is rolled
// back.

import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Queryable } from "../../src/engine/db/database.ts";
import { openPostgres } from "../../src/engine/db/postgres.ts";
import type { Explanation } from "../../src/engine/index.ts";
import { explainItem } from "../../src/engine/read/explain-item.ts";
import { formatId } from "../../src/kit/index.ts";
import { LANES, type LaneRow } from "../simulation/snapshot.sql.ts";
import { agrees, claimEverything } from "../support/claimable.ts";
import { listedOtherwise } from "../support/listed.ts";
import type { Explained } from "./evidence.ts";
import { ALIVE, HELD_LANES, HOLD_STILL, WAITING } from "./explained.sql.ts";
import type { World } from "./world.ts";

const EVERY_MS = 1_500;
const CLAIM_MOST = 100_000;

class RolledBack extends Error {}

interface Waiting {
  readonly id: string;
  readonly lane: number;
}

/** Looks again and again until the run is over, at `most` items each time, and adds what it saw. */
export async function lookAtExplanations({ server, over }: World, explained: Explained, most: number): Promise<void> {
  const db = openPostgres({ url: server.url(), connections: 1, applicationName: "onlooker" });
  try {
    while (!over.signal.aborted) {
      // The database may be away, or somebody who was frozen holds what we want to hold; the next look comes.
      await look(db, explained, most).catch((error: unknown) => {
        if (!(error instanceof RolledBack)) explained.missed += 1;
      });
      await sleep(EVERY_MS);
    }
  } finally {
    await db.close();
  }
}

async function look(db: Database, explained: Explained, most: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(HOLD_STILL, []);
    const waiting = await tx.query<Waiting>(WAITING, [most]);
    const lanes = new Map((await tx.query<LaneRow>(LANES, [])).map((lane) => [lane.id, lane]));
    const told = new Map<string, Explanation>();
    for (const { id } of waiting) told.set(id, await explainItem(tx, () => undefined, formatId("item", id)));
    const otherwise = await listedOtherwise(tx, told);
    const taken = await takeAll(tx, [...lanes.values()]);
    explained.looks += 1;
    explained.wrong.push(...otherwise);
    for (const one of waiting) note(explained, one, told.get(one.id), lanes, taken);
    throw new RolledBack();
  });
}

async function takeAll(tx: Queryable, all: readonly LaneRow[]): Promise<Map<string, number>> {
  const alive = await tx.query<{ epoch: string; pipelines: number[] }>(ALIVE, []);
  const [someone] = alive;
  if (someone === undefined) return new Map();
  const served = new Set(alive.flatMap(({ pipelines }) => pipelines));
  const held = new Set((await tx.query<{ id: number }>(HELD_LANES, [])).map(({ id }) => id));
  // The claims want transactions of their own; here they are all in one.
  const db: Database = {
    query: (statement, values) => tx.query(statement, values),
    transaction: (inside) => inside(tx),
    listen: async () => async () => {},
    close: async () => {},
  };
  const lanes = all.filter(({ pipeline_id }) => served.has(pipeline_id));
  return await claimEverything(db, { epoch: someone.epoch, lanes, isHeld: ({ id }) => held.has(id) }, CLAIM_MOST);
}

function note(
  explained: Explained,
  { id, lane: at }: Waiting,
  told: Explanation | undefined,
  lanes: ReadonlyMap<number, LaneRow>,
  taken: ReadonlyMap<string, number>,
): void {
  const lane = lanes.get(at);
  const { reason, sentence } = told ?? { reason: "nothing", sentence: "" };
  explained.items += 1;
  explained.reasons.set(reason, (explained.reasons.get(reason) ?? 0) + 1);
  const isKnown = reason !== "unknown" && reason !== "nothing" && /\S.*\.$/.test(sentence);
  const isRight = lane !== undefined && agrees(reason, id, lane, taken, (other) => lanes.get(other)?.service ?? "");
  if (isKnown && isRight) return;
  const verdict = taken.has(id) ? "takes" : "leaves";
  explained.wrong.push({ item: id, what: `was told "${reason}" (${sentence}) and the claim ${verdict} it` });
}
