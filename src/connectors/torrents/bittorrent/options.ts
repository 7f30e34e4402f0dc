// How the client behaves, and what it is unless told otherwise: found by nobody it was not introduced to.

import { InputError } from "../../../kit/index.ts";
import type { EgressPolicy } from "../../kit/index.ts";

export interface ClientOptions {
  /** Everything it writes is below it. */
  readonly folder: string;
  /** Where peers may reach it. An address of one network alone is also where it calls from. */
  readonly peerHost: string;
  /** 0 takes any that is free. */
  readonly peerPort: number;
  /** Peers may name each other (PEX). Off: only trackers are asked. */
  readonly isPublic: boolean;
  /** Whom it calls: the public internet, or also neighbours and this machine. */
  readonly reach: EgressPolicy;
  /** Bytes a second; 0 is without a limit. */
  readonly downloadLimit: number;
  readonly uploadLimit: number;
  readonly connections: number;
  readonly connectionsPerTorrent: number;
  /** Unfinished ones; the others wait. */
  readonly atATime: number;
  /** A finished one gives back until it has given so many times its size, or so long. */
  readonly seedRatio: number;
  readonly seedMs: number;
  readonly mostFiles: number;
  readonly mostMetadataBytes: number;
}

export const DEFAULTS: Omit<ClientOptions, "folder"> = {
  peerHost: "127.0.0.1",
  peerPort: 0,
  isPublic: false,
  reach: "public",
  downloadLimit: 0,
  uploadLimit: 0,
  connections: 200,
  connectionsPerTorrent: 40,
  atATime: 10,
  seedRatio: 1,
  seedMs: 24 * 3_600_000,
  mostFiles: 10_000,
  mostMetadataBytes: 8 * 1024 * 1024,
};

export function checkedOptions(options: Partial<ClientOptions> & Pick<ClientOptions, "folder">): ClientOptions {
  const all = { ...DEFAULTS, ...options };
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === "number" && !(Number.isFinite(value) && value >= 0))
      throw new InputError(name, `${name} must be a number from 0 up, got ${value}`);
  }
  if (!all.folder.startsWith("/")) throw new InputError("folder", `folder must be a whole path, got "${all.folder}"`);
  return all;
}

/** An address that calls leave from: only one that is neither everywhere nor this machine. */
export function callsFrom(peerHost: string): string | undefined {
  return /^(0\.0\.0\.0|::|127\..*|::1|localhost)$/.test(peerHost) ? undefined : peerHost;
}
