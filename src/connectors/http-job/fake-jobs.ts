// The fake client: the same five functions on a world in memory, with troubles on demand.

import { type Fault, transient, unavailable } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";
import type { CallOptions, Listed, Seen, ServiceClient } from "../kit/index.ts";
import { JobWorld, type JobWorldOptions } from "./job-world.ts";
import { toSeen } from "./wire.ts";

export type Call = keyof ServiceClient;

/** What becomes of the next call of one kind. */
export type Trouble =
  /** Nobody there; nothing happened. */
  | "refused"
  /** It happened, and the answer never came. */
  | "timeout-but-done"
  /** Nothing happened, and no answer came. */
  | "timeout"
  /** Told to wait a minute. */
  | "rate-limited"
  /** It happens, and the answer takes its time on the given clock. */
  | { readonly slowMs: number };

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
  const planned = new Map<Call, Trouble[]>();
  const calls: Record<Call, number> = { start: 0, adopt: 0, look: 0, cancel: 0, list: 0 };
  let isDown = false;

  async function answer<T>(kind: Call, call: CallOptions | undefined, act: () => T): Promise<T> {
    calls[kind] += 1;
    call?.signal?.throwIfAborted();
    const trouble = isDown ? "refused" : planned.get(kind)?.shift();
    if (trouble === undefined) return act();
    if (typeof trouble === "object") {
      const value = act();
      await clock.sleep(trouble.slowMs, call?.signal);
      call?.signal?.throwIfAborted();
      return value;
    }
    if (trouble === "timeout-but-done") act();
    throw faultOf(trouble, service);
  }

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
    trouble: (call, ...troubles) => void planned.set(call, [...(planned.get(call) ?? []), ...troubles]),
    down: (value = true) => {
      isDown = value;
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

function faultOf(trouble: Exclude<Trouble, object>, service: string): Fault {
  switch (trouble) {
    case "refused":
      return unavailable("NOT_REACHED", `${service} refused the connection`, { service });
    case "timeout":
    case "timeout-but-done":
      return transient("TIMEOUT", `${service} did not answer`, { service });
    case "rate-limited":
      return unavailable("RATE_LIMITED", `${service} asked to slow down`, { service, retryAfter: "1m" });
  }
}
