// Sends what is due, each channel's messages in their order, and writes down what came of every try. Between sending and writing
// down the process may die: then it is sent again, under the same id.

import type { Resolve } from "../../connectors/index.ts";
import { type Queryable, SluiceError, type Tables } from "../../engine/index.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Target } from "./channel.ts";
import { type DueRow, dueDeliveries, recordTry, type Tried } from "./delivery.sql.ts";
import { nextTry } from "./retry.ts";
import { type Sent, send } from "./send.ts";

export interface DeliveryPorts {
  readonly tables: Tables;
  readonly secrets: Secrets;
  wallMs(): number;
  readonly resolve?: Resolve | undefined;
}

/** Channels that are sent to at the same time, a message each. */
const CHANNELS_MOST = 20;
/** Messages of one channel in a row: all of them together take less time than the duty to send is held for. */
const ROUNDS_MOST = 5;

/** How many tries were made. */
export async function deliverDue(ports: DeliveryPorts): Promise<number> {
  let tries = 0;
  for (let round = 0; round < ROUNDS_MOST; round += 1) {
    const due = await dueDeliveries(ports.tables, CHANNELS_MOST);
    if (due.length === 0) break;
    // All have ended before anything is thrown: the next call would send once more what is still on its way.
    const ended = await Promise.allSettled(due.map((one) => deliver(one, ports)));
    for (const one of ended) if (one.status === "rejected") throw one.reason;
    tries += due.length;
  }
  return tries;
}

const NOTHING_TO_EDIT: Tried = {
  state: "given-up",
  delayMs: 0,
  status: null,
  code: "NOTHING_TO_EDIT",
  answer: "",
  tookMs: 0,
  remoteId: null,
};

async function deliver(row: DueRow, ports: DeliveryPorts): Promise<void> {
  const { message, message_id: id, name, type, remote_id: remoteId } = row;
  // Where there is no message to edit, a count that changed is not worth a new one.
  if (message.kind === "updated" && remoteId === null) {
    await recordTry(ports.tables, row.id, NOTHING_TO_EDIT);
    return;
  }
  const target = await targetOf(ports.secrets, row.channel_id);
  const sent =
    target instanceof SluiceError
      ? unreadable(target)
      : await send({ message, id, name, type, target, remoteId }, ports);
  await recordTry(ports.tables, row.id, triedOf(sent, row.tries + 1, row.age_ms));
}

export function triedOf(sent: Sent, tries: number, ageMs: number): Tried {
  const { ok, status, kind, code, answer, retryAfterMs, tookMs, remoteId } = sent;
  const delayMs = ok ? null : nextTry({ tries, ageMs, kind, status, code, retryAfterMs });
  const state = ok ? "sent" : delayMs === null ? "given-up" : "waiting";
  return { state, delayMs: delayMs ?? 0, status, code, answer, tookMs, remoteId };
}

export const secretName = (channel: string): string => `channel/${channel}`;

/** The target, or why it cannot be had: a key that is missing may come back, so the message waits. */
export async function targetOf(secrets: Secrets, channel: string, db?: Queryable): Promise<Target | SluiceError> {
  try {
    return JSON.parse(await secrets.get(secretName(channel), db)) as Target; // sealed by us, and sealing keeps it whole
  } catch (error) {
    if (error instanceof SluiceError) return error;
    throw error;
  }
}

export function unreadable(error: SluiceError): Sent {
  const none = { status: null, retryAfterMs: null, tookMs: 0, remoteId: null };
  return { ok: false, kind: "unavailable", code: "SECRET_KEY", answer: error.message, ...none };
}
