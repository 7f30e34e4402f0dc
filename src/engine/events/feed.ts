// The feed as an endless iterator: pages are read when somebody asks for more, never ahead, so a slow reader costs one
// page of memory. Polling alone is correct; a wake-up only makes it faster.

import { type Clock, type Logger, type Loop, loop, SluiceError, safeText, silentLogger } from "../../kit/index.ts";
import { classifyDatabaseError } from "../db/errors.ts";
import type { SluiceEvent } from "./event.ts";
import { checkWanted, type EventsWanted, type FeedPorts, readEvents } from "./read-events.ts";

export interface SubscriptionPorts extends FeedPorts {
  readonly clock: Clock;
  readonly log?: Logger | undefined;
  /** Calls back when something may have happened; answers with how to stop that. */
  readonly onMoved?: ((listener: () => void) => () => void) | undefined;
}

export interface FeedOptions extends EventsWanted {
  /** Ends the feed. */
  readonly signal?: AbortSignal | undefined;
  readonly pollMs?: number | undefined;
}

const POLL_MS = 1_000;

/**
 * Every event once and in order, across restarts when the last event's cursor is given back as `after`. Ends when the
 * signal aborts or the reader leaves its loop. Survives a database that is away for a while; throws `FeedResetError` when
 * it comes back as another one.
 */
export function feed(ports: SubscriptionPorts, options: FeedOptions = {}): AsyncIterableIterator<SluiceEvent> {
  checkWanted(options);
  return new Subscription(ports, options);
}

type Asking = PromiseWithResolvers<IteratorResult<SluiceEvent>>;

class Subscription implements AsyncIterableIterator<SluiceEvent> {
  readonly #ports: SubscriptionPorts;
  readonly #options: FeedOptions;
  readonly #loop: Loop;
  #after: string | undefined;
  #read: SluiceEvent[] = [];
  #asking: Asking[] = [];
  #isOver = false;
  #error: unknown;
  #stopMoved: (() => void) | undefined;

  constructor(ports: SubscriptionPorts, options: FeedOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#after = options.after;
    this.#loop = loop(
      ports.clock,
      options.pollMs ?? POLL_MS,
      () => this.#look(),
      (error) => this.#failed(error),
    );
    if (options.signal?.aborted) this.#isOver = true;
    else options.signal?.addEventListener("abort", this.#end);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<SluiceEvent>> {
    if (this.#error !== undefined) throw this.#takeError();
    if (this.#isOver) return { done: true, value: undefined };
    const event = this.#read.shift();
    if (event !== undefined) return { done: false, value: event };
    const asking: Asking = Promise.withResolvers();
    this.#asking.push(asking);
    await this.#loop.start();
    this.#stopMoved ??= this.#ports.onMoved?.(() => this.#loop.wake());
    this.#loop.wake();
    return await asking.promise;
  }

  /** Called by `for await` when its body leaves. */
  async return(): Promise<IteratorResult<SluiceEvent>> {
    this.#end();
    await this.#loop.stop();
    return { done: true, value: undefined };
  }

  async #look(): Promise<void> {
    if (this.#asking.length === 0 || this.#isOver) return;
    const { item, request, outputs, limit } = this.#options;
    const page = await readEvents(this.#ports, { after: this.#after, item, request, outputs, limit });
    if (this.#isOver) return;
    this.#after = page.cursor;
    this.#read.push(...page.events);
    for (const asking of this.#asking.splice(0, this.#read.length)) {
      const event = this.#read.shift();
      if (event !== undefined) asking.resolve({ done: false, value: event });
    }
    if (!page.isEnd && this.#asking.length > 0) this.#loop.wake();
  }

  #failed(error: unknown): void {
    if (isPassing(error)) {
      (this.#ports.log ?? silentLogger).warn("feed.interrupted", { error: safeText(error, 300) });
      return;
    }
    const [first] = this.#asking.splice(0, 1);
    if (first === undefined) this.#error = error;
    else first.reject(error);
    this.#end();
  }

  readonly #end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#read = [];
    this.#options.signal?.removeEventListener("abort", this.#end);
    this.#stopMoved?.();
    // Not awaited: this may be called from within the loop's own step.
    void this.#loop.stop();
    for (const asking of this.#asking.splice(0)) asking.resolve({ done: true, value: undefined });
  };

  #takeError(): unknown {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }
}

/** Reading changes nothing, so whatever may pass is waited out. */
function isPassing(error: unknown): boolean {
  if (error instanceof SluiceError || error instanceof TypeError || error instanceof ReferenceError) return false;
  const failure = classifyDatabaseError(error);
  return failure === "lost" || failure === "trouble" || failure === "conflict";
}
