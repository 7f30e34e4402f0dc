// Carries the plan out: each nemesis at its time, against a worker that is up, and as many as were planned.

import { setTimeout as sleep } from "node:timers/promises";
import type { TestServer } from "../support/server.ts";
import type { Span } from "./evidence.ts";
import { END_BEAT, END_EVERYBODY, END_LISTENERS } from "./evidence.sql.ts";
import type { Proxy } from "./proxy.ts";
import type { Nemesis, NemesisType, Planned } from "./schedule.ts";
import type { Service } from "./service.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface Battlefield {
  readonly server: TestServer;
  readonly workers: readonly WorkerProcess[];
  readonly proxies: readonly Proxy[];
  readonly service: Service;
  /** Plain SQL as an onlooker whom nothing disturbs for long. Rejects while the database is away. */
  ask(text: string, values?: unknown[]): Promise<unknown>;
}

/** A call in which to strike comes soon or not at all. */
const AMBUSH_MS = 250;
const LOOK_MS = 20;

export class Nemeses {
  readonly fired = new Map<NemesisType, number>();
  readonly downtimes: Span[] = [];
  readonly #field: Battlefield;
  #crashing: Promise<void> | undefined;

  constructor(field: Battlefield) {
    this.#field = field;
  }

  /** Resolves when the last one has happened. */
  async carryOut(plan: readonly Planned[], signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const under: Promise<void>[] = [];
    for (const { atMs, nemesis } of plan) {
      const waitMs = began + atMs - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      under.push(this.#strike(nemesis, signal));
    }
    await Promise.all(under);
  }

  async #strike(nemesis: Nemesis, signal: AbortSignal): Promise<void> {
    await this.#act(nemesis, signal);
    this.fired.set(nemesis.type, (this.fired.get(nemesis.type) ?? 0) + 1);
  }

  async #act(nemesis: Nemesis, signal: AbortSignal): Promise<void> {
    const { proxies, ask } = this.#field;
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
      case "leave":
        (await this.#ready(nemesis.victim, signal)).leave();
        return;
      case "crash":
        return await this.#crash();
      case "disconnect":
        return await this.#unlessAway(ask(END_EVERYBODY));
      case "deafen":
        return await this.#unlessAway(ask(END_LISTENERS));
      case "eat":
        proxies[nemesis.line % proxies.length]?.eatReplies();
        return;
    }
  }

  /** The chosen worker, or the next one that is up. */
  async #ready(victim: number, signal: AbortSignal): Promise<WorkerProcess> {
    const { workers } = this.#field;
    for (let tries = 0; ; tries += 1) {
      const turn = workers.map((_, index) => workers[(victim + index) % workers.length]);
      const found = turn.find((worker) => worker?.standing === "ready");
      if (found !== undefined) return found;
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  async #inCall(worker: WorkerProcess, inCall: boolean, strike: () => void): Promise<void> {
    const { service } = this.#field;
    const { name } = worker.setup;
    const { pid } = worker;
    const still = () => {
      if (worker.pid === pid && worker.standing === "ready") strike();
    };
    if (!inCall) return strike();
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
