// What parts need written beside a settlement: the parts themselves, and the count of items that are done only partly.

import { invariant, type Random } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { RUN_FLAG } from "../items/codes.ts";
import { countPartly, makeParts, mendPartly } from "../items/parts.sql.ts";
import type { Beside, Transition } from "../items/transition.ts";
import type { Held } from "./held.ts";
import type { Registry } from "./registry.ts";

export function partsWriter(
  held: Held,
  beside: Extract<Beside, { type: "parts" }>,
  sources: { readonly registry: Registry; readonly random: Random },
): (tx: Queryable) => Promise<void> {
  const parts = beside.parts.map(({ name, input, service }) => {
    // Made before anything is decided, by whoever visited.
    const place = sources.registry.placeFor(held.place, service);
    invariant(place !== undefined, "the lane of a part is there before the part");
    return { name, input, nonce: String(sources.random.token()), lane: place.lane };
  });
  return (tx) => makeParts(tx, held.row.id, parts, beside.isWhole);
}

/** Written after the settlement, in its transaction; these requests are locked before it. */
export interface PartlyWriter {
  readonly locks: readonly string[];
  write(tx: Queryable): Promise<void>;
}

/**
 * An item that completes counts as partly done where a part is missing. A part that was tried again after its item had gone
 * on may be the last one missing; in its first series its item still waits for it, and there is nothing to correct.
 */
export function partlyWriter(held: Held, { to }: Transition): PartlyWriter | null {
  if (!("end" in to) || to.end !== "done") return null;
  const { id, request_id, flags, part } = held.row;
  if (part === null) {
    const hasParts = (flags & RUN_FLAG.hasParts) !== 0;
    return hasParts ? { locks: [request_id], write: (tx) => countPartly(tx, id, request_id) } : null;
  }
  if (held.series === 1 || held.parent === undefined) return null;
  return { locks: [held.parent.request, request_id], write: (tx) => mendPartly(tx, request_id) };
}
