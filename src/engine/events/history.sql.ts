// All that happened to one item. In the order of its versions, which the index gives and which is the order of its life
// even where a transaction with a smaller number committed later. A refused write stands beside the visit it came from.

import type { Queryable, Statement } from "../db/database.ts";
import type { JournalRow } from "./event.ts";

export interface HistoryRow extends Omit<JournalRow, "owner" | "item_key"> {
  readonly version: number;
  readonly kept: boolean;
  readonly worker_host: string | null;
  readonly worker_pid: number | null;
}

/** After which row a page begins. */
export interface HistoryPlace {
  readonly version: number;
  readonly xid: string;
  readonly seq: string;
}

/** From which end it is told. */
export type HistoryOrder = "oldest" | "newest";

const statement = (name: string, beyond: ">" | "<", way: "asc" | "desc"): Statement => ({
  name,
  text: `
select j.version, j.kept, j.xid::text as xid, j.seq, j.at, j.item_id, i.request_id, p.name as pipeline, p.version as pipeline_version,
  p.stages[j.stage + 1] as from_stage, p.stages[j.to_stage + 1] as to_stage, j.kind, j.ended, j.attempt, j.series, j.took_ms,
  j.reason, j.code, j.message, w.id as worker_id, w.name as worker_name, w.host as worker_host, w.pid as worker_pid,
  case when $6::boolean then j.output end as output
from sluice.journal j
join sluice.item i on i.id = j.item_id
join sluice.pipeline p on p.id = i.pipeline_id
left join lateral (select id, name, host, pid from sluice.worker where epoch = j.epoch limit 1) w on true
where j.item_id = $1 and (j.version, j.xid, j.seq) ${beyond} ($2::int, $3::xid8, $4::bigint)
order by j.version ${way}, j.xid ${way}, j.seq ${way}
limit $5`,
});

const HISTORY: { readonly [order in HistoryOrder]: Statement } = {
  oldest: statement("history", ">", "asc"),
  newest: statement("history_newest", "<", "desc"),
};

export async function historyOf(
  db: Queryable,
  item: string,
  order: HistoryOrder,
  after: HistoryPlace,
  limit: number,
  outputs: boolean,
): Promise<HistoryRow[]> {
  return await db.query<HistoryRow>(HISTORY[order], [item, after.version, after.xid, after.seq, limit, outputs]);
}
