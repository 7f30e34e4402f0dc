// Writes down what is about to be started outside, for a whole batch, before any of it is attempted.

import { type Logger, safeText } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { learnRef, writeIntents } from "../items/intent.sql.ts";
import type { Held } from "./held.ts";
import { keyOf } from "./idempotency-key.ts";
import { hasItsParts } from "./parts-visit.ts";
import type { Entry } from "./settler.ts";

export interface IntendPorts {
  readonly db: Queryable;
  readonly installation: string;
  epoch(): string;
}

/** Answers with those that are no longer in our hands. */
export async function intend(claimed: readonly Held[], ports: IntendPorts): Promise<ReadonlySet<Held>> {
  const starting = claimed.filter((held) => startsOutside(held));
  if (starting.length === 0) return new Set();
  const keys = new Map(starting.map((held) => [held, keyOf(held, ports.installation)]));
  const intents = [...keys].map(([held, key]) => ({
    id: held.row.id,
    version: held.version,
    key,
    service: held.place.service,
    pipeline: held.place.pipelineId,
    stage: held.place.index,
    stays: held.place.stage.outside?.stays === true,
  }));
  const written = await writeIntents(ports.db, intents, ports.epoch());
  const refused = new Set<Held>();
  for (const [held, key] of keys) {
    const isNew = written.get(key);
    if (isNew === undefined) refused.add(held);
    held.mayHaveStarted = isNew === false;
  }
  return refused;
}

function startsOutside(held: Held): boolean {
  const { place, finishing } = held;
  return place.stage.outside !== undefined && !hasItsParts(held) && !finishing && place.service !== "";
}

/** It was started for an item that is not ours any more. Whoever has to clean up should not have to look for it. */
export function learnInVain(result: object, ports: { readonly db: Queryable; readonly log: Logger }): void {
  if (!("started" in result)) return;
  const { key, ref } = result.started as { readonly key: string; readonly ref: string };
  learnRef(ports.db, key, ref).catch((error: unknown) =>
    ports.log.warn("ref.unwritten", { key, ref, error: safeText(error, 300) }),
  );
}

/** The same, where the settlement that would have told it was refused. */
export function learnRefused(entry: Entry, ports: { readonly db: Queryable; readonly log: Logger }): void {
  const { key, ref } = entry.settlement.detail ?? {};
  if (key !== undefined && ref !== undefined) learnInVain({ started: { key, ref } }, ports);
}
