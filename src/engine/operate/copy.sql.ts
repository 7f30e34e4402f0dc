// A copy of an item begins in the middle of its pipeline: what the stages before had handed on is carried over, as if they
// had been left out with that for an output.

import type { Queryable, Statement } from "../db/database.ts";
import { storedFairness } from "../items/fair-key.ts";

export interface CopySource {
  readonly id: string;
  /** Known to nobody outside. */
  readonly nonce: string;
  readonly owner: string | null;
  readonly fairness: string;
  readonly input: string;
  readonly title: string | null;
  readonly priority: number;
  readonly lane: number;
}

const SOURCE: Statement = {
  name: "copy-source",
  text: `
select i.id, i.nonce, i.owner, ${storedFairness("i")} as fairness, i.input::text as input, i.title, i.priority, l.id as lane
from sluice.item i
join sluice.lane l on l.pipeline_id = $2 and l.stage = $3 and l.is_entry
where i.id = $1`,
};

/** What the copy takes over, and the lane it enters by. */
export async function copySource(
  db: Queryable,
  item: string,
  at: { readonly pipeline: number; readonly stage: number },
): Promise<CopySource | undefined> {
  const [row] = await db.query<CopySource>(SOURCE, [item, at.pipeline, at.stage]);
  return row;
}

const CARRY: Statement = {
  name: "carry-outputs",
  text: `
with placed as (
  update sluice.run set stage = $2::int, version = $2::int, flags = 1 where id = $1 returning id, request_id
)
insert into sluice.journal (at, item_id, request_id, version, kind, stage, to_stage, series, message, output)
select sluice.now(), p.id, p.request_id, u.stage + 1, 2, u.stage, u.stage + 1, 1, $3, u.output::jsonb
from placed p
cross join unnest($4::smallint[], $5::text[]) u (stage, output)`,
};

/** For an item that was made in the same transaction. `outputs` has one for every stage before, null where there is none. */
export async function carryOutputs(
  db: Queryable,
  item: string,
  outputs: readonly (string | null)[],
  message: string,
): Promise<void> {
  const stages = outputs.map((_, stage) => stage);
  await db.query(CARRY, [item, outputs.length, message, stages, outputs]);
}

const AUDIT: Statement = {
  name: "audit-copy",
  text: `
insert into sluice.audit (at, actor, action, item_id, request_id, detail)
values (sluice.now(), $1, 'replay', $2, $3, $4::text::jsonb)`,
};

export async function auditCopy(
  db: Queryable,
  actor: string,
  source: { readonly id: string; readonly request: string },
  detail: unknown,
): Promise<void> {
  await db.query(AUDIT, [actor, source.id, source.request, JSON.stringify(detail)]);
}
