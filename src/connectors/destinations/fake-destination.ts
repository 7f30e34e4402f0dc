// The fake destination: the same functions on a world in memory, with troubles on demand. What it sends are files of the real disk.

import { createHash } from "node:crypto";
import { permanent, transient, unavailable } from "../../engine/index.ts";
import type { Clock } from "../../kit/index.ts";
import { type Trouble, Troubles } from "../kit/index.ts";
import type { Destination, Parcel, SendOptions, Sent, SentParcel } from "./destination.ts";
import { DestinationWorld } from "./destination-world.ts";
import { checkedPath, partPath } from "./places.ts";
import { SourceFile } from "./source-file.ts";

export type DestinationCall = keyof Destination;

/** Who comes there, and whom they expect. */
export interface FakeVisitor {
  /** Null where nobody has been there yet. */
  readonly hostKey?: string | null;
  readonly onHostKey?: (hostKey: string) => void | Promise<void>;
  /** With a password that it does not know. */
  readonly isStranger?: boolean;
}

export interface FakeDestinationOptions extends FakeVisitor {
  readonly service?: string;
  readonly clock?: Clock;
}

export interface FakeDestination {
  readonly client: Destination;
  /** Another client of the same world, with the same troubles. */
  as(visitor: FakeVisitor): Destination;
  /** The other side, and what it knows. */
  readonly world: DestinationWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: DestinationCall, ...troubles: readonly Trouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<DestinationCall, number>>;
}

const PIECE_BYTES = 64 * 1024;

export function fakeDestination(options: FakeDestinationOptions = {}): FakeDestination {
  const { service = "fake-destination", clock } = options;
  const world = new DestinationWorld(service);
  const calls: Record<DestinationCall, number> = { about: 0, bytesAt: 0, sha256At: 0, send: 0, publish: 0, remove: 0 };
  const troubles = new Troubles<DestinationCall>(service, calls, clock);
  const as = (visitor: FakeVisitor): Destination => {
    const ask = <T>(call: DestinationCall, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> =>
      answered(troubles, call, signal, async () => {
        await greet(world, visitor);
        return await act();
      });
    return {
      about: (signal) => ask("about", signal, async () => about(world)),
      bytesAt: async (path, signal) => {
        checkedPath(path);
        return await ask("bytesAt", signal, async () => world.get(path)?.byteLength ?? null);
      },
      sha256At: async (path, signal) => {
        checkedPath(path);
        return await ask("sha256At", signal, async () => hashOf(world.get(path)));
      },
      send: async (parcel, call = {}) => {
        partPath(parcel);
        return await ask("send", call.signal, () => send(world, parcel, call));
      },
      publish: async (parcel, signal) => {
        partPath(parcel);
        return await ask("publish", signal, async () => publish(world, parcel));
      },
      remove: async (path, signal) => {
        checkedPath(path);
        return await ask("remove", signal, async () => world.remove(path));
      },
    };
  };
  return {
    client: as(options),
    as,
    world,
    calls,
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

/** What was done although nobody heard of it is done when this rejects. */
async function answered<T>(
  troubles: Troubles<DestinationCall>,
  call: DestinationCall,
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
): Promise<T> {
  let acting: Promise<T> | undefined;
  try {
    return await troubles.answer(call, signal, () => {
      acting = act();
      return acting;
    });
  } catch (error) {
    await acting?.catch(() => undefined);
    throw error;
  }
}

async function greet(world: DestinationWorld, { hostKey = null, onHostKey, isStranger }: FakeVisitor): Promise<void> {
  const { service } = world;
  world.answers();
  if (hostKey !== null && hostKey !== world.hostKey)
    throw permanent("HOST_KEY_CHANGED", `${service} shows another host key`, { service, breaker: "none" });
  if (isStranger === true) throw unavailable("AUTH", `${service} refused the key or the password`, { service });
  if (hostKey === null) await onHostKey?.(world.hostKey);
}

function about({ hostKey, capacityBytes, usedBytes }: DestinationWorld) {
  const freeBytes = Math.max(0, capacityBytes - usedBytes);
  return { kind: "sftp" as const, root: "/", freeBytes, isAtomic: true, hasSync: true, hostKey };
}

async function send(world: DestinationWorld, parcel: Parcel, { signal, onBytes }: SendOptions): Promise<Sent> {
  const source = await SourceFile.open(parcel.file);
  const part = partPath(parcel);
  try {
    const from = await sameBytes(world.get(part), source);
    world.begin(part, from);
    for (let at = from; at < source.bytes; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, source.bytes - at));
      await source.piece(at, piece);
      signal?.throwIfAborted();
      world.append(part, piece);
      at += piece.byteLength;
      onBytes?.(at);
    }
    signal?.throwIfAborted();
    const sha256 = await source.sha256();
    if (hashOf(world.get(part)) === sha256) return { bytes: source.bytes, sentBytes: source.bytes - from, sha256 };
    world.remove(part);
    throw transient("WRONG_BYTES", "what arrived is not what was sent", { service: world.service });
  } finally {
    await source.close();
  }
}

const hashOf = (file: Buffer | null): string | null =>
  file === null ? null : createHash("sha256").update(file).digest("hex");

/** What there is of a part, as far as it is the same. */
async function sameBytes(part: Buffer | null, source: SourceFile): Promise<number> {
  if (part === null || part.byteLength > source.bytes) return 0;
  for (let same = 0; same < part.byteLength; same += PIECE_BYTES) {
    const piece = part.subarray(same, same + PIECE_BYTES);
    if (!piece.equals(await source.peek(same, piece.byteLength))) return same;
  }
  return part.byteLength;
}

function publish(world: DestinationWorld, { to, id, bytes }: SentParcel): void {
  const part = partPath({ to, id });
  const sent = world.get(part);
  if (sent === null && world.get(to)?.byteLength === bytes) return;
  if (sent?.byteLength !== bytes)
    throw transient("PART_GONE", "the part that was sent is not there as it was", { service: world.service });
  world.rename(part, to);
}
