// The services as this process last saw them. Times of the database are kept with the moment they were read, so that "is it
// over yet" can be asked without asking the database.

import { type Clock, InputError } from "../../kit/index.ts";
import { familyOf, type Service, type ServiceFamily, service } from "../pipeline/service.ts";
import type { Stage } from "../pipeline/stage.ts";
import { limitOf } from "../services/grants.sql.ts";
import type { RateLimit } from "../services/rate.ts";
import type { ServiceRow } from "../services/service.sql.ts";

/** What is used of a service: its rules and its probe. */
export type ServiceRule = Pick<Service, "name" | "rules" | "probe">;

/** Until its code has been seen here, a service that only the database knows of follows the usual rules. */
const USUAL = service("usual").rules.breaker;

/** More are forgotten; then they are not blamed. */
const IN_VAIN_MOST = 10_000;

export class KnownServices {
  readonly #clock: Clock;
  readonly #rules = new Map<string, ServiceRule>();
  readonly #families = new Map<string, ServiceFamily>();
  readonly #rows = new Map<string, ServiceRow & { readonly readAt: number }>();
  readonly #pressed = new Map<string, number>();
  readonly #calls = new Map<string, number>();
  /** By service and item: when it was asked in vain, the last time and the one before. */
  readonly #inVain = new Map<string, Map<string, { readonly last: number; readonly before: number | undefined }>>();
  /** The last success of each, and whose it was. */
  readonly #successes = new Map<string, { readonly item: string | null; readonly at: number }>();

  constructor(clock: Clock, stages: readonly Stage[]) {
    this.#clock = clock;
    for (const { uses, family } of stages) {
      if (uses !== undefined) this.learn(uses);
      if (family !== undefined) this.#families.set(family.family, family);
    }
  }

  learn(rule: ServiceRule): void {
    this.#rules.set(rule.name, rule);
  }

  /** Those whose code is here. */
  declared(): ServiceRule[] {
    return [...this.#rules.values()];
  }

  rule(name: string): ServiceRule {
    const known = this.#rules.get(name) ?? this.#instance(name);
    if (known !== undefined) return known;
    const row = this.#rows.get(name);
    if (row === undefined) throw new InputError("service", `service ${name} belongs to no pipeline of this process`);
    return { name, rules: { capacity: row.capacity, limit: limitOf(row), breaker: USUAL }, probe: undefined };
  }

  #instance(name: string): ServiceRule | undefined {
    const family = familyOf(name);
    const made = this.#families.get(family)?.(name.slice(family.length + 1));
    if (made !== undefined) this.learn(made);
    return made;
  }

  row(name: string): ServiceRow | undefined {
    return this.#rows.get(name);
  }

  rows(): ServiceRow[] {
    return [...this.#rows.values()];
  }

  /** True when one opened or closed since it was last seen. */
  seeAll(rows: readonly ServiceRow[]): boolean {
    let turned = false;
    for (const row of rows) turned = this.see(row) || turned;
    return turned;
  }

  /** True when it opened or closed since it was last seen. */
  see(row: ServiceRow): boolean {
    const before = this.#rows.get(row.name);
    this.#rows.set(row.name, { ...row, readAt: this.#clock.monotonic() });
    for (const [at, item, isOk] of row.recent) {
      if (isOk === 1) this.#succeeded(row.name, item, this.#clock.monotonic() - (row.now - at));
    }
    return before !== undefined && before.changed_at !== row.changed_at;
  }

  succeeded(name: string, item: string | null): void {
    if (item !== null) this.#inVain.get(name)?.delete(item);
    this.#succeeded(name, item, this.#clock.monotonic());
  }

  #succeeded(name: string, item: string | null, at: number): void {
    if ((this.#successes.get(name)?.at ?? Number.NEGATIVE_INFINITY) <= at) this.#successes.set(name, { item, at });
  }

  /** It was not to be had for this item. */
  failed(name: string, item: string): void {
    const items = this.#inVain.get(name) ?? new Map<string, { last: number; before: number | undefined }>();
    this.#inVain.set(name, items);
    items.set(item, { last: this.#clock.monotonic(), before: items.get(item)?.last });
    const [oldest] = items.keys();
    if (items.size > IN_VAIN_MOST && oldest !== undefined) items.delete(oldest);
  }

  /** Whether it did for others what it does not do for this item, between two of its tries; else it may be down for all. */
  isWellFor(name: string, item: string, withinMs: number): boolean {
    const last = this.#successes.get(name);
    const before = this.#inVain.get(name)?.get(item)?.before;
    if (last === undefined || before === undefined || this.#rows.get(name)?.is_open !== false) return false;
    return last.item !== item && last.at > before && this.#clock.monotonic() - last.at <= withinMs;
  }

  limit(name: string): RateLimit | null {
    const row = this.#rows.get(name);
    return row === undefined ? null : limitOf(row);
  }

  /** How long it has asked to be left alone from now on; 0 when it has not. */
  busyMs(name: string): number {
    const row = this.#rows.get(name);
    const here = (this.#pressed.get(name) ?? 0) - this.#clock.monotonic();
    const everywhere = row?.busy_until == null ? 0 : row.busy_until - this.#nowOf(row);
    return Math.max(0, here, everywhere);
  }

  /** It asked us to wait: nobody here has to be told by the database. */
  press(name: string, ms: number): void {
    this.#pressed.set(name, Math.max(this.#pressed.get(name) ?? 0, this.#clock.monotonic() + ms));
  }

  /** A call begins; what is answered is to be called when it has ended. */
  called(name: string): () => void {
    this.#calls.set(name, this.callsOf(name) + 1);
    return () => this.#calls.set(name, this.callsOf(name) - 1);
  }

  /** Going on at this moment, of this process. */
  callsOf(name: string): number {
    return this.#calls.get(name) ?? 0;
  }

  isProbeDue(name: string): boolean {
    const row = this.#rows.get(name);
    if (row === undefined || !row.is_open || row.probe_at === null) return false;
    return row.probe_at <= this.#nowOf(row);
  }

  /** The database's time, as far as this process can tell. */
  #nowOf(row: ServiceRow & { readonly readAt: number }): number {
    return row.now + this.#clock.monotonic() - row.readAt;
  }
}
