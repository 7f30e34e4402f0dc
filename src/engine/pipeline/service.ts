// Anything outside, under a name: one breaker, one capacity, one rate, shared by every worker through the database. Here is
// what its author writes; the client that speaks to it is given to `openSluice`, so tests can give another one.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";

export interface ServiceOptions<Client> {
  /** At most this many items of ours at a time, over all workers. For outside work: until the outside job has ended. */
  readonly capacity?: number;
  /** At most so many calls in any such window, over all workers: "30/min", "5/s", "1000/h". */
  readonly limit?: string;
  readonly breaker?: BreakerOptions;
  /** Asks whether the service is well, while its breaker is open. Without it, one piece of work is let through. */
  readonly probe?: (client: Client) => Promise<unknown>;
}

export interface BreakerOptions {
  /** Failures in a row that open it. Default 5. */
  readonly failures?: number;
  /** Of the last `calls` calls within `window`, this share of failures opens it. Default 0.5 of 20 within 2 min. */
  readonly rate?: number;
  readonly calls?: number;
  readonly window?: Duration;
  /** Failures of fewer different items than this never open it. Default 3. */
  readonly items?: number;
  /** How long it stays open before a probe. Default 5 min. */
  readonly cooldown?: Duration;
}

/** One configured service. `service.each` makes a family of them: `servers("nas-2")` is the service `server:nas-2`. */
export interface Service<Client = unknown> {
  readonly name: string;
  readonly rules: ServiceRules;
  // Written as a method's type, so that a service of some client is a service of whatever client.
  readonly probe: { probe(client: Client): Promise<unknown> }["probe"] | undefined;
  readonly "~client": Client;
}

export interface ServiceFamily<Client = unknown> {
  (instance: string): Service<Client>;
  readonly family: string;
}

/** As the engine uses it: checked, defaults filled in. */
export interface ServiceRules {
  readonly capacity: number | null;
  readonly limit: { readonly count: number; readonly perMs: number } | null;
  readonly breaker: BreakerRules;
}

export interface BreakerRules {
  readonly failures: number;
  readonly rate: number;
  readonly calls: number;
  readonly windowMs: number;
  readonly items: number;
  readonly cooldownMs: number;
}

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;
const INSTANCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,126}$/;

export function service<Client = unknown>(name: string, options: ServiceOptions<Client> = {}): Service<Client> {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new InputError(
      "service",
      `a service's name is a lower-case letter, then letters, digits, - or _, got ${name}`,
    );
  }
  return build(name, options);
}

service.each = <Client = unknown>(family: string, options: ServiceOptions<Client> = {}): ServiceFamily<Client> => {
  const { rules } = service(family, options);
  const made = new Map<string, Service<Client>>();
  const instance = (name: string): Service<Client> => {
    if (typeof name !== "string" || !INSTANCE.test(name)) {
      throw new InputError("service", `an instance of ${family} is named with letters, digits, . _ -, got ${name}`);
    }
    const known = made.get(name) ?? { ...build(`${family}:${name}`, options), rules };
    made.set(name, known);
    return known;
  };
  return Object.assign(instance, { family });
};

/** `server` for `server:nas-2`: what the client and the rules of an instance are registered under. */
export function familyOf(name: string): string {
  const colon = name.indexOf(":");
  return colon < 0 ? name : name.slice(0, colon);
}

function build<Client>(name: string, options: ServiceOptions<Client>): Service<Client> {
  // Only the type checker looks at "~client".
  return { name, rules: checkRules(name, options), probe: options.probe, "~client": undefined as never };
}

function checkRules<Client>(name: string, options: ServiceOptions<Client>): ServiceRules {
  const { capacity = null, limit, breaker = {} } = options;
  if (capacity !== null) checkWhole(capacity, `${name}.capacity`, 1_000_000);
  return {
    capacity,
    limit: limit === undefined ? null : parseLimit(limit, `${name}.limit`),
    breaker: breakerRules(breaker, `${name}.breaker`),
  };
}

function breakerRules(options: BreakerOptions, field: string): BreakerRules {
  const { failures = 5, rate = 0.5, calls = 20, items = 3 } = options;
  checkWhole(failures, `${field}.failures`, 1_000);
  checkWhole(calls, `${field}.calls`, 100);
  checkWhole(items, `${field}.items`, 100);
  if (!(rate > 0 && rate <= 1)) throw new InputError(`${field}.rate`, `${field}.rate must be above 0, at most 1`);
  return {
    failures,
    rate,
    calls,
    items,
    windowMs: toMilliseconds(options.window ?? "2m", `${field}.window`),
    cooldownMs: Math.max(1_000, toMilliseconds(options.cooldown ?? "5m", `${field}.cooldown`)),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, m: 60_000, h: 3_600_000 };

function parseLimit(text: string, field: string): { count: number; perMs: number } {
  const [, count, unit] = /^(\d{1,7})\/(s|min|m|h)$/.exec(text) ?? [];
  const perMs = UNITS[unit ?? ""];
  if (count === undefined || perMs === undefined || Number(count) < 1) {
    throw new InputError(field, `${field} is written like "30/min", "5/s" or "1000/h", got ${JSON.stringify(text)}`);
  }
  return { count: Number(count), perMs };
}

function checkWhole(value: number, field: string, highest: number): void {
  if (!Number.isInteger(value) || value < 1 || value > highest) {
    throw new InputError(field, `${field} must be a whole number from 1 to ${highest}, got ${value}`);
  }
}
