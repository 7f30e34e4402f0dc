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
