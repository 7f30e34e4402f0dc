// The one who is never killed: submits, cancels, retries, signals and reads results, and writes down what it was told.

import { setTimeout as sleep } from "node:timers/promises";
import { InputError, type RequestHandle, type Sluice } from "../../src/engine/index.ts";
import type { Random } from "../../src/kit/index.ts";
import type { Action, Operation, Webhook } from "./evidence.ts";
import type { Begun, Ended } from "./job-service.ts";
import { nextWanted, type Wanted } from "./load.ts";
import { chain } from "./pipelines.ts";

export const ITEMS_PER_SECOND = 76;
const IN_FLIGHT_MOST = 60;
const TICK_MS = 50;
const AGAIN_MS = 100;
/** Of the webhooks: so many never arrive, and so many of the others arrive twice, at once or later. */
const UNHEARD = 0.3;
const HEARD_TWICE = 0.6;
const LATE_MS = 3_000;
const BEGUN_WITHIN_MS = 30_000;

export class Client {
  readonly operations: Operation[] = [];
  readonly webhooks: Webhook[] = [];
  readonly #sluice: Sluice;
  readonly #random: Random;
  readonly #mend: (tag: string) => void;
  readonly #under = new Set<Promise<void>>();
  readonly #over: AbortSignal;
  /** Tags whose jobs were started. */
  readonly #begun = new Set<string>();
  #acknowledged = 0;

  constructor(sluice: Sluice, random: Random, over: AbortSignal, mend: (tag: string) => void) {
    this.#sluice = sluice;
    this.#random = random;
    this.#over = over;
    this.#mend = mend;
  }

  /** Hands in so many items, as far as `progress` has come (from 0 to 1); what was lost to an outage is made up for. */
  async submitAll(items: number, progress: () => number, signal: AbortSignal): Promise<void> {
    for (let number = 0; progress() < 1 || this.#acknowledged < items; ) {
      const due = progress() * items;
      while (this.#acknowledged < due && this.#under.size < IN_FLIGHT_MOST + number / 20) {
        number += 1;
        const wanted = nextWanted(number, this.#random);
        this.#acknowledged += wanted.weight;
        this.#begin(this.#want(wanted));
        if (number % 97 === 0) this.#begin(this.#submitNonsense(number));
      }
      await sleep(TICK_MS, undefined, { signal });
    }
  }

  /** Told until it is acknowledged: the service outside does not give up either. */
  async signal(key: string): Promise<void> {
    while (!this.#over.aborted) {
      try {
        return await this.#sluice.signal(key, { from: "service" });
      } catch {
        await sleep(AGAIN_MS);
      }
    }
  }

  signalSoon(key: string): void {
    this.#begin(this.signal(key));
  }

  /** A webhook of the job service comes in; the watcher finds out by itself about what is lost here. */
  hear(job: Begun | Ended): void {
    if ("begun" in job) {
      this.#begun.add(job.begun);
      return;
    }
    if (this.#random.fraction() < UNHEARD) return;
    this.#begin(this.#report(job, 0));
    const delayMs = this.#random.fraction() < 0.5 ? 0 : this.#random.fraction() * LATE_MS;
    if (this.#random.fraction() < HEARD_TWICE) this.#begin(this.#report(job, delayMs));
  }

  async #report({ key, output }: Ended, delayMs: number): Promise<void> {
    await sleep(delayMs);
    while (!this.#over.aborted) {
      try {
        const isNews = await this.#sluice.reportEnd(key, { state: "done", output });
        this.webhooks.push({ key, isNews });
        return;
      } catch {
        await sleep(AGAIN_MS);
      }
    }
  }

  /** Things still under way, such as waiting for results. */
  get busy(): number {
    return this.#under.size;
  }

  #begin(work: Promise<void>): void {
    const tracked = work.finally(() => this.#under.delete(tracked));
    this.#under.add(tracked);
  }

  async #want(wanted: Wanted): Promise<void> {
    const handle = await this.#submit(wanted);
    if (wanted.key !== null) await this.#submit(wanted);
    if (handle === undefined) {
      this.#acknowledged -= wanted.weight;
      return;
    }
    if (wanted.cancelAfterMs !== null) {
      if (wanted.inputs[0]?.fate === "endless") await this.#hasBegun(wanted.inputs[0].tag);
      await sleep(wanted.cancelAfterMs);
      await this.#cancel(handle);
    }
    if (wanted.awaitsResult) await this.#readResult(handle, wanted);
  }

  /** Or will not begin soon; or nobody was told. */
  async #hasBegun(tag: string): Promise<void> {
    const limit = performance.now() + BEGUN_WITHIN_MS;
    while (!this.#begun.has(tag) && !this.#over.aborted && performance.now() < limit) await sleep(AGAIN_MS);
  }

  async #submit(wanted: Wanted): Promise<RequestHandle | undefined> {
    const { pipeline, inputs, key } = wanted;
    const tags = inputs.map((input) => input.tag);
    const facts = { op: "submit" as const, pipeline: pipeline.name, tags, key };
    for (;;) {
      try {
        const handle = await this.#sluice.submit(pipeline, inputs, key === null ? {} : { key, unique: "forever" });
        const { request, items, joined } = handle;
        this.operations.push({ ...facts, answer: "ok", at: Date.now(), request, items, joined });
        return handle;
      } catch {
        this.operations.push({ ...facts, answer: "unknown", at: Date.now() });
        if (this.#over.aborted) return undefined;
        await sleep(AGAIN_MS);
        // Without a key a second try could be a second request; with one it joins what the first may have made.
        if (key === null) return undefined;
      }
    }
  }

  async #submitNonsense(number: number): Promise<void> {
    const facts = { op: "submit" as const, pipeline: chain.name, tags: [`bad${number}`], key: null };
    // One good and one bad input: nothing of it may be stored.
    const inputs = [
      { tag: `bad${number}`, fate: "well" as const, blips: 0 },
      { fate: "well", blips: 0 },
    ];
    try {
      await this.#sluice.submit(chain, inputs as never);
      this.operations.push({ ...facts, answer: "ok", at: Date.now(), items: [], joined: false });
    } catch (error) {
      this.operations.push({ ...facts, answer: error instanceof InputError ? "failed" : "unknown", at: Date.now() });
    }
  }

