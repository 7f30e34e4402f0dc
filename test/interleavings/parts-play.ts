// How scenarios about parts begin, and how a worker ends a part and its item.

import type { Database, Queryable } from "../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../src/engine/items/claim.sql.ts";
import { countPartly, lockForEnd, makeParts, mendPartly } from "../../src/engine/items/parts.sql.ts";
import { wakeJoined } from "../../src/engine/items/wake.sql.ts";
import type { Arena } from "./arena.ts";
import { ANNA, ends, enter, fails, must, settled, take, taken, waits } from "./play.ts";

export interface Split {
  /** Claimed again after its parts have ended. */
  readonly item: ClaimedRow;
  /** As they were claimed, in the order of their names. */
  readonly parts: readonly ClaimedRow[];
  readonly partsRequest: string;
}

/** An item whose first part is done and whose others have failed. */
export async function split(arena: Arena, names: readonly string[]): Promise<Split> {
  await enter(arena, ANNA);
  const [first] = await taken(arena, ANNA, [1]);
  if (first === undefined) throw new Error("nothing was claimed");
  return await splitAgain(arena, first, names);
}

/** The same, of an item that is in hand: in the stage where it is. */
export async function splitAgain(arena: Arena, held: ClaimedRow, names: readonly string[]): Promise<Split> {
  const parts = await begin(arena, held, names);
  const outcomes = parts.map((row) => (row.part === names[0] ? ends(row) : fails(row)));
  await settled(arena, outcomes, ANNA);
  await wakeJoined(arena);
  const [item] = await take(arena, arena.dictionary.line, ANNA);
  if (item === undefined) throw new Error("the item was not woken");
  return { item, parts, partsRequest: parts[0]?.request_id ?? "" };
}

/** Makes parts of an item in hand, and claims them. */
export async function begin(
  arena: Arena,
  held: ClaimedRow,
  names: readonly string[],
  isWhole = false,
): Promise<ClaimedRow[]> {
  const { line } = arena.dictionary;
  const lane = line.lanes[held.stage] as number;
  const parts = names.map((name, n) => ({ name, input: JSON.stringify(name), nonce: String(n + 1), lane }));
  await arena.db.transaction(async (tx) => {
    await settled(tx, [waits(held, line, "parts")], ANNA);
    await makeParts(tx, held.id, parts, isWhole);
  });
  const rows = await take(arena, line, ANNA);
  must(rows.length === names.length, "every part can be claimed");
  return rows;
}

/** As the settler does it. */
export async function endItem(db: Database, row: ClaimedRow): Promise<void> {
  await db.transaction(async (tx) => {
    await lockForEnd(tx, row.id, [row.request_id]);
    const accepted = await settled(tx, [ends(row)], ANNA);
    if (accepted.length > 0) await countPartly(tx, row.id, row.request_id);
  });
}

/** Only one that is done may be the last one missing. */
export async function endPart(db: Database, row: ClaimedRow, item: ClaimedRow): Promise<void> {
  await db.transaction(async (tx) => {
    await lockForEnd(tx, row.id, [item.request_id, row.request_id]);
    const accepted = await settled(tx, [ends(row)], ANNA);
    if (accepted.length > 0) await mendPartly(tx, row.request_id);
  });
}

export async function partly(db: Queryable, request: string): Promise<number> {
  const text = "select partly from sluice.request where id = $1";
  const [row] = await db.query<{ partly: number }>({ name: "partly", text }, [request]);
  return row?.partly ?? -1;
}
