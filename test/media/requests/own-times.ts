// What the services outside take by themselves for all the work of a run, each as much at a time as it can, and none of it is us: the
// seeder's pace, the speed of ffmpeg, and what a server takes in a second. Times in which they were broken are not counted. Pure.

import type { MediaPace } from "../../../sandbox/media/services/definition.ts";

export interface OwnTime {
  readonly service: string;
  readonly ms: number;
}

export interface WorkDone {
  /** Torrents that were downloaded. */
  readonly releases: number;
  readonly encodes: number;
  /** Of each film. */
  readonly seconds: number;
  readonly encoders: number;
  /** That each server has in the end. */
  readonly bytes: ReadonlyMap<string, number>;
}

export type WorkPace = Pick<
  MediaPace,
  "releaseSeconds" | "torrentsAtATime" | "encodesAtATime" | "encodeSpeed" | "serverBytesPerSecond"
>;

export function ownTimes({ releases, encodes, seconds, encoders, bytes }: WorkDone, pace: WorkPace): OwnTime[] {
  const { releaseSeconds, torrentsAtATime, encodeSpeed, encodesAtATime, serverBytesPerSecond } = pace;
  const inSeconds = [
    ["download client", (releases * releaseSeconds) / torrentsAtATime],
    ["encoders", encodeSpeed === null ? 0 : (encodes * seconds) / encodeSpeed / (encoders * encodesAtATime)],
    ...[...bytes].map(
      ([server, all]) => [server, serverBytesPerSecond === null ? 0 : all / serverBytesPerSecond] as const,
    ),
  ] as const;
  return inSeconds.map(([service, own]) => ({ service, ms: own * 1_000 }));
}
