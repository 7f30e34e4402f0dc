// What was encoded for an item before, and is still kept.

import type { EncodingProfile } from "../../../connectors/index.ts";
import type { Queryable, Statement } from "../../../engine/index.ts";
import type { Encoded } from "../encoded.ts";

export interface MadeOf {
  readonly item: string;
  readonly profile: EncodingProfile;
  readonly source: string;
  readonly sourceBytes: number;
}

// Of the same source, in the same encoding. Not what is about to be removed; and not what was made before somebody had the item encoded once
// more, or from an earlier stage on: they want another one.
const MADE_BEFORE: Statement = {
  name: "media-made-before",
  text: `
select j.outcome
from media.encode_job j
join sluice.item i on i.id = j.item_id
join sluice.pipeline l on l.id = i.pipeline_id
where j.item_id = $1 and j.encoding = $2 and j.profile = $3::jsonb and j.source = $4 and j.source_bytes = $5 and j.state = 'done'
  and exists (select from sluice.intent n where n.key = j.key and n.stays and n.owed_at is null)
  and not exists (
    select from sluice.journal r
    where r.item_id = $1 and r.kind = 22 and r.at > j.put_at and r.to_stage < array_position(l.stages, 'encode'))
order by j.put_at desc
limit 10`,
};

/** The newest first. */
export async function madeBefore(db: Queryable, of: MadeOf): Promise<Encoded[]> {
  const { item, profile, source, sourceBytes } = of;
  const values = [item, profile.name, JSON.stringify(profile), source, sourceBytes];
  return (await db.query<{ outcome: Encoded }>(MADE_BEFORE, values)).map(({ outcome }) => outcome);
}