  async #cancel({ request, items }: RequestHandle): Promise<void> {
    const target = items.length > 1 || this.#random.fraction() < 0.5 ? request : (items[0] ?? request);
    await this.#actUntilAnswered("cancel", target, () => this.#sluice.cancel(target, "chaos"));
  }

  async #actUntilAnswered(
    op: Action["op"],
    target: string,
    act: () => Promise<{ readonly ok: boolean }>,
  ): Promise<void> {
    while (!this.#over.aborted) {
      try {
        const { ok } = await act();
        this.operations.push({ op, target, answer: "ok", did: ok, at: Date.now() });
        return;
      } catch {
        this.operations.push({ op, target, answer: "unknown", did: false, at: Date.now() });
        await sleep(AGAIN_MS);
      }
    }
  }

  async #readResult(handle: RequestHandle, wanted: Wanted): Promise<void> {
    const [input] = wanted.inputs;
    const [item] = handle.items;
    const state = await this.#result(handle);
    if (input?.fate !== "mend" || item === undefined || state !== "failed") return;
    this.#mend(input.tag);
    await this.#actUntilAnswered("retry", item, () => this.#sluice.retry(item, "chaos"));
    await this.#result(handle);
  }

  /** The first item's state. */
  async #result(handle: RequestHandle): Promise<string | undefined> {
    while (!this.#over.aborted) {
      try {
        const { items } = await handle.result({ signal: this.#over });
        this.operations.push({ op: "result", items: items.map(({ id, state }) => ({ id, state })), at: Date.now() });
        return items[0]?.state;
      } catch {
        await sleep(AGAIN_MS);
      }
    }
    return undefined;
  }
}
