// Taking up a name at a server, so that nobody who did so before has any more to say of it.
//
// The engine's fence is the item's, and a name is none of its rows. So a visit that has read how a name stands first proves that the item is
// still its own, by a checkpoint, which is fenced; then it moves the name's turn on from the one it has read. A visit that slept in between
// finds the turn moved, one that slept before is refused by the checkpoint, and whatever it had taken up earlier has an older turn.

import { type Destination, partPath } from "../../../connectors/index.ts";
import { permanent, transient, type Visit } from "../../../engine/index.ts";
import type { MediaPorts } from "../ports.ts";
import type { WantedItem } from "../wanted.ts";
import type { DeliveryState, FoundDelivery } from "./deliveries.sql.ts";
import type { Consignment } from "./parcel.ts";
import type { TakenAs } from "./store.ts";

export type PartVisit = Visit<WantedItem, unknown, Consignment>;

export interface Bringing {
  readonly visit: PartVisit;
  readonly ports: MediaPorts;
}

/** A name that was taken up. */
export interface Hold extends Bringing {
  readonly turn: number;
  /** What of ours lies under the name already. */
  readonly thereBytes: number | null;
}

/** What is the item's own or another's fault is no fault of the server's. */
export const NOBODY = { breaker: "none" } as const;

export const at = <T>({ visit, ports }: Bringing, ask: (there: Destination) => Promise<T>): Promise<T> =>
  visit.call(ports.services.servers(visit.part.name), ({ destination }) => ask(destination));

export const bytesAt = (bringing: Bringing, path: string): Promise<number | null> =>
  at(bringing, (there) => there.bytesAt(path, bringing.visit.signal));

export const removeAt = (bringing: Bringing, path: string): Promise<void> =>
  at(bringing, (there) => there.remove(path, bringing.visit.signal));

/** Of a part that is of another content. */
export async function removePart(bringing: Bringing, { path, part_id }: FoundDelivery): Promise<void> {
  if (part_id !== bringing.visit.part.id) await removeAt(bringing, partPath({ to: path, id: part_id }));
}

/** Throws where the item is in other hands by now. After what was read of the name, and before anything is done about it. */
export async function stillOurs({ visit }: Bringing, row: FoundDelivery | undefined): Promise<void> {
  await visit.checkpoint.save({ turn: row?.turn ?? 0 });
}

/** What is ours and on its way. Undefined where somebody else was faster. */
export async function resume(bringing: Bringing, row: FoundDelivery): Promise<Hold | undefined> {
  const turn = await bringing.ports.deliveries.resume(bringing.visit.part, row);
  return turn === undefined ? undefined : { ...bringing, turn, thereBytes: row.there_bytes };
}

/** For what is to come there. Undefined where somebody else was faster. */
export async function takeUp(
  bringing: Bringing,
  row: FoundDelivery | undefined,
  as: TakenAs,
): Promise<Hold | undefined> {
  const turn = await bringing.ports.deliveries.claim(bringing.visit.part, row, as);
  return turn === undefined ? undefined : { ...bringing, turn, thereBytes: as.there_bytes };
}

export async function mark({ visit, ports, turn }: Hold, state: DeliveryState, sha256?: string): Promise<void> {
  const { name: server, to: path } = visit.part;
  if (await ports.deliveries.mark({ server, path, turn }, state, sha256)) return;
  throw transient("NAME_LOST", `somebody else has taken up ${path} at ${server}`, NOBODY);
}

export const taken = ({ name, to }: Consignment) =>
  permanent("NAME_TAKEN", `at ${name} there is something else under ${to}, and it was not touched`, NOBODY);
