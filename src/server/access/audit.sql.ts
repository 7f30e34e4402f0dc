// Who did what, and from where.

import type { Queryable, Statement } from "../../engine/index.ts";

const NOTE: Statement = {
  name: "audit-note",
  text: `
insert into sluice_server.audit (at, actor, address, action, subject, detail)
values (sluice.now(), $1, $2, $3, $4, $5::text::jsonb)`,
};

export interface AuditNote {
  readonly actor: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject?: string | undefined;
  readonly detail?: unknown;
}

export async function noteAudit(db: Queryable, { actor, address, action, subject, detail }: AuditNote): Promise<void> {
  await db.query(NOTE, [actor, address, action, subject ?? null, detail === undefined ? null : JSON.stringify(detail)]);
}

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly detail: unknown;
}

export interface AuditAsked {
  /** Only what was noted before this one. */
  readonly before?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly limit: number;
}

const READ: Statement = {
  name: "audit-read",
  text: `
select id, at, actor, address, action, subject, detail
from sluice_server.audit
where ($1::bigint is null or id < $1) and ($2::text is null or actor = $2) and ($3::text is null or action = $3)
order by id desc
limit $4`,
};

/** Newest first. */
export async function readAudit(db: Queryable, { before, actor, action, limit }: AuditAsked): Promise<AuditRow[]> {
  return await db.query<AuditRow>(READ, [before ?? null, actor ?? null, action ?? null, limit]);
}
