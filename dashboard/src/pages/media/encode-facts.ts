// How an encode fares, in numbers that people read. Pure.

import type { EncodeJobView } from "../../../../src/server/contract/wire.ts";
import { bytes, decimal, length, rate } from "../../text/format.ts";
import { words } from "../../text/words.ts";

const texts = words.media.encodes;

/** The most telling first; what nobody knows is left out. */
export function factsOf(job: EncodeJobView): string[] {
  if (job.state === "running") return runningFacts(job);
  if (job.state === "done") return doneFacts(job);
  return [texts.source(bytes(job.sourceBytes))];
}

function runningFacts({ fps, speed, etaMs, outBytes, sourceBytes, phase }: EncodeJobView): string[] {
  const isEncoding = phase === "encoding";
  return [
    ...(isEncoding && fps !== null ? [texts.fps(decimal(fps))] : []),
    ...(isEncoding && speed !== null ? [texts.speed(decimal(speed))] : []),
    ...(etaMs === null ? [] : [texts.left(length(Math.max(1_000, etaMs)))]),
    outBytes === null ? texts.source(bytes(sourceBytes)) : texts.soFar(bytes(outBytes), bytes(sourceBytes)),
  ];
}

function doneFacts({ result, fps, speed, outBytes, sourceBytes, since, endedAt }: EncodeJobView): string[] {
  if (result !== "made") return [texts.source(bytes(sourceBytes))];
  return [
    ...(outBytes === null ? [] : sizeFacts(sourceBytes, outBytes)),
    ...(endedAt === null ? [] : [texts.took(length(Math.max(1_000, Date.parse(endedAt) - Date.parse(since))))]),
    ...(fps === null ? [] : [texts.fps(decimal(fps))]),
    ...(speed === null ? [] : [texts.speed(decimal(speed))]),
  ];
}

function sizeFacts(source: number, made: number): string[] {
  const sizes = texts.sizes(bytes(source), bytes(made));
  if (source === 0 || made === source) return [sizes];
  const share = rate(Math.abs(source - made) / source);
  return [sizes, made < source ? texts.smaller(share) : texts.larger(share)];
}
