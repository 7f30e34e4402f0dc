// The fake of a gateway that takes jobs. Time in it passes by `tick()` alone.

import { readFile } from "node:fs/promises";
import { type Fault, transient } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import { type CallOptions, type Seen, type Trouble, Troubles } from "../kit/index.ts";
import { gatewayFault, sourceFault } from "./faults.ts";
import type { ConvertSource, GatewayJobs } from "./gateway.ts";
import { GatewayWorld, type GatewayWorldOptions } from "./gateway-world.ts";
import { OutputFile } from "./output-file.ts";

export type GatewayJobsCall = keyof GatewayJobs;

export interface FakeGatewayJobsOptions extends GatewayWorldOptions {
  readonly clock?: Clock;
  /** Ticks from start to done. */
  readonly ticks?: number;
}

interface Job {
  readonly ref: string;
  readonly source: ConvertSource;
  readonly pdf: Uint8Array;
  ticks: number;
  xml: string | undefined;
  fault: Fault | undefined;
}

export interface FakeGatewayJobs {
  readonly client: GatewayJobs;
  readonly world: GatewayWorld;
  /** One step of the work of every job. */
  tick(times?: number): Promise<void>;
  /** It forgets all its jobs, as one without a store does when it is started again. */
  forget(): void;
  trouble(call: GatewayJobsCall, ...troubles: readonly Trouble[]): void;
  down(isDown?: boolean): void;
  readonly calls: Readonly<Record<GatewayJobsCall, number>>;
}

export function fakeGatewayJobs(options: FakeGatewayJobsOptions = {}): FakeGatewayJobs {
  const { clock = systemClock, ticks: needed = 2 } = options;
  const world = new GatewayWorld(options);
  const { service } = world;
  const calls: Record<GatewayJobsCall, number> = { about: 0, start: 0, adopt: 0, look: 0, fetch: 0, cancel: 0 };
  const troubles = new Troubles<GatewayJobsCall>(service, calls, clock);
  const jobs = new Map<string, Job>();
  let last = 0;
  const ask = async <T>(call: GatewayJobsCall, { signal }: CallOptions, act: () => T): Promise<Awaited<T>> => {
    try {
      return await troubles.answer(call, signal, act);
    } catch (error) {
      signal?.throwIfAborted();
      throw gatewayFault(error, service);
    }
  };

  async function step(job: Job): Promise<void> {
    if (job.xml !== undefined || job.fault !== undefined) return;
    job.ticks += 1;
    if (job.ticks < needed) return;
    try {
      job.xml = await world.convert(job.source, job.pdf);
    } catch (error) {
      job.fault = gatewayFault(error, service);
    }
  }

  return {
    world,
    calls,
    client: {
      about: (signal) =>
        ask("about", { signal }, () => ({ name: service, version: "1.0.0", mappings: world.mappings })),
      async start(source, call = {}) {
        const pdf = await readFile(source.file).catch((error: unknown) => {
          throw sourceFault(error);
        });
        return await ask("start", call, () => {
          last += 1;
          const ref = `task-${last}`;
          jobs.set(ref, { ref, source, pdf, ticks: 0, xml: undefined, fault: undefined });
          return ref;
        });
      },
      adopt: (key, call = {}) =>
        ask("adopt", call, () => [...jobs.values()].find(({ source }) => source.key === key)?.ref ?? null),
      look: (refs, call = {}) => ask("look", call, () => refs.map((ref) => seen(ref, jobs.get(ref)))),
      async fetch(ref, output, call = {}) {
        const xml = await ask("fetch", call, () => jobs.get(ref)?.xml);
        if (xml === undefined)
          throw transient("JOB_GONE", `${service} has no result of ${ref}`, { service, breaker: "success" });
        const file = await OutputFile.create(output);
        await file.write(Buffer.from(xml));
        return { ...(await file.finish()), pages: 1 };
      },
      cancel: (ref, call = {}) => ask("cancel", call, () => jobs.delete(ref) || true),
    },
    async tick(times = 1) {
      for (let i = 0; i < times; i += 1) await Promise.all([...jobs.values()].map(step));
    },
    forget: () => jobs.clear(),
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

function seen(ref: string, job: Job | undefined): Seen {
  if (job === undefined) return { ref, state: "missing" };
  if (job.fault !== undefined) return { ref, state: "failed", fault: job.fault };
  if (job.xml !== undefined) return { ref, state: "done", output: null };
  return { ref, state: job.ticks === 0 ? "queued" : "running" };
}
