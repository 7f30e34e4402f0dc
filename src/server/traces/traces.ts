// Follows the feed and sends the trace of every item that has ended. What cannot be sent is dropped: a collector that is away
// costs a bounded queue and nothing else.

import type { ItemEvent, Logger, Sluice, SluiceEvent } from "../../engine/index.ts";
import { type Clock, type Loop, loop, type Service, safeText } from "../../kit/index.ts";
import { Follow } from "../follow/follow.ts";
import type { SpanSender } from "./otlp.ts";
import { type PlainSpan, spansOf } from "./spans.ts";

export interface TracePorts {
  readonly sluice: Pick<Sluice, "feed" | "feedEnd" | "tables" | "origins" | "history">;
  readonly log: Logger;
  readonly clock: Clock;
  readonly holder: string;
  readonly sender: SpanSender;
}

const SEND_EVERY_MS = 1_000;
const SPANS_AT_ONCE = 500;
const QUEUE_MOST = 5_000;
/** Of an item to which more happened the first ones are told. */
const ENTRIES_MOST = 200;
/** Where nobody sent traces for longer, what happened meanwhile is not sent afterwards: weeks of it would be. */
const STALE_MS = 3_600_000;

export class Traces implements Service {
  readonly #ports: TracePorts;
  readonly #follow: Follow;
  readonly #sending: Loop;
  #queue: PlainSpan[] = [];
  #dropped = 0;

  constructor(ports: TracePorts) {
    this.#ports = ports;
    this.#follow = new Follow({ ...ports, name: "traces", staleMs: STALE_MS, see: (event) => this.#see(event) });
    this.#sending = loop(
      ports.clock,
      SEND_EVERY_MS,
      () => this.#send(),
      (error) => this.#failed(error),
    );
  }

  async start(): Promise<void> {
    await this.#follow.start();
    await this.#sending.start();
  }

  async stop(): Promise<void> {
    await this.#follow.stop();
    await this.#sending.stop();
    await this.#send().catch((error: unknown) => this.#failed(error));
    await this.#ports.sender.close();
  }

  async #see(event: SluiceEvent): Promise<void> {
    if (event.item === undefined || event.end === null) return;
    const spans = await this.#traceOf(event);
    const room = QUEUE_MOST - this.#queue.length;
    this.#queue.push(...spans.slice(0, room));
    this.#dropped += Math.max(0, spans.length - room);
    if (this.#queue.length >= SPANS_AT_ONCE) this.#sending.wake();
  }

  async #traceOf(event: ItemEvent): Promise<readonly PlainSpan[]> {
    const { sluice } = this.#ports;
    const [origins, { entries }] = await Promise.all([
      sluice.origins([event.item]),
      sluice.history(event.item, { limit: ENTRIES_MOST, outputs: false }),
    ]);
    const origin = origins.get(event.item);
    // Removed already.
    return origin === undefined ? [] : spansOf(event, origin, entries);
  }

  async #send(): Promise<void> {
    for (let left = Math.ceil(QUEUE_MOST / SPANS_AT_ONCE); left > 0 && this.#queue.length > 0; left -= 1) {
      const batch = this.#queue.splice(0, SPANS_AT_ONCE);
      try {
        await this.#ports.sender.send(batch);
      } catch (error) {
        this.#dropped += batch.length;
        throw error;
      }
    }
  }

  #failed(error: unknown): void {
    this.#ports.log.warn("traces.unsent", { dropped: this.#dropped, error: safeText(error, 300) });
    this.#dropped = 0;
  }
}
