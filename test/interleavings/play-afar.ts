// How scenarios about work that happens elsewhere begin: items whose start is being written down, and watched ones.

import { type ClaimedRow, claim } from "../../src/engine/items/claim.sql.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { type NewIntent, writeIntents } from "../../src/engine/items/intent.sql.ts";
import type { Fence } from "../../src/engine/items/lease.sql.ts";
import type { SeenEnd } from "../../src/engine/items/seen.sql.ts";
import type { Settlement } from "../../src/engine/items/settle.sql.ts";
import { watchEpoch } from "../../src/engine/items/watch.sql.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { registerService } from "../../src/engine/services/service.sql.ts";
import type { Arena } from "./arena.ts";
import { BARN, FARM } from "./dictionary.ts";
import { ask, countOf, ends, enter, must, places, settled } from "./play.ts";

export async function openFarm(arena: Arena, ...epochs: string[]): Promise<void> {
  await enter(arena, ...epochs);
  for (const name of [FARM, BARN]) await registerService(arena, name, service(name, {}).rules);
}

export function keyOf(item: string): string {
  return `key of ${item}`;
}

export function refOf(item: string): string {
  return `job of ${item}`;
}

export function intentOf(arena: Arena, { id, version }: Fence, key = keyOf(id)): NewIntent {
  return { id, version, key, service: FARM, pipeline: arena.dictionary.afar.pipeline, stage: 0, stays: false };
}

/** Submitted and claimed, sorted by id. Nothing is written down yet. */
export async function takenAfar(arena: Arena, epoch: string, total: number): Promise<ClaimedRow[]> {
  const { afar } = arena.dictionary;
  await ask(arena, total, { line: afar });
  const rows = await claim(arena, places(afar.lanes[0] as number), total, epoch);
  must(rows.length === total, "all were claimed");
  return rows.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

/** The same, about to be started. */
export async function starting(arena: Arena, epoch: string, total: number): Promise<ClaimedRow[]> {
  const rows = await takenAfar(arena, epoch, total);
  const intents = rows.map((row) => intentOf(arena, row));
  must((await writeIntents(arena, intents, epoch)).size === total, "all were written down");
  return rows;
}

/** Started: it is watched from now on, in the lane of the farm unless another is given. */
export function starts(arena: Arena, row: ClaimedRow, lane = arena.dictionary.afar.lanes[0] as number): Settlement {
  const detail = { watch: watchEpoch(lane), ref: refOf(row.id), key: keyOf(row.id), keepBegun: true };
  return ends(row, { kind: JOURNAL_KIND.started, ended: 0, toStage: 0, toLane: lane, detail });
}

/** Started by that worker, and watched. */
export async function watched(arena: Arena, epoch: string, total: number, lane?: number): Promise<Fence[]> {
  const rows = await starting(arena, epoch, total);
  const batch = rows.map((row) => starts(arena, row, lane));
  must((await settled(arena, batch, epoch)).length === total, "all were settled");
  return rows.map(({ id, version }) => ({ id, version: version + 1 }));
}

export function endOf({ id, version }: Fence, code = "DONE"): SeenEnd {
  return { id, version, code, message: null, told: JSON.stringify({ ending: code }) };
}

export interface RunNow {
  readonly id: string;
  readonly version: number;
  readonly state: number;
  readonly epoch: string | null;
  readonly lane: number;
  readonly stage: number;
  readonly ref: string | null;
  readonly reason: string | null;
  readonly progress: number | null;
  readonly marks: unknown;
  readonly flags: number;
}

export async function runNow(arena: Arena, id: string): Promise<RunNow> {
  const [row] = await arena.rows<RunNow>("select * from sluice.run where id = $1", [id]);
  if (row === undefined) throw new Error(`item ${id} has no run row`);
  return row;
}

/** Of an intent: "open", "owed", "taken care of" or "over". */
export async function standingOf(db: Arena, key: string): Promise<string | undefined> {
  const [row] = await db.rows<{ standing: string }>(
    `select case when over_at is not null then 'over' when owed_at is null then 'open'
      when cleanup_id is null then 'owed' else 'taken care of' end as standing from sluice.intent where key = $1`,
    [key],
  );
  return row?.standing;
}

/** Written as if long ago, so that whatever touches it shows. */
export async function put(arena: Arena, key: string, item: string, standing: string, service = FARM): Promise<void> {
  const at = "sluice.now() - interval '1 day'";
  const isOwed = standing === "owed" || standing === "taken care of";
  await arena.rows(
    `insert into sluice.intent (key, item_id, service, pipeline_id, stage, intended_at, owed_at, over_at, cleanup_id)
     values ($1, $2, $3, $4, 0, ${at}, ${isOwed ? at : "null"}, ${standing === "over" ? at : "null"},
       ${standing === "taken care of" ? "1" : "null"})`,
    [key, item, service, arena.dictionary.afar.pipeline],
  );
}

/** How many stand as they were put, untouched since. */
export async function untouched(arena: Arena): Promise<number> {
  return await countOf(
    arena,
    "from sluice.intent where key like 'old %' and coalesce(owed_at, over_at) = intended_at and ref is null",
  );
}
