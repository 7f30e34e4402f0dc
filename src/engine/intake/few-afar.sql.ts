// How the few enter that another process may begin at once: the statement that stores them, and tells others of it anyway, leases
// them to a worker that said how many it would be handed, and the notification is a letter to it. Its claim, which would be a
// statement with a commit of its own, falls away.

import type { Queryable } from "../db/database.ts";
import { fairKey } from "../items/fair-key.ts";
import { readyIn, uncountedAmong, valvesAreOf } from "../items/hand-over.sql.ts";
import { LETTER_BYTES, tell } from "../workers/notify.sql.ts";
import { CODEC } from "./entering.sql.ts";
import { arriving, type FewItem, formFor, inForms, storeFew, valuesOf } from "./few.sql.ts";
import type { SubmittedRow } from "./submit.sql.ts";

// All of them go to one worker, or none: a letter has one reader. Its row is locked until the commit, so that it is handed no more
// than it said, and is not marked dead in between; whoever submits at the same moment passes over it.
const AFAR = inForms((form) => ({
  name: `submit-${form.name}-afar`,
  text: `
with inviting as materialized (
  select w.id, w.epoch, w.lanes
  from sluice.worker w
  where w.state = 0 and w.invites >= $14::int and w.lanes @> ${form.lanes}
    and ${valvesAreOf("w.valve_generation")}
  order by w.invites desc, w.id
  limit 1
  for no key update skip locked
),
${arriving(form)},
-- What a claim would answer with; \`letter.ts\` reads it.
letter as materialized (
  select jsonb_build_array(1, (select epoch::text from inviting), jsonb_agg(jsonb_build_array(id::text, request_id::text, lane,
    priority, nonce::text, owner, fairness, (${fairKey("fairness")})::text, trace, ${CODEC}, input::jsonb) order by id))::text as body
  from entering
),
-- What is as urgent and older goes first, in all the lanes that worker serves.
receiver as materialized (
  select i.id, i.epoch
  from inviting i
  where ${form.lanes} <@ array (${uncountedAmong(form.lanes)})
    and not exists (select from ${readyIn("i.lanes", "$15")})
    and octet_length((select body from letter)) < ${LETTER_BYTES}
),
used as (
  update sluice.worker w set invites = w.invites - $14::int from receiver r where w.id = r.id
),
${storeFew({ beside: "left join (select epoch from receiver) to_whom on true", isHeld: "to_whom.epoch is not null", holder: "to_whom.epoch" })}
select id, request_id, (select epoch from receiver) as epoch,
  (select ${tell("case when exists (select from receiver) then (select body from letter) else '' end")}) as told
from entering
${form.inOrder}`,
}));

export interface AfarRow extends SubmittedRow {
  /** Whose they are now; null where they wait for whoever comes. */
  readonly epoch: string | null;
}

/** A row for each item, in their order. Others hear of it with the commit; where it was handed over, it is one who does. */
export async function insertAfar(db: Queryable, items: readonly FewItem[]): Promise<AfarRow[]> {
  const leastUrgent = Math.max(...items.map((item) => item.priority));
  return await db.query<AfarRow>(AFAR[formFor(items)], [...valuesOf(items), items.length, leastUrgent]);
}
