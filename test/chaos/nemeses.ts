// Carries the plan out: each nemesis at its time, against a worker that is up, and as many as were planned.

import { setTimeout as sleep } from "node:timers/promises";
import { END_BEAT, END_EVERYBODY, END_LISTENERS } from "./evidence.sql.ts";
import type { Span, Strike } from "./evidence.ts";
import type { Nemesis, NemesisType, Planned } from "./schedule.ts";
import type { WorkerProcess } from "./worker-process.ts";
import type { World } from "./world.ts";

export type Battlefield = Pick<World, "server" | "workers" | "proxies" | "service" | "jobs" | "lines" | "ask">;

type Outage = Extract<Nemesis, { type: "service kill" | "partition" | "refusal" }>;

/** Of four: somebody has to be left to take over, also where the machine is slow and workers take long to start. */
const READY_LEAST = 2;
/** A call in which to strike comes soon or not at all. */
const AMBUSH_MS = 250;
const LOOK_MS = 20;

export class Nemeses {
  readonly fired = new Map<NemesisType, number>();
  readonly downtimes: Span[] = [];
  readonly strikes: Strike[] = [];
  readonly #field: Battlefield;
  readonly #chosen = new Set<WorkerProcess>();
  readonly #outages: Promise<void>[] = [];
  #crashing: Promise<void> | undefined;

  constructor(field: Battlefield) {
    this.#field = field;
  }

  /** How much of the plan is done, from 0 to 1. On a slow machine it takes longer than planned. */
  progress = 0;

  /** Resolves when the last one has happened. */
  async carryOut(plan: readonly Planned[], signal: AbortSignal): Promise<void> {
    const began = performance.now();
    for (const [index, { atMs, nemesis }] of plan.entries()) {
      const waitMs = began + atMs - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      // One after the other: a plan that has fallen behind must not come down all at once.
      await this.#strike(nemesis, signal);
      this.progress = (index + 1) / plan.length;
    }
  }

  async #strike(nemesis: Nemesis, signal: AbortSignal): Promise<void> {
    await this.#act(nemesis, signal);
    this.fired.set(nemesis.type, (this.fired.get(nemesis.type) ?? 0) + 1);
  }

  async #act(nemesis: Nemesis, signal: AbortSignal): Promise<void> {
    const { proxies, ask } = this.#field;
    const note = (what: string) => this.strikes.push({ at: Date.now(), what });
    switch (nemesis.type) {
      case "kill": {
        const worker = await this.#ready(nemesis.victim, signal);
        await this.#inCall(worker, nemesis.inCall, () => worker.kill(nemesis.restartAfterMs));
        return;
      }
      case "pause": {
        const worker = await this.#ready(nemesis.victim, signal);
        await this.#inCall(worker, nemesis.inCall, () => worker.pause(nemesis.ms));
        if (nemesis.cutOff) await this.#unlessAway(ask(END_BEAT, [worker.pid]));
        return;
      }
      case "leave": {
        const worker = await this.#ready(nemesis.victim, signal);
        await this.#inCall(worker, false, () => worker.leave());
        return;
      }
      case "crash":
        return await this.#crash();
      case "disconnect":
        note("every connection was ended");
        return await this.#unlessAway(ask(END_EVERYBODY));
      case "deafen":
        note("every listener was ended");
        return await this.#unlessAway(ask(END_LISTENERS));
      case "eat":
        note(`replies on line ${nemesis.line % proxies.length} are swallowed`);
        proxies[nemesis.line % proxies.length]?.eatReplies();
        return;
      case "service kill":
      case "partition":
      case "refusal":
        this.#outages.push(this.#strikeService(nemesis, note));
        return;
    }
  }

  /** Nobody waits for it: the workers are mistreated meanwhile as well. */
  async #strikeService(nemesis: Outage, note: (what: string) => void): Promise<void> {
    const { jobs, lines } = this.#field;
    switch (nemesis.type) {
      case "service kill":
        note("the job service was killed");
        await jobs.kill(nemesis.inCall, nemesis.downMs);
        return note("the job service was up again");
      case "partition": {
        const { how, victim, ms } = nemesis;
        const cut = victim === null ? lines : lines.slice(victim, victim + 1);
        note(`the job service was cut off from ${victim === null ? "all" : `worker ${victim}`}: ${how}`);
        await Promise.all(cut.map((line) => line.cut(how, ms)));
        return note("the job service could be reached again");
      }
      case "refusal":
        note(`the job service answers with ${nemesis.status}`);
        await jobs.refuse(nemesis.status, nemesis.ms);
        return note("the job service answers again");
    }
  }

  /** Resolves when the job service is well, and can be reached. */
  async outagesOver(): Promise<void> {
    await Promise.all(this.#outages);
  }

  /** The chosen worker, or the next one that is up; but only while there is another. */
  async #ready(victim: number, signal: AbortSignal): Promise<WorkerProcess> {
    const { workers, service } = this.#field;
    for (;;) {
      const turn = workers.map((_, index) => workers[(victim + index) % workers.length]);
      const ready = turn.filter((worker) => worker?.standing === "ready" && !this.#chosen.has(worker));
      // Who has nothing in hand loses nothing.
      const found = ready.find((worker) => worker !== undefined && service.inHand(worker.setup.name) > 0) ?? ready[0];
      if (found !== undefined && ready.length >= READY_LEAST) {
        this.#chosen.add(found);
        return found;
      }
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  async #inCall(worker: WorkerProcess, inCall: boolean, strike: () => void): Promise<void> {
    const { service } = this.#field;
    const { name } = worker.setup;
    const { pid } = worker;
    const still = () => {
      if (!this.#chosen.delete(worker)) return;
      if (worker.pid === pid && worker.standing === "ready") strike();
    };
    if (!inCall) return still();
    service.ambush(name, still);
    await sleep(AMBUSH_MS);
    if (service.callOff(name)) still();
  }

  async #crash(): Promise<void> {
    await this.#crashing;
    const from = Date.now();
    this.#crashing = this.#field.server.crashAndRestart();
    await this.#crashing;
    this.#crashing = undefined;
    this.downtimes.push({ from, to: Date.now() });
  }

  /** The database may be away itself at that moment, which is as good. */
  async #unlessAway(work: Promise<unknown>): Promise<void> {
    await work.catch(() => undefined);
  }
}
