// What the gateway can make of a PDF. Asked now and then; while it is away, what it said last.

import type { Clock } from "../../../kit/index.ts";
import type { DocumentGateway } from "../services.ts";

const FRESH_MS = 60_000;
const ANSWER_MS = 2_000;

export class Mappings {
  readonly #gateway: DocumentGateway;
  readonly #standard: string;
  readonly #clock: Clock;
  #known: readonly string[] | undefined;
  #askedAt: number | undefined;

  constructor(gateway: DocumentGateway, standard: string, clock: Clock) {
    this.#gateway = gateway;
    this.#standard = standard;
    this.#clock = clock;
  }

  /** The first is taken where nobody chooses. */
  async all(): Promise<readonly string[]> {
    const now = this.#clock.monotonic();
    if (this.#askedAt === undefined || now - this.#askedAt >= FRESH_MS) {
      this.#askedAt = now;
      this.#known = (await this.#ask()) ?? this.#known;
    }
    return [...new Set([this.#standard, ...(this.#known ?? [])])];
  }

  /** Undefined where it does not say. A page need not wait for a gateway that is down: its stage will, and tells of it. */
  async #ask(): Promise<readonly string[] | undefined> {
    const over = new AbortController();
    const answered = (async () => {
      const client = "once" in this.#gateway ? this.#gateway.once : this.#gateway.jobs;
      const { mappings } = await client.about(over.signal);
      return mappings ?? undefined;
    })().catch(() => undefined);
    const done = new AbortController();
    const late = this.#clock.sleep(ANSWER_MS, done.signal).then(() => undefined);
    try {
      return await Promise.race([answered, late]);
    } finally {
      done.abort();
      over.abort();
    }
  }
}
