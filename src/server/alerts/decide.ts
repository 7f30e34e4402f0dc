// One round's decisions about all causes, written together with the messages that follow from them: either both are there after a
// crash or neither is.

import type { Queryable } from "../../engine/index.ts";
import type { ChannelRow } from "../channels/channel.sql.ts";
import { newMessageId } from "../channels/channels.ts";
import { addDelivery } from "../channels/delivery.sql.ts";
import type { Message, MessageKind } from "../channels/message.ts";
import {
  type AlertRow,
  type AlertValues,
  addAlert,
  dropAlert,
  liveAlerts,
  pastOf,
  resolveAlert,
  saveAlert,
} from "./alert.sql.ts";
import type { Cause, Facts } from "./cause.ts";
import { findCauses, holdOf } from "./causes.ts";
import { idleOrNot } from "./flow-causes.ts";
import { fold } from "./fold.ts";
import { type AlertState, type Past, type Seen, step } from "./lifecycle.ts";
import { type AllSettings, isRule, type RuleName } from "./rule.ts";

export interface DecidePorts {
  readonly tx: Queryable;
  readonly settings: AllSettings;
  readonly channels: readonly ChannelRow[];
  /** Where people reach us; null where nobody said. */
  readonly publicUrl: string | null;
}

const NEVER: Past = { openings: 0, toldAt: null, snoozedUntil: null };

/** How many messages were written. */
export async function decide(facts: Facts, ports: DecidePorts): Promise<number> {
  const { own, into } = fold(findCauses(facts, ports.settings));
  const causes = new Map(own.map((cause) => [cause.key, cause]));
  const live = new Map((await liveAlerts(ports.tx)).map((row) => [row.key, row]));
  const unsure = idleOrNot(facts, ports.settings.idle);
  const keys = [...new Set([...causes.keys(), ...live.keys()])];
  const past = new Map((await pastOf(ports.tx, keys)).map((row) => [row.key, row]));
  let messages = 0;
  for (const key of keys) {
    const before = past.get(key);
    messages += await decideOne(
      { cause: causes.get(key), row: live.get(key), isFolded: into.has(key) || unsure.has(key), now: facts.now },
      before === undefined
        ? NEVER
        : { openings: before.openings, toldAt: before.told_at, snoozedUntil: before.snoozed_until },
      ports,
    );
  }
  return messages;
}

interface One {
  readonly cause: Cause | undefined;
  readonly row: AlertRow | undefined;
  /** Told with another, or nobody can tell this time. */
  readonly isFolded: boolean;
  readonly now: Date;
}

async function decideOne({ cause, row, isFolded, now }: One, past: Past, ports: DecidePorts): Promise<number> {
  const { tx, settings } = ports;
  const rule = cause?.rule ?? row?.rule;
  // A rule that only a newer release knows is for that one to decide.
  if (rule === undefined || !isRule(rule)) return 0;
  const seen: Seen = {
    now: seenAs(cause, isFolded, settings[rule].on),
    count: cause?.count ?? 0,
    since: cause?.since ?? null,
  };
  const next = step(row && stateOf(row), seen, past, holdOf(rule, settings[rule]), now);
  if (next === null) return 0;
  switch (next.to) {
    case "drop":
      if (row !== undefined) await dropAlert(tx, row.id);
      return 0;
    case "resolved": {
      if (row === undefined) return 0;
      await resolveAlert(tx, row.id, next.at, next.tell !== null);
      const over = `It began at ${row.since.toISOString()}${row.most > 1 ? `; at most ${row.most.toLocaleString("en-US")} were concerned` : ""}.`;
      return await tell(next.tell, row.id, { ...row, sentence: over }, next.at, ports);
    }
    case "pending":
    case "open": {
      const values = valuesOf(next.alert, rule, row, cause);
      const id = row === undefined ? await addAlert(tx, values) : row.id;
      if (row !== undefined) await saveAlert(tx, id, values);
      return await tell("tell" in next ? next.tell : null, id, values, null, ports);
    }
  }
}

function seenAs(cause: Cause | undefined, isFolded: boolean, isOn: boolean): Seen["now"] {
  if (cause !== undefined) return "there";
  if (isFolded) return "folded";
  return isOn ? "gone" : "off";
}

function stateOf(row: AlertRow): AlertState {
  return {
    state: row.state === "pending" ? "pending" : "open",
    seenAt: row.seen_at,
    since: row.since,
    openedAt: row.opened_at,
    absentSince: row.absent_since,
    toldAt: row.told_at,
    toldCount: row.told_count,
    reminders: row.reminders,
    snoozedUntil: row.snoozed_until,
  };
}

/** The newest words; those of before while it is gone or told with another. */
function valuesOf(alert: AlertState, rule: RuleName, row: AlertRow | undefined, cause: Cause | undefined): AlertValues {
  const { title = "", sentence = "", count = 0, examples = [], key = "" } = cause ?? row ?? {};
  return {
    ...{ key, rule, title, sentence, count, examples: [...examples] },
    by_itself: cause?.byItself ?? row?.by_itself ?? "",
    most: Math.max(row?.most ?? 0, count),
    state: alert.state,
    seen_at: alert.seenAt,
    since: alert.since,
    opened_at: alert.openedAt,
    absent_since: alert.absentSince,
    told_at: alert.toldAt,
    told_count: alert.toldCount,
    reminders: alert.reminders,
    snoozed_until: alert.snoozedUntil,
  };
}

async function tell(
  kind: MessageKind | null,
  id: string,
  alert: AlertValues,
  resolvedAt: Date | null,
  { tx, settings, channels, publicUrl }: DecidePorts,
): Promise<number> {
  if (kind === null) return 0;
  const { key, rule, title, sentence, count } = alert;
  const message: Message = {
    ...{ kind, alert: id, rule, key, title, sentence, count },
    byItself: alert.by_itself,
    since: alert.since.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
    examples: alert.examples,
    url: publicUrl === null ? null : `${publicUrl}/api/v1/alerts`,
  };
  const chosen = settings[rule].channels;
  const told = channels.filter(
    (channel) =>
      channel.is_on &&
      (chosen === null || chosen.includes(channel.id)) &&
      // Of its own trouble a channel cannot tell.
      key !== `channel-failing/${channel.id}` &&
      // A count that changed is worth an edit and no new message.
      (kind !== "updated" || channel.type === "discord"),
  );
  for (const channel of told)
    await addDelivery(tx, { messageId: newMessageId(), channel: channel.id, alert: id, message });
  return told.length;
}
