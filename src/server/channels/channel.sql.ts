// Channels, without what is secret of them.

import type { Queryable, Statement } from "../../engine/index.ts";
import type { ChannelType } from "./channel.ts";

export interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly type: ChannelType;
  readonly host: string;
  readonly is_on: boolean;
  readonly created_at: Date;
  readonly changed_at: Date;
}

const channelColumns = "id, name, type, host, is_on, created_at, changed_at";

const LIST: Statement = {
  name: "channel-list",
  text: `select ${channelColumns} from sluice_server.channel order by id limit 1000`,
};

export async function listChannels(db: Queryable): Promise<ChannelRow[]> {
  return await db.query<ChannelRow>(LIST, []);
}

const FIND: Statement = {
  name: "channel-find",
  text: `select ${channelColumns} from sluice_server.channel where id = $1 for update`,
};

export async function findChannel(db: Queryable, id: string): Promise<ChannelRow | undefined> {
  const [row] = await db.query<ChannelRow>(FIND, [id]);
  return row;
}

const ADD: Statement = {
  name: "channel-add",
  text: `
insert into sluice_server.channel (name, type, host, is_on, created_at, changed_at)
select $1, $2, $3, true, sluice.now(), sluice.now()
where (select count(*) from sluice_server.channel) < $4
on conflict (name) do nothing
returning ${channelColumns}`,
};

/** Undefined when the name is taken, or there are as many as there may be. */
export async function addChannel(
  db: Queryable,
  { name, type, host }: Pick<ChannelRow, "name" | "type" | "host">,
  most: number,
): Promise<ChannelRow | undefined> {
  const [row] = await db.query<ChannelRow>(ADD, [name, type, host, most]);
  return row;
}

const CHANGE: Statement = {
  name: "channel-change",
  text: `
update sluice_server.channel c
set name = $2, host = $3, is_on = $4, changed_at = sluice.now()
where c.id = $1 and not exists (select from sluice_server.channel o where o.name = $2 and o.id <> $1)
returning ${channelColumns}`,
};

/** Undefined when the name is another's. */
export async function changeChannel(
  db: Queryable,
  { id, name, host, is_on: isOn }: Pick<ChannelRow, "id" | "name" | "host" | "is_on">,
): Promise<ChannelRow | undefined> {
  const [row] = await db.query<ChannelRow>(CHANGE, [id, name, host, isOn]);
  return row;
}

const REMOVE: Statement = { name: "channel-remove", text: "delete from sluice_server.channel where id = $1" };

/** Its deliveries go with it. */
export async function removeChannel(db: Queryable, id: string): Promise<void> {
  await db.query(REMOVE, [id]);
}
