// What a running server tells about the work, besides answering: numbers, a line for every transition, and traces where somebody
// wants them.

import { randomUUID } from "node:crypto";
import type { Logger, Sluice } from "../engine/index.ts";
import { type Clock, type Service, together } from "../kit/index.ts";
import { transitionLog } from "./log/transitions.ts";
import { Metrics } from "./metrics/metrics.ts";
import type { OtlpOptions } from "./traces/otlp.ts";

export interface ObserveOptions {
  readonly sluice: Sluice;
  readonly log: Logger;
  readonly version: string;
  readonly clock: Clock;
  readonly traces?: Omit<OtlpOptions, "version"> | undefined;
}

export interface Observed {
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

export async function observe({ sluice, log, version, clock, traces }: ObserveOptions): Promise<Observed> {
  const holder = randomUUID();
  const metrics = new Metrics({ sluice, log, clock, version, now: () => Date.now() });
  const parts: Service[] = [metrics, transitionLog({ sluice, log, clock, holder })];
  if (traces !== undefined) {
    // Loaded only now: most never need it.
    const [{ otlpSender }, { Traces }] = await Promise.all([import("./traces/otlp.ts"), import("./traces/traces.ts")]);
    parts.push(new Traces({ sluice, log, clock, holder, sender: await otlpSender({ ...traces, version }) }));
  }
  const all = together(parts);
  await all.start();
  return { metrics, stop: () => all.stop() };
}
