// How a simulated process speaks to a service outside: the request travels by itself once it is sent, whatever becomes of
// the process; the answer only reaches somebody who is still there.

import { type Seen, transient } from "../../src/engine/index.ts";
import type { Listed } from "../../src/engine/pipeline/outside.ts";
import type { CallKind, Job, JobsService } from "./jobs-service.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

/** How long the client itself waits for an answer. */
const PATIENCE_MS = 4_000;

export class ServiceClient {
  readonly #world: World;
  readonly #process: SimulatedProcess | undefined;
  readonly #service: JobsService;

  constructor(world: World, process: SimulatedProcess | undefined, service: JobsService) {
    this.#world = world;
    this.#process = process;
    this.#service = service;
  }

  start(key: string, item: string): Promise<string> {
    return this.#ask("start", key, () => {
      const { services } = this.#world;
      this.#world.guard(() => services.starts.arrived(this.#service, this.#process, key, item));
      const before = this.#service.jobs.size;
      const job = this.#service.start(key, item);
      if (this.#service.jobs.size > before) this.#promiseCallbacks(job);
      return job.ref;
    });
  }

  adopt(key: string): Promise<string | null> {
    return this.#ask("adopt", key, () => {
      this.#world.services.starts.asked(this.#process, key);
      const ref = this.#service.adopt(key);
      if (ref !== null) this.#world.counts.add("outside: adopted");
      return ref;
    });
  }

  look(refs: readonly string[]): Promise<Seen[]> {
    return this.#ask("look", undefined, () => this.#service.look(refs));
  }

  cancel(ref: string): Promise<void> {
    return this.#ask("cancel", undefined, () => this.#service.cancel(ref));
  }

  list(): Promise<Listed[]> {
    return this.#ask("list", undefined, () => this.#service.list());
  }

  act(): Promise<string> {
    return this.#ask("act", undefined, () => "acted");
  }

  probe(): Promise<string> {
    return this.#ask("probe", undefined, () => "well");
  }

  #ask<Answer>(kind: CallKind, key: string | undefined, effect: () => Answer): Promise<Answer> {
    const { scheduler, services, keeper, counts } = this.#world;
    const process = this.#process;
    if (process === undefined) throw new Error("only workers call services");
    const service = this.#service;
    const { dice, name } = service;
    counts.add(`outside: ${kind}`);
    const call = { process, service: name, kind, key };
    this.#world.guard(() => services.calls.issued(call));
    const slowness = () => (service.has("slow") ? dice.between(500, 5_000) : dice.between(1, 60));
    return new Promise((resolve, reject) => {
      const answers = (afterMs: number, settle: () => void) =>
        scheduler.park(process, `${name} answers ${kind}`, afterMs, () => {
          services.calls.answered(call);
          settle();
        });
      const arrives = () => {
        try {
          service.admit(kind);
          const answer = effect();
          if (!service.has("lost")) return void answers(slowness(), () => resolve(answer));
          counts.add("outside: answer lost");
          answers(PATIENCE_MS, () => reject(transient("TIMEOUT", "no answer in time")));
        } catch (error) {
          counts.add("outside: refused");
          answers(slowness(), () => reject(error));
        }
      };
      scheduler.park(keeper, `${name} is asked to ${kind}`, slowness(), arrives);
    });
  }

  /** A webhook: as often as the service likes, around the time of the end. */
  #promiseCallbacks(job: Job): void {
    const { has, dice } = { has: this.#service.has("callback"), dice: this.#service.dice };
    if (!has || job.end === "never") return;
    const state = job.end;
    for (let times = dice.between(1, 3); times > 0; times -= 1) {
      const afterMs = job.endsAt - job.createdAt + dice.between(0, 6_000);
      this.#world.later(afterMs, `${this.#service.name} calls back`, () => {
        const client = this.#world.clientSluice;
        if (client === undefined || this.#world.isClosing) return;
        client.reportEnd(job.key, { state, output: { ref: job.ref } }).then(
          (isNews) => this.#world.counts.add(isNews ? "callback: news" : "callback: in vain"),
          () => this.#world.counts.add("callback: failed"),
        );
      });
    }
  }
}
