// Statements are planned once for a connection, as the engine has it. Planned anew in every interleaving they took most of
// the time that all of them took. Not where a scenario gives the plan: one that was kept would be another.

import type { QueryConfig } from "pg";

/** As the engine's own connections. */
export const PLANS_ARE_KEPT = "-c plan_cache_mode=force_generic_plan";

export class KeptPlans {
  readonly #names = new Map<string, string>();
  /** A scenario said how rows are to be found. */
  areGiven = false;

  /** By text and not by the statement's name: a planted bug changes the one and not the other. */
  of(text: string, given: readonly unknown[]): QueryConfig {
    const values = [...given];
    if (this.areGiven) return { text, values };
    const name = this.#names.get(text) ?? `kept-${this.#names.size + 1}`;
    this.#names.set(text, name);
    return { name, text, values };
  }
}
