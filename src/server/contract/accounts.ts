// Accounts, sessions, keys and the audit on the wire. Nothing that lets anybody in is ever among it, but a key that was just made.

import { z } from "@hono/zod-openapi";
import type { AccountRow } from "../access/accounts.sql.ts";
import type { AuditRow } from "../access/audit.sql.ts";
import type { KeyRow } from "../access/keys.sql.ts";
import { ROLES, SCOPES } from "../access/principal.ts";
import type { SessionLine } from "../access/sessions.sql.ts";
import { pageQuery, text, time } from "./common.ts";

/** The door says what is wrong with one; here it is only kept from being endless. */
const password = z.string().max(2_000).openapi({ format: "password" });

export const account = z
  .object({ name: z.string(), role: z.enum(ROLES), createdAt: time, disabledAt: time.nullable() })
  .openapi("Account");

export const newAccount = z.strictObject({
  name: z.string().max(100),
  role: z.enum(ROLES),
  password,
  inherit: z.boolean().optional().openapi({
    description: "Work that was handed in for that name before is theirs. Without it such a name is refused.",
  }),
});

export const accountChange = z
  .strictObject({ role: z.enum(ROLES).optional(), password: password.optional(), disabled: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, "say what is to change: role, password or disabled");

export const ownPassword = z.strictObject({ old: password, password });

export const session = z
  .object({
    id: z.string(),
    createdAt: time,
    seenAt: time,
    address: z.string().nullable(),
    agent: z.string().nullable().openapi({ description: "What the browser calls itself." }),
    isThis: z.boolean().openapi({ description: "The one it is asked with." }),
  })
  .openapi("Session");

export const key = z
  .object({
    id: z.string(),
    name: z.string(),
    account: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: time,
    expiresAt: time.nullable(),
    usedAt: time.nullable(),
    revokedAt: time.nullable(),
  })
  .openapi("Key");

const LONGEST_DAYS = 3_650;

export const newKey = z.strictObject({
  name: z.string().max(100),
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length),
  days: z
    .number()
    .positive()
    .max(LONGEST_DAYS)
    .optional()
    .openapi({ description: "How long it is good for; for ever, where it is not said." }),
});

export const madeKey = key
  .extend({
    key: z.string().nullable().openapi({
      description: "Shown now and never again. Null of a dry run, whose id nothing will have.",
      example: "slk_…",
    }),
  })
  .openapi("MadeKey");

export const auditEntry = z
  .object({
    id: z.string(),
    at: time,
    actor: z.string(),
    address: z.string().nullable(),
    action: z.string().openapi({ example: "items.retry" }),
    subject: z.string().nullable(),
    detail: z.unknown(),
  })
  .openapi("AuditEntry");

export const auditQuery = pageQuery.extend({
  after: z
    .string()
    .regex(/^\d{1,18}$/, "is the `next` of the page before")
    .optional(),
  actor: text.optional(),
  action: text.optional(),
});

const at = (date: Date | null) => date?.toISOString() ?? null;

export function toAccount({ name, role, created_at, disabled_at }: AccountRow) {
  return { name, role, createdAt: created_at.toISOString(), disabledAt: at(disabled_at) };
}

export function toSession({ id, created_at, seen_at, address, agent, is_this }: SessionLine) {
  const times = { createdAt: created_at.toISOString(), seenAt: seen_at.toISOString() };
  return { id, ...times, address, agent, isThis: is_this };
}

export function toKey(row: KeyRow) {
  const { id, name, account: owner, scopes } = row;
  const times = { expiresAt: at(row.expires_at), usedAt: at(row.used_at), revokedAt: at(row.revoked_at) };
  return { id, name, account: owner, scopes: [...scopes], createdAt: row.created_at.toISOString(), ...times };
}

export function toAuditEntry({ id, at: when, actor, address, action, subject, detail }: AuditRow) {
  return { id, at: when.toISOString(), actor, address, action, subject, detail };
}
