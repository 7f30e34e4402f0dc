// What every client of the job API has to do, the fake and the real one alike. Plain functions on node:assert, so that
// any test runner can run them on any implementation.

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Fault } from "../../engine/index.ts";
import type { Listed, Seen, ServiceClient } from "../kit/index.ts";
import type { JobWorld } from "./job-world.ts";

export interface ContractWorld {
  readonly client: ServiceClient;
  /** The service behind the client: idempotent, three ticks to done. */
  readonly world: JobWorld;
  /** Whether the service can be reached. */
  down(isDown: boolean): void | Promise<void>;
  /** The next start is acted upon, and its answer lost. */
  loseNextStart(): void;
}

export interface ContractCase {
  readonly name: string;
  readonly run: (world: ContractWorld) => Promise<void>;
}

const work = (key: string) => ({ key, input: { title: key } });

async function lookAt(client: ServiceClient, ref: string): Promise<Seen> {
  const [look] = await client.look([ref]);
  ok(look, "look answers every ref");
  return look;
}

function isFault(kind: string, breaker: string): (error: unknown) => boolean {
  return (error) => error instanceof Fault && error.kind === kind && error.breaker === breaker;
}

export const httpJobContract: readonly ContractCase[] = [
  {
    name: "start begins one job, however often it is asked with one key",
    async run({ client, world }) {
      const ref = await client.start(work("a:1"));
      equal(await client.start(work("a:1")), ref);
      equal(world.truth().made.get("a:1"), 1);
      equal(world.truth().starts.get("a:1"), 2);
    },
  },
  {
    name: "adopt finds what was started, by its whole key alone",
    async run({ client }) {
      const ref = await client.start(work("a:1"));
      equal(await client.adopt("a:1"), ref);
      equal(await client.adopt("a:"), null);
      equal(await client.adopt("a:12"), null);
    },
  },
  {
    name: "a start whose answer was lost is a transient fault, and its job is adopted",
    async run({ client, world, loseNextStart }) {
      loseNextStart();
      await rejects(client.start(work("a:1")), isFault("transient", "failure"));
      const ref = await client.adopt("a:1");
      ok(ref !== null);
      equal(await client.start(work("a:1")), ref);
      equal(world.truth().made.get("a:1"), 1);
    },
  },
  {
    name: "look follows a job from queued over running to done, with marks, progress and output",
    async run({ client, world }) {
      const ref = await client.start(work("a:1"));
      equal((await lookAt(client, ref)).state, "queued");
      world.tick(2);
      const running = await lookAt(client, ref);
      equal(running.state, "running");
      ok((running.marks?.bytes ?? 0) > 0);
      equal(running.marks?.ticks, 1);
      equal(running.progress, 33);
      world.tick(2);
      const done = await lookAt(client, ref);
      equal(done.state, "done");
      deepEqual(done.output, { echo: { title: "a:1" } });
      equal(world.truth().effects.get("a:1"), 1);
    },
  },
  {
    name: "look answers every ref of many, and those it does not know with missing",
    async run({ client }) {
      const refs: string[] = [];
      for (let i = 0; i < 25; i += 1) refs.push(await client.start(work(`a:${i}`)));
      const looks = await client.look([...refs, "job-unknown", "not an id, really"]);
      deepEqual(
        looks.map(({ ref, state }) => [ref, state]),
        [...refs.map((ref) => [ref, "queued"]), ["job-unknown", "missing"], ["not an id, really", "missing"]],
      );
      equal((await client.look([])).length, 0);
    },
  },
  {
    name: "look tells a paused job, and one that vanished",
    async run({ client, world }) {
      const [paused, vanished] = [await client.start(work("a:1")), await client.start(work("a:2"))];
      world.lie("a:2", "vanishes");
      world.tick();
      world.pause(paused);
      world.tick();
      equal((await lookAt(client, paused)).state, "paused");
      equal((await lookAt(client, vanished)).state, "missing");
    },
  },
  {
    name: "a failed job carries a fault that says whether trying again can help, and does not blame the service",
    async run({ client, world }) {
      world.lie("a:1", "fails");
      world.lie("a:2", "fails-for-good");
      const [again, never] = [await client.start(work("a:1")), await client.start(work("a:2"))];
      world.tick(4);
      ok(isFault("transient", "success")((await lookAt(client, again)).fault));
      const { state, fault } = await lookAt(client, never);
      equal(state, "failed");
      ok(isFault("permanent", "success")(fault));
      equal(fault?.code, "BROKEN");
    },
  },
  {
    name: "nonsense in progress and counters is left out or brought within bounds",
    async run({ client, world }) {
      world.lie("a:1", "nonsense");
      const ref = await client.start(work("a:1"));
      for (let i = 0; i < 50; i += 1) {
        const { progress, marks } = await lookAt(client, ref);
        ok(progress === undefined || Number.isFinite(progress));
        ok(Object.values(marks ?? {}).every((mark) => Number.isFinite(mark)));
      }
    },
  },
  {
    name: "cancel ends a job, and is content when there is none",
    async run({ client, world }) {
      const ref = await client.start(work("a:1"));
      await client.cancel(ref);
      await client.cancel(ref);
      await client.cancel("job-unknown");
      equal((await lookAt(client, ref)).state, "missing");
      deepEqual(world.truth().cancelled, ["a:1"]);
    },
  },
  {
    name: "list finds all of ours over many pages, and nothing else",
    async run({ client }) {
      const ours: Listed[] = [];
      for (let i = 0; i < 25; i += 1)
        ours.push({ ref: await client.start(work(`ours:${i}`)), key: `ours:${i}`, state: "queued" });
      await client.start(work("theirs:1"));
      deepEqual(await client.list("ours:"), ours);
      deepEqual(await client.list("nobody:"), []);
    },
  },
  {
    name: "a service that is down is unavailable, in all five, and everything is there afterwards",
    async run({ client, world, down }) {
      const ref = await client.start(work("a:1"));
      await down(true);
      const isDown = isFault("unavailable", "failure");
      await rejects(client.start(work("a:2")), isDown);
      await rejects(client.adopt("a:1"), isDown);
      await rejects(client.look([ref]), isDown);
      await rejects(client.cancel(ref), isDown);
      await rejects(client.list("a:"), isDown);
      await down(false);
      equal(await client.adopt("a:1"), ref);
      equal(world.truth().made.get("a:2"), undefined);
    },
  },
  {
    name: "an aborted call rejects with the reason it was given",
    async run({ client }) {
      const reason = new Fault("transient", "STOPPING", "the worker is stopping");
      await rejects(client.look(["job-1"], { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    },
  },
];
