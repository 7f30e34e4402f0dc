// Troubles on demand, for fakes: what becomes of the next call of one kind.

import { type Fault, transient, unavailable } from "../../engine/index.ts";
import { type Clock, systemClock } from "../../kit/index.ts";

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

/** What else a service of one kind may answer with, or answers in other words than those above. */
export type OwnFaults<Own extends string> = Readonly<Record<Own, (service: string) => Fault>>;

export class Troubles<Call extends string, Own extends string = never> {
  /** Calls that were made, by kind. */
  readonly calls: Record<Call, number>;
  /** Nobody there until it is up again. */
  isDown = false;
  readonly #service: string;
  readonly #clock: Clock;
  readonly #own: Partial<OwnFaults<string>>;
  readonly #planned = new Map<Call, (Trouble | Own)[]>();

  constructor(
    service: string,
    calls: Record<Call, number>,
    clock: Clock = systemClock,
    own: Partial<OwnFaults<Own>> = {},
  ) {
    this.#service = service;
    this.#clock = clock;
    this.#own = own;
    this.calls = calls;
  }

  /** For the next calls of this kind, one each. */
  plan(call: Call, ...troubles: readonly (Trouble | Own)[]): void {
    this.#planned.set(call, [...(this.#planned.get(call) ?? []), ...troubles]);
  }

  /** What the other side does, or the trouble in its place. */
  async answer<T>(kind: Call, signal: AbortSignal | undefined, act: () => T): Promise<T> {
    this.calls[kind] += 1;
    signal?.throwIfAborted();
    const trouble = this.isDown ? "refused" : this.#planned.get(kind)?.shift();
    if (trouble === undefined) return act();
    if (typeof trouble === "object") {
      const value = act();
      await this.#clock.sleep(trouble.slowMs, signal);
      signal?.throwIfAborted();
      return value;
    }
    if (trouble === "timeout-but-done") act();
    throw (this.#own[trouble] ?? USUAL[trouble as Exclude<Trouble, object>])(this.#service); // one of the two is there
  }
}

const timeout = (service: string) => transient("TIMEOUT", `${service} did not answer`, { service });

const USUAL: OwnFaults<Exclude<Trouble, object>> = {
  refused: (service) => unavailable("NOT_REACHED", `${service} refused the connection`, { service }),
  timeout,
  "timeout-but-done": timeout,
  "rate-limited": (service) =>
    unavailable("RATE_LIMITED", `${service} asked to slow down`, { service, retryAfter: "1m" }),
};
