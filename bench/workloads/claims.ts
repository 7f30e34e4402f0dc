// How long it takes to claim one item, as often as that is steady.

import type { Opened } from "../contender.ts";
import type { Meter } from "../meter.ts";
import { now } from "../payload.ts";
import type { Sample } from "../workload.ts";

export const CLAIMS = 500;
/** The first ones plan their statements. */
const WARM_UP = 50;

/** Nothing where a contender's own claim cannot be asked for. */
export async function measureClaims(opened: Opened, start: () => Promise<Meter>): Promise<Sample> {
  const taker = await opened.taker?.();
  if (taker === undefined) return {};
  const times: number[] = [];
  const finishes: (() => Promise<void>)[] = [];
  let meter: Meter | undefined;
  for (let count = 0; count < WARM_UP + CLAIMS; count += 1) {
    if (count === WARM_UP) meter = await start();
    const began = now();
    finishes.push(await taker.take());
    times.push(now() - began);
  }
  const { clientCpu = 0, serverCpu = 0 } = (await meter?.stop()) ?? {};
  for (const finish of finishes) await finish();
  await taker.close();
  const sorted = times.slice(WARM_UP).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { claim: at(0.5), claim95: at(0.95), claimCpu: (clientCpu + serverCpu) / CLAIMS };
}
