// What the cases need of a destination and of the world around it.

import { deepEqual, ok } from "node:assert/strict";
import { Fault } from "../../../engine/index.ts";
import type { Destination, Parcel, SendOptions } from "../destination.ts";

export interface SmallDisk {
  /** What is sent below this folder lies on it; it has room for eight megabytes. */
  readonly folder: string;
  /** Somebody else takes all the room that is left. */
  fill(): void;
  /** And gives it back. */
  free(): void;
}

export interface DestinationContractWorld {
  readonly client: Destination;
  /** On our own disk. */
  file(content: Uint8Array): Promise<string>;
  /** As it lies there, asked of the other side itself. */
  there(path: string): Uint8Array | null;
  /** Somebody else puts it there. */
  put(path: string, content: Uint8Array): void;
  /** Every file that is there. */
  paths(): readonly string[];
  /** Of files, counted where they arrive; null where nobody counts. */
  receivedBytes(): number | null;
  smallDisk(): Promise<SmallDisk>;
  /** Whether we may write there. */
  readOnly(isReadOnly: boolean): Promise<void>;
  /** Whether it can be reached. */
  down(isDown: boolean): Promise<void>;
}

export interface DestinationClientOptions {
  readonly hostKey?: string | null;
  readonly onHostKey?: (hostKey: string) => void;
  /** With a password or a key that it does not know. */
  readonly isStranger?: boolean;
  readonly idleMs?: number;
}

/** Of destinations at the other end of a line. */
export interface RemoteDestinationContractWorld extends DestinationContractWorld {
  as(options: DestinationClientOptions): Destination;
  /** The line is cut when so many more bytes have come. */
  cutAfter(bytes: number): void;
  /** Whether it takes every question, and answers none. */
  silent(isSilent: boolean): void;
  changeHostKey(): Promise<void>;
}

export interface ContractCase<World> {
  readonly name: string;
  readonly run: (world: World) => Promise<void>;
}
export type DestinationContractCase = ContractCase<DestinationContractWorld>;
export type RemoteDestinationContractCase = ContractCase<RemoteDestinationContractWorld>;

export const MEGABYTE = 1_000_000;

/** The same for the same seed, and no two places in it alike. */
export function content(bytes: number, seed = 1): Buffer {
  const made = Buffer.allocUnsafe(bytes);
  let state = (seed * 2_654_435_761) >>> 0;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    made[at] = state >>> 24;
  }
  return made;
}

export function isFault(kind: string, code: string, breaker?: string): (error: unknown) => boolean {
  return (error) => {
    ok(error instanceof Fault, `no fault: ${String(error)}`);
    deepEqual([error.kind, error.code, breaker ?? error.breaker], [kind, code, error.breaker], error.message);
    return true;
  };
}

export async function deliver({ client }: DestinationContractWorld, parcel: Parcel): Promise<void> {
  const { bytes } = await client.send(parcel);
  await client.publish({ ...parcel, bytes });
}

/** Sending is given up when so many bytes are there. */
export function until(bytes: number): SendOptions & { readonly reason: Error } {
  const controller = new AbortController();
  const reason = new Error("somebody pulled the plug");
  return {
    reason,
    signal: controller.signal,
    onBytes: (sure) => {
      if (sure >= bytes) controller.abort(reason);
    },
  };
}

export function equal(seen: Uint8Array | null, expected: Uint8Array): void {
  ok(seen !== null, "there is nothing");
  ok(Buffer.from(seen).equals(expected), "it is something else");
}
