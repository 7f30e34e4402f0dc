// What a service of the media world is: its words, its faults, and the function that is the service, in a process of its own. A new one
// is a file like its neighbours here, and a line in index.ts.

import type { FaultText } from "../../service/faults.ts";
import type { Thing } from "../../things.ts";

/** How fast and how long things are in this world. */
export interface MediaPace {
  /** How long the seeder takes to hand out a release, however large it is. */
  readonly releaseSeconds: number;
  /** How often the tracker wants to hear of a torrent. */
  readonly announceSeconds: number;
  /** Unfinished torrents that run in the download client. */
  readonly torrentsAtATime: number;
  /** How long a finished one gives back. */
  readonly seedMs: number;
  /** What an indexer tells who asks too often. */
  readonly retryAfterSeconds: number;
  /** Seconds of film that an encoder takes in one; null for as many as it can. */
  readonly encodeSpeed: number | null;
  /** Encodes at a time in one encoder. */
  readonly encodesAtATime: number;
  /** What each server takes in a second; null for as many as it can. */
  readonly serverBytesPerSecond: number | null;
  /** What comes over a line to a server before it is cut, where lines are. */
  readonly cutBytes: number;
  /** For how long a gateway that is slow holds a conversion back. */
  readonly slowConversionMs: number;
}

/** Where a service lives, and what the world is like. */
export interface MediaPlace {
  /** Of the loopback. */
  readonly port: number;
  /** Its own, and kept over a stop. */
  readonly folder: string;
  /** Where the stock is. */
  readonly stock: string;
  /** The tracker's address. */
  readonly announce: string;
  readonly pace: MediaPace;
}

export interface RunningService {
  /** Told whenever they change: all that it has from now on. */
  faults?(faults: ReadonlySet<string>): void | Promise<void>;
  /** Told to end in order. */
  end?(): Promise<void>;
}

export interface MediaService {
  /** Of the thing in the sandbox. */
  readonly name: string;
  /** As pipelines know it; null for what is none of their services. */
  readonly service: string | null;
  readonly about: string;
  /** That its process does not run. */
  readonly ends: Thing["ends"];
  /** By name, besides that. */
  readonly faults: Readonly<Record<string, FaultText>>;
  /** Runs in the child. Resolves when the service answers; it goes on until its process ends. */
  run(place: MediaPlace): Promise<RunningService>;
}
