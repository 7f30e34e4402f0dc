// Alerts, their rules, channels and deliveries on the wire. What is secret only ever comes in.

import { z } from "@hono/zod-openapi";
import type { AlertRow } from "../alerts/alert.sql.ts";
import { RULE_NAMES, RULES, type RuleName, type RuleSettings } from "../alerts/rule.ts";
import { CHANNEL_TYPES } from "../channels/channel.ts";
import type { Channel } from "../channels/channels.ts";
import type { DeliveryRow } from "../channels/delivery.sql.ts";
import { pageQuery, text, time } from "./common.ts";

export const alertsQuery = pageQuery.extend({ state: z.enum(["open", "resolved", "all"]).default("open") });

export const alertView = z
  .object({
    id: z.string(),
    rule: z.enum(RULE_NAMES),
    state: z.enum(["open", "resolved"]),
    title: z.string(),
    sentence: z.string().nullable().openapi({ description: "Null to members: it may tell of others' items." }),
    byItself: z.string().openapi({ description: "What happens if nobody does anything." }),
    count: z.int().nullable(),
    examples: z.array(z.string()),
    since: time,
    openedAt: time,
    resolvedAt: time.nullable(),
    snoozedUntil: time.nullable(),
  })
  .openapi("Alert");

export const snoozeBody = z.strictObject({
  until: time.nullable().openapi({ description: "At most 30 days from now; null ends a snooze." }),
});

export const ruleView = z
  .object({
    rule: z.enum(RULE_NAMES),
    title: z.string(),
    on: z.boolean(),
    values: z.array(
      z.object({
        ...{ name: z.string(), value: z.number(), default: z.number(), lowest: z.number(), highest: z.number() },
        ...{ unit: z.string(), what: z.string() },
      }),
    ),
    stages: z.record(z.string(), z.number()).openapi({ description: "In place of `above`, by pipeline/stage." }),
    channels: z.array(z.string()).nullable().openapi({ description: "Ids; null for all channels." }),
  })
  .openapi("AlertRule");

export const ruleBody = z.strictObject({
  on: z.boolean().optional(),
  values: z.record(text, z.number()).optional(),
  stages: z.record(text, z.number()).optional(),
  channels: z.array(text).max(50).nullable().optional(),
});

export const channelView = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(CHANNEL_TYPES),
    host: z.string().openapi({ description: "Where it leads. The rest of its address is secret, and set." }),
    on: z.boolean(),
    problem: z.string().nullable().openapi({ description: "Why it cannot be used, else null." }),
    createdAt: time,
    changedAt: time,
  })
  .openapi("Channel");

const secrets = {
  url: z.string().max(2_000).openapi({ description: "Never shown again." }),
  secret: z
    .string()
    .max(200)
    .openapi({ description: "Of a webhook, whsec_…; made and shown once where it is left out." }),
  token: z.string().max(500).openapi({ description: "Of ntfy, where the topic is protected." }),
};

export const newChannel = z.strictObject({
  name: text,
  type: z.enum(CHANNEL_TYPES),
  url: secrets.url,
  secret: secrets.secret.optional(),
  token: secrets.token.optional(),
});

export const channelChange = z.strictObject({
  name: text.optional(),
  on: z.boolean().optional(),
  url: secrets.url.optional(),
  secret: secrets.secret.optional(),
  token: secrets.token.optional(),
});

export const sentView = z
  .object({
    ok: z.boolean(),
    would: z.string().nullable().openapi({ description: "Of a dry run: what would be sent where. Else null." }),
    status: z.int().nullable().openapi({ description: "The answer's, where one came." }),
    code: z.string().nullable(),
    answer: z.string().openapi({ description: "The beginning of what the other side said, or what went wrong." }),
    tookMs: z.int(),
  })
  .openapi("Sent");

export const deliveriesQuery = pageQuery.extend({ channel: z.string().max(20).optional() });

export const deliveryView = z
  .object({
    id: z.string(),
    messageId: z.string().openapi({ description: "Sent along every time, as webhook-id." }),
    channel: z.string(),
    alert: z.string().nullable(),
    kind: z.enum(["opened", "reminder", "updated", "resolved", "test"]),
    title: z.string(),
    state: z.enum(["waiting", "sent", "given-up", "overtaken"]),
    createdAt: time,
    nextTryAt: time.nullable(),
    tries: z.int(),
    triedAt: time.nullable(),
    status: z.int().nullable(),
    code: z.string().nullable(),
    answer: z.string().nullable(),
    tookMs: z.int().nullable(),
  })
  .openapi("Delivery");

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** A member learns that something is wrong and not whose items suffer from it. */
export function toAlertView(row: AlertRow, isMember: boolean) {
  const { id, rule, title, sentence, count, examples } = row;
  return {
    ...{ id, rule, title },
    state: row.state === "resolved" ? ("resolved" as const) : ("open" as const),
    sentence: isMember ? null : sentence,
    byItself: row.by_itself,
    count: isMember ? null : count,
    examples: isMember ? [] : [...examples],
    since: row.since.toISOString(),
    openedAt: (row.opened_at ?? row.since).toISOString(),
    resolvedAt: iso(row.resolved_at),
    snoozedUntil: iso(row.snoozed_until),
  };
}

export function toRuleView(rule: RuleName, settings: RuleSettings) {
  const { on, values, stages, channels } = settings;
  return {
    ...{ rule, on, stages: { ...stages } },
    title: RULES[rule].title,
    values: Object.entries(RULES[rule].values).map(([name, one]) => ({
      name,
      value: values[name] ?? one.default,
      ...one,
    })),
    channels: channels === null ? null : [...channels],
  };
}

export function toChannelView({ id, name, type, host, is_on: on, problem, created_at, changed_at }: Channel) {
  return {
    id,
    name,
    type,
    host,
    on,
    problem,
    createdAt: created_at.toISOString(),
    changedAt: changed_at.toISOString(),
  };
}

export function toDeliveryView(row: DeliveryRow) {
  const { id, channel, kind, title, state, tries, status, code, answer } = row;
  return {
    ...{ id, channel, kind, title, state, tries, status, code, answer },
    messageId: row.message_id,
    alert: row.alert_id,
    createdAt: row.created_at.toISOString(),
    nextTryAt: state === "waiting" ? row.next_at.toISOString() : null,
    triedAt: iso(row.tried_at),
    tookMs: row.took_ms,
  };
}
