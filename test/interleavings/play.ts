// How scenarios begin: workers, items submitted and claimed, and settlements of what is held.

import type { Queryable } from "../../src/engine/db/database.ts";
import { insertRequests } from "../../src/engine/intake/submit.sql.ts";
import { type ClaimedRow, type ClaimPlace, claim } from "../../src/engine/items/claim.sql.ts";
import { ITEM_STATE, JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { type Settlement, settle } from "../../src/engine/items/settle.sql.ts";
import { setValve } from "../../src/engine/operate/valve.sql.ts";
import { enterWorker, markDead } from "../../src/engine/workers/worker-row.sql.ts";
import type { Arena } from "./arena.ts";
import type { Line } from "./dictionary.ts";

export const ANNA = "7001";
export const BERT = "7002";

export async function enter(arena: Arena, ...epochs: string[]): Promise<void> {
  for (const epoch of epochs) {
    const who = { name: `worker ${epoch}`, host: "here", pid: Number(epoch), pidStarted: "1" };
    await enterWorker(arena, who, epoch, [arena.dictionary.line.pipeline]);
  }
}

/** Some valve, of no lane in the play. */
export async function moveValves(arena: Arena): Promise<void> {
  await setValve(arena, { kind: "pause", scope: { stage: "elsewhere" }, closed: true, note: null, actor: "person" });
}

/** As its beat would say it. */
export async function knowValves(arena: Arena, epoch: string): Promise<void> {
  const newest = "(select generation from sluice.valve_clock)";
  await arena.rows(`update sluice.worker set valve_generation = ${newest} where epoch = $1`, [epoch]);
}

export async function kill(arena: Arena, epoch: string): Promise<void> {
  if (!(await markDead(arena, epoch, "0"))) throw new Error("it was dead already");
}

export interface Asked {
  readonly line?: Line;
  readonly delayMs?: number;
  readonly priority?: number;
  readonly key?: string;
  readonly parent?: string;
  readonly fairness?: string;
}

export interface Given {
  readonly request: string;
  readonly items: readonly string[];
}

export async function ask(arena: Arena, total: number, asked: Asked = {}): Promise<Given> {
  const [only] = await askAll(arena, [total], asked);
  return only as Given;
}

/** One request for each number, with that many items. */
export async function askAll(arena: Arena, totals: readonly number[], asked: Asked = {}): Promise<Given[]> {
  const given = await askOn(arena, arena.dictionary.line, totals, asked);
  return given;
}

export async function askOn(
  db: Queryable,
  usual: Line,
  totals: readonly number[],
  { line = usual, delayMs = 0, priority = 3, key, parent, fairness }: Asked = {},
): Promise<Given[]> {
  const requests = totals.map((total) => ({ total, key: key ?? null, owner: null, parent: parent ?? null }));
  const items = totals.flatMap((total, index) =>
    Array.from({ length: total }, (_, n) => ({
      request: index + 1,
      pipeline: line.pipeline,
      lane: line.lanes[0] as number,
      nonce: String(index * 1000 + n + 1),
      priority,
      delayMs,
      owner: null,
      fairness: fairness ?? null,
      key: null,
      input: "{}",
    })),
  );
  const rows = await insertRequests(db, requests, items);
  const ids = [...new Set(rows.map((row) => row.request_id))];
  return ids.map((request) => ({
    request,
    items: rows.filter((row) => row.request_id === request).map((row) => row.id),
  }));
}

/** Every priority of these lanes, without a floor. */
export function places(...lanes: readonly number[]): ClaimPlace[] {
  return [1, 2, 3, 4, 5].flatMap((priority) => lanes.map((lane) => ({ lane, priority, floor: 0 })));
}

/** The same, where keys take turns: they begin with the first. */
export function turnsOf(...lanes: readonly number[]): ClaimPlace[] {
  return places(...lanes).map((place) => ({ ...place, after: "-9223372036854775808" }));
}

/** Claims everything that is due in the line, sorted by id. */
export async function take(db: Queryable, line: Line, epoch: string, most = 100): Promise<ClaimedRow[]> {
  const rows = await claim(db, places(...line.lanes), most, epoch);
  return rows.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

/** Submits and claims: what most scenarios begin with. */
export async function taken(arena: Arena, epoch: string, totals: readonly number[]): Promise<ClaimedRow[]> {
  await askAll(arena, totals);
  return await take(arena, arena.dictionary.line, epoch);
}

type Change = Partial<Settlement>;

/** Done and over. */
export function ends(row: Pick<ClaimedRow, "id" | "version" | "stage" | "priority">, change: Change = {}): Settlement {
  return {
    id: row.id,
    version: row.version,
    pipeline: null,
    stage: row.stage,
    kind: JOURNAL_KIND.done,
    ended: ITEM_STATE.done,
    toStage: null,
    toLane: null,
    handOff: false,
    priority: row.priority,
    tookMs: 1,
    output: null,
    detail: null,
    ...change,
  };
}

/** Done, and on to the next stage of the line: queued unless `handOff` is asked for. */
export function advances(row: ClaimedRow, line: Line, change: Change = {}): Settlement {
  const toStage = row.stage + 1;
  return ends(row, { ended: 0, toStage, toLane: line.lanes[toStage] as number, ...change });
}

/** Waits in its stage for something to wake it. */
export function waits(row: ClaimedRow, line: Line, reason: string): Settlement {
  return ends(row, {
    kind: JOURNAL_KIND.wait,
    ended: 0,
    toStage: row.stage,
    toLane: line.lanes[row.stage] as number,
    detail: { reason, delayMs: null },
  });
}

export function fails(row: ClaimedRow, change: Change = {}): Settlement {
  return ends(row, {
    kind: JOURNAL_KIND.fault,
    ended: ITEM_STATE.failed,
    detail: { code: "BROKEN", attempt: 1 },
    ...change,
  });
}

/** Settles, and says which items were accepted. */
export async function settled(
  db: Queryable,
  batch: readonly Settlement[],
  epoch: string,
  servedLanes: readonly number[] = [],
): Promise<string[]> {
  const rows = await settle(db, batch, { epoch, servedLanes });
  return rows.map((row) => row.id);
}

export async function countOf(arena: Arena, text: string, values: unknown[] = []): Promise<number> {
  const [row] = await arena.rows<{ n: number }>(`select count(*)::int as n ${text}`, values);
  return row?.n ?? -1;
}

/** How many journal rows of a kind an item has. */
export async function journalled(arena: Arena, item: string, kind: keyof typeof JOURNAL_KIND): Promise<number> {
  return await countOf(arena, "from sluice.journal where item_id = $1 and kind = $2", [item, JOURNAL_KIND[kind]]);
}

/** Writes a row anew until it lies last in its table's file, so that reading the file gives another order than ids. */
export async function moveBehind(
  arena: Arena,
  table: "run" | "request" | "item",
  id: string | undefined,
): Promise<void> {
  // In one transaction: else the places it left are free again at once, and it moves back and forth between two.
  await arena.rows("begin");
  for (let tries = 0; tries < 200; tries += 1) {
    const [last] = await arena.rows<{ id: string }>(`select id from sluice.${table} order by ctid desc limit 1`);
    if (last?.id === id) break;
    await arena.rows(`update sluice.${table} set id = id where id = $1`, [id]);
  }
  await arena.rows("commit");
  const [last] = await arena.rows<{ id: string }>(`select id from sluice.${table} order by ctid desc limit 1`);
  must(last?.id === id, "it lies behind the others");
}

export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}

/** Sorted, joined: for comparing sets in a message. */
export function listed(ids: readonly unknown[]): string {
  return ids.map(String).sort().join(" ");
}

/** Whoever had an item later, and lost it, is refused with a later version than that of its end. */
export async function refuseLater(arena: Arena): Promise<void> {
  await arena.rows("update sluice.journal set version = version + 1 where kind = 9");
}
