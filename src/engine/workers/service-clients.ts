// The clients this process was given: by the name of a service, or by the name of a family and a function that makes the
// one of an instance.

import { familyOf } from "../pipeline/service.ts";

/** `{ api: client, server: (instance) => client }`. */
export type GivenClients = Readonly<Record<string, unknown>>;

export class ServiceClients {
  readonly #given: GivenClients;
  readonly #made = new Map<string, unknown>();

  constructor(given: GivenClients) {
    this.#given = given;
  }

  /** As given: services and families. What the worker's row says it can serve. */
  names(): string[] {
    return Object.keys(this.#given);
  }

  has(service: string): boolean {
    if (Object.hasOwn(this.#given, service)) return true;
    const family = familyOf(service);
    return family !== service && typeof this.#given[family] === "function";
  }

  client(service: string): unknown {
    if (Object.hasOwn(this.#given, service)) return this.#given[service];
    if (!this.#made.has(service)) {
      const family = familyOf(service);
      // `has` has said that it is one; what it answers with is its author's affair.
      const make = this.#given[family] as (instance: string) => unknown;
      this.#made.set(service, make(service.slice(family.length + 1)));
    }
    return this.#made.get(service);
  }
}
