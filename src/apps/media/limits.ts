// The numbers of media, all of which can be set.

import type { Backoff, BreakerOptions, Duration } from "../../engine/index.ts";

export interface MediaLimits {
  /** How often download clients are looked at. */
  readonly every: Duration;
  /** Torrents at a time in one client. */
  readonly torrents: number;
  /** Without metadata or a single byte. */
  readonly stallNever: Duration;
  /** Without another byte. */
  readonly stallStopped: Duration;
  /** What a whole torrent gives back before it is removed, whichever comes first; besides what its indexer asks for. */
  readonly seedRatio: number | null;
  readonly seedTime: Duration | null;
  /** How long nothing is searched for again that all said they do not have. */
  readonly searchAgain: Duration;
  /** How long what an indexer said serves whoever asks the same. */
  readonly answersFresh: Duration;
  /** How often the board is looked at. */
  readonly encodeEvery: Duration;
  /** An encode without a picture, a moment or a byte more. */
  readonly encodeStopped: Duration;
  /** What keeps an encode from being done, and is not its own doing, is given so long to pass. */
  readonly encodeAgain: Duration;
  /** An encoder that has not been heard of is offline; what it has goes to others. */
  readonly encoderLost: Duration;
  /** How soon an encoder is to speak again where there is nothing for it. What there is, it is told at once. */
  readonly encoderSays: Duration;
  /** How long what was encoded stays after its item is completed. */
  readonly encodesKept: Duration;
  /** Calls to the metadata service, which takes about fifty a second of one address. */
  readonly metadataRate: string;
  /** Calls to one indexer. */
  readonly indexerRate: string;
  /** Files on their way to one server at a time. */
  readonly deliveries: number;
  /** Without another byte at a server. */
  readonly stallDeliver: Duration;
  /** How long one file may be on its way, however it moves. */
  readonly deliverLongest: Duration;
  /** How long a server that is full is left alone. */
  readonly fullAgain: Duration;
  /** How often what was left behind at servers is looked for. */
  readonly leftoversEvery: Duration;
  readonly attempts: number;
  readonly backoff: Backoff;
  /** Of every service. */
  readonly breaker: BreakerOptions;
}

export const MEDIA_LIMITS: MediaLimits = {
  every: "5s",
  torrents: 10,
  stallNever: "10m",
  stallStopped: "30m",
  seedRatio: null,
  seedTime: null,
  searchAgain: "6h",
  answersFresh: "10m",
  encodeEvery: "5s",
  encodeStopped: "10m",
  encodeAgain: "30s",
  encoderLost: "90s",
  encoderSays: "15s",
  encodesKept: "1d",
  metadataRate: "20/s",
  indexerRate: "30/min",
  deliveries: 2,
  stallDeliver: "5m",
  deliverLongest: "24h",
  fullAgain: "5m",
  leftoversEvery: "1m",
  attempts: 5,
  backoff: { base: "1m", cap: "30m", jitter: "10%" },
  breaker: {},
};
