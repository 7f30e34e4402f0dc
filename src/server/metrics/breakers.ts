// How often services were found to be down since we began to look, and for how long. From what the feed tells of them; pure.

export interface BreakerSums {
  readonly service: string;
  readonly activations: number;
  readonly openMs: number;
}

interface Breaker {
  activations: number;
  closedMs: number;
  /** When it opened, or we began to look. */
  openSince: number | undefined;
}

export class Breakers {
  readonly #known = new Map<string, Breaker>();

  /** How it stands as we begin. Known ones keep what was counted. */
  begin(service: string, isOpen: boolean, now: number): void {
    const known = this.#of(service);
    if (isOpen) known.openSince ??= now;
    else this.#close(known, now);
  }

  opened(service: string, at: number): void {
    const known = this.#of(service);
    known.activations += 1;
    known.openSince ??= at;
  }

  closed(service: string, at: number): void {
    this.#close(this.#of(service), at);
  }

  sums(now: number): BreakerSums[] {
    return [...this.#known].map(([service, { activations, closedMs, openSince }]) => ({
      service,
      activations,
      // The database's clock may be ahead of ours.
      openMs: closedMs + (openSince === undefined ? 0 : Math.max(0, now - openSince)),
    }));
  }

  #close(known: Breaker, at: number): void {
    if (known.openSince === undefined) return;
    known.closedMs += Math.max(0, at - known.openSince);
    known.openSince = undefined;
  }

  #of(service: string): Breaker {
    const known = this.#known.get(service) ?? { activations: 0, closedMs: 0, openSince: undefined };
    this.#known.set(service, known);
    return known;
  }
}
