// What only shows among many that are to live again.

import { KEY_TAKEN } from "../items/key-taken.sql.ts";
import type { ItemFacts } from "./facts.sql.ts";
import { type Change, PART_BY_ITSELF } from "./plan.ts";

/** Of several that ended with one key, the first that lives again has it. */
export class KeysToTake {
  readonly #requests = new Map<string, string>();

  whyNot({ unique_key: key, request_id: request }: ItemFacts, change: Change): string | undefined {
    if (change.type === "reopen-part") return PART_BY_ITSELF;
    if (change.type !== "reopen" || key === null) return undefined;
    const first = this.#requests.get(key) ?? request;
    this.#requests.set(key, first);
    return first === request ? undefined : KEY_TAKEN;
  }
}
