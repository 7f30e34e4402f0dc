// The fake client: the same five functions on a world in memory, with troubles on demand.

import { type Clock, systemClock } from "../../kit/index.ts";
import { type CallOptions, type Listed, type Seen, type ServiceClient, type Trouble, Troubles } from "../kit/index.ts";
import { JobWorld, type JobWorldOptions } from "./job-world.ts";
import { toSeen } from "./wire.ts";

export type Call = keyof ServiceClient;

export interface FakeJobsOptions extends JobWorldOptions {
  readonly service?: string;
  readonly clock?: Clock;
}

export interface FakeJobs {
  readonly client: ServiceClient;
  /** The other side, and what it knows. */
  readonly world: JobWorld;
  /** The next calls of this kind, one trouble each. */
  trouble(call: Call, ...troubles: readonly Trouble[]): void;
  /** Nobody there until it is up again. */
  down(isDown?: boolean): void;
  /** Calls that were made, by kind. */
  readonly calls: Readonly<Record<Call, number>>;
}

export function fakeJobs(options: FakeJobsOptions = {}): FakeJobs {
  const { service = "fake-jobs", clock = systemClock } = options;
  const world = new JobWorld(options);
  const calls: Record<Call, number> = { start: 0, adopt: 0, look: 0, cancel: 0, list: 0 };
  const troubles = new Troubles<Call>(service, calls, clock);
  const answer = <T>(kind: Call, call: CallOptions | undefined, act: () => T) =>
    troubles.answer(kind, call?.signal, act);

  const client: ServiceClient = {
    start: ({ key, input }, call) => answer("start", call, () => world.start(key, input).id),
    adopt: (key, call) => answer("adopt", call, () => firstOf(world, key)),
    look: (refs, call) => answer("look", call, () => lookAt(world, refs, service)),
    cancel: (ref, call) => answer("cancel", call, () => void world.cancel(ref)),
    list: (prefix, call) => answer("list", call, () => listed(world, prefix)),
  };
  return {
    client,
    world,
    calls,
    trouble: (call, ...planned) => troubles.plan(call, ...planned),
    down: (isDown = true) => {
      troubles.isDown = isDown;
    },
  };
}

function firstOf(world: JobWorld, key: string): string | null {
  const jobs = world.byKey(key);
  return (jobs.find(({ status }) => status !== "failed") ?? jobs[0])?.id ?? null;
}

function lookAt(world: JobWorld, refs: readonly string[], service: string): readonly Seen[] {
  const jobs = new Map(world.byIds(refs).map((job) => [job.id, toSeen(job, service)]));
  return refs.map((ref) => jobs.get(ref) ?? { ref, state: "missing" });
}

function listed(world: JobWorld, prefix: string): readonly Listed[] {
  return world.byPrefix(prefix).map(({ id, key, status }) => ({ ref: id, key, state: status }));
}
