// Channels as admins handle them: added, changed, removed, tried out. What is secret goes in and never comes out again.

import { randomBytes } from "node:crypto";
import type { Resolve } from "../../connectors/index.ts";
import { InputError, type Queryable, SluiceError, type Tables } from "../../engine/index.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { addChannel, type ChannelRow, changeChannel, findChannel, listChannels, removeChannel } from "./channel.sql.ts";
import { type ChannelType, checkTarget, type GivenTarget, shownHost } from "./channel.ts";
import { secretName, targetOf, triedOf, unreadable } from "./deliveries.ts";
import { dropWaiting, recordTest } from "./delivery.sql.ts";
import type { Message } from "./message.ts";
import { type Sent, send } from "./send.ts";

export interface ChannelPorts {
  readonly tables: Tables;
  readonly secrets: Secrets;
  wallMs(): number;
  readonly resolve?: Resolve | undefined;
}

export interface Channel extends ChannelRow {
  /** Why it cannot be used: its secret cannot be opened. Null where it can. */
  readonly problem: string | null;
}

export interface AddedChannel {
  readonly channel: Channel;
  /** Of a webhook whose secret was made here: shown this once. */
  readonly secret: string | null;
}

const CHANNELS_MOST = 50;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u;

export class Channels {
  readonly #ports: ChannelPorts;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  async list(): Promise<Channel[]> {
    const channels: Channel[] = [];
    for (const row of await listChannels(this.#ports.tables))
      channels.push({ ...row, problem: await this.problemOf(row.id) });
    return channels;
  }

  async add(tx: Queryable, name: string, type: ChannelType, given: GivenTarget): Promise<AddedChannel> {
    checkName(name);
    const target = checkTarget(type, given);
    const row = await addChannel(tx, { name, type, host: shownHost(target.url) }, CHANNELS_MOST);
    if (row === undefined)
      throw new SluiceError("CONFLICT", `there is a channel ${name} already, or there are ${CHANNELS_MOST} of them`);
    await this.#ports.secrets.put(tx, secretName(row.id), JSON.stringify(target));
    const isMade = target.secret !== undefined && given.secret === undefined;
    return { channel: { ...row, problem: null }, secret: isMade ? (target.secret ?? null) : null };
  }

  async change(
    tx: Queryable,
    id: string,
    given: GivenTarget & { name?: string | undefined; on?: boolean | undefined },
  ) {
    const row = await this.#found(tx, id);
    const { name = row.name, on = row.is_on, ...target } = given;
    checkName(name);
    const host = await this.#retarget(tx, row, target);
    const changed = await changeChannel(tx, { id, name, host, is_on: on });
    if (changed === undefined) throw new SluiceError("CONFLICT", `there is another channel ${name}`);
    if (!on) await dropWaiting(tx, id);
    return changed;
  }

  async remove(tx: Queryable, id: string): Promise<ChannelRow> {
    const row = await this.#found(tx, id);
    await removeChannel(tx, id);
    await this.#ports.secrets.forget(tx, secretName(id));
    return row;
  }

  /** Sends a message that says it is a test, at once, and tells what came of it. */
  async test(id: string, url: string | null): Promise<Sent> {
    const { tables, secrets } = this.#ports;
    const { name, type } = await this.#found(tables, id);
    const message = testMessage(name, new Date(this.#ports.wallMs()).toISOString(), url);
    const target = await targetOf(secrets, id);
    const messageId = newMessageId();
    const sent =
      target instanceof SluiceError
        ? unreadable(target)
        : await send({ message, id: messageId, name, type, target, remoteId: null }, this.#ports);
    const { state, ...tried } = triedOf({ ...sent, remoteId: null }, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    await recordTest(tables, { messageId, channel: id, alert: null, message }, { ...tried, state });
    return sent;
  }

  /** What a test would do. What would keep it from being sent is told as the test itself tells it. */
  async wouldTest(id: string): Promise<Sent & { readonly would: string }> {
    const { name, host } = await this.#found(this.#ports.tables, id);
    const target = await targetOf(this.#ports.secrets, id);
    if (target instanceof SluiceError) return { ...unreadable(target), would: "Would not get as far as sending." };
    return { ...UNSENT, would: `Would send a test message by ${name} to ${host}.` };
  }

  async #found(db: Queryable, id: string): Promise<ChannelRow> {
    const row = /^\d{1,18}$/.test(id) ? await findChannel(db, id) : undefined;
    if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no channel ${id}`, { field: "channel" });
    return row;
  }

  /** Why it cannot be used; null where it can. */
  async problemOf(id: string): Promise<string | null> {
    const target = await targetOf(this.#ports.secrets, id);
    return target instanceof SluiceError ? target.message : null;
  }

  /** What is not given stays, where it can still be opened; else all of it has to be given. */
  async #retarget(tx: Queryable, { id, type, host }: ChannelRow, given: GivenTarget): Promise<string> {
    if (given.url === undefined && given.secret === undefined && given.token === undefined) return host;
    const known = await targetOf(this.#ports.secrets, id, tx);
    if (known instanceof SluiceError && type === "webhook" && given.secret === undefined)
      throw new InputError("secret", "what it was signed with cannot be opened any more; give a secret as well");
    const target = checkTarget(type, given, known instanceof SluiceError ? undefined : known);
    await this.#ports.secrets.put(tx, secretName(id), JSON.stringify(target));
    return shownHost(target.url);
  }
}

const UNSENT: Sent = {
  ...{ ok: true, status: null, kind: null, code: null },
  ...{ answer: "", retryAfterMs: null, tookMs: 0, remoteId: null },
};

/** 128 bits of chance: nobody guesses one, and no two are the same. */
export function newMessageId(): string {
  return `msg_${randomBytes(16).toString("base64url")}`;
}

function checkName(name: string): void {
  if (!NAME.test(name))
    throw new InputError(
      "name",
      "name is 1 to 60 letters, digits, spaces, . _ or -, and begins with a letter or digit",
    );
}

function testMessage(name: string, since: string, url: string | null): Message {
  return {
    kind: "test",
    alert: null,
    rule: "test",
    key: "test",
    title: "Test message from Sluice",
    sentence: `This channel (${name}) works.`,
    byItself: "Nothing is wrong.",
    count: 0,
    since,
    resolvedAt: null,
    examples: [],
    url,
  };
}
