// Which feed this is. Transaction numbers mean something only within one life of one cluster, so the feed's epoch is
// bound to both: the cluster's identity, and its timeline, which changes when a backup is restored or a standby takes over.
//
// The timeline is read from the log's file name: pg_control_checkpoint() shows the old one until the first checkpoint
// after a take-over, and events are written before that.

import type { Queryable, Statement } from "../db/database.ts";

/** For use beside other columns: `system` and `timeline` of the server as it runs now. */
export const serverIdentity = `(
  select c.system_identifier::text as system, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline
  from pg_control_system() c)`;

const TAKE_EPOCH: Statement = {
  name: "take-feed-epoch",
  text: `
insert into sluice.setting as s (name, value)
select 'feed', jsonb_build_object('epoch', $1::text, 'system', here.system, 'timeline', here.timeline)
from ${serverIdentity} here
on conflict (name) do update set value = excluded.value
where s.value ->> 'system' is distinct from excluded.value ->> 'system'
  or s.value ->> 'timeline' is distinct from excluded.value ->> 'timeline'
returning s.name`,
};

/** True when the given token became the epoch; false when the stored one still holds. Others wait until this commits. */
export async function takeFeedEpoch(tx: Queryable, token: string): Promise<boolean> {
  const rows = await tx.query(TAKE_EPOCH, [token]);
  return rows.length === 1;
}

const FOREIGN: Statement = {
  name: "has-foreign-events",
  text: `
select xid::text as xid
from sluice.journal
where xid >= pg_snapshot_xmax(pg_current_snapshot())
order by xid desc, seq desc
limit 1`,
};

/** Whether there are rows from a future of this cluster: they were written in another one, and came in a dump. */
export async function hasForeignEvents(tx: Queryable): Promise<boolean> {
  const rows = await tx.query(FOREIGN, []);
  return rows.length === 1;
}

const UNLIMITED: Statement = { name: "rebase-unlimited", text: `set local statement_timeout = 0` };

// The smallest number a transaction can have: below whatever this cluster gives out, so the order among the old rows has
// to be carried by seq. Deleted and written anew, because an identity column cannot be updated.
const REBASE: Statement = {
  name: "rebase-events",
  text: `
with moved as (
  delete from sluice.journal
  returning xid, seq, at, item_id, request_id, epoch, version, took_ms, kind, stage, to_stage, ended, attempt, series,
    kept, pipeline_id, reason, code, message, output
)
insert into sluice.journal (xid, seq, at, item_id, request_id, epoch, version, took_ms, kind, stage, to_stage, ended, attempt,
  series, kept, pipeline_id, reason, code, message, output)
overriding system value
select '3', row_number() over (order by xid, seq), at, item_id, request_id, epoch, version, took_ms, kind, stage, to_stage,
  ended, attempt, series, kept, pipeline_id, reason, code, message, output
from moved`,
};

/** Numbers every stored event below all that this cluster will write, in the order they had. May take minutes. */
export async function rebaseEvents(tx: Queryable): Promise<void> {
  await tx.query(UNLIMITED, []);
  await tx.query(REBASE, []);
}
