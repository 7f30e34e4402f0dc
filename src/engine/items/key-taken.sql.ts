// Whether what has ended could have its unique key back. One fragment, because what is told before and what is refused then must
// never disagree about it.

/** Of request `q`: its key, and whether another request has it now. For a lateral join; no row where it has none. */
export const keyOf = (q: string) => `
  select asked.pipeline, ${q}.key, exists (
      select from sluice.unique_key k
      where k.pipeline = asked.pipeline and k.key = ${q}.key and k.request_id <> ${q}.id
        and (k.expires_at is null or k.expires_at > sluice.now())) as is_taken
  from (
    -- The key belongs to the pipeline that was asked for; an item may have been spawned for another.
    select p.name as pipeline from sluice.item a
    join sluice.pipeline p on p.id = a.pipeline_id
    where a.request_id = ${q}.id
    order by a.id
    limit 1) asked
  where ${q}.key is not null`;

export const KEY_TAKEN = "another request has taken its key since it ended";
