// From what a visit came to, to what the settler writes.

import type { Clock, Random } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { decide } from "../items/decide.ts";
import type { Standing, VisitResult } from "../items/standing.ts";
import type { Transition } from "../items/transition.ts";
import type { ServiceView } from "../items/unavailable.ts";
import type { WholeLog } from "../items/visit-log.sql.ts";
import { writerOf } from "./beside.ts";
import type { Held } from "./held.ts";
import { partlyWriter } from "./parts-writer.ts";
import { isCounted, type Place, type Registry } from "./registry.ts";
import { newLog } from "./running-notes.ts";
import { toSettlement } from "./settlement.ts";
import type { Entry } from "./settler.ts";

/** After so many stages in a row an item queues once, so that nobody waits behind it for ever. */
const HOPS_MOST = 20;

export interface EntrySources {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
}

/** How things stand while it is decided. */
export interface EntryNow {
  readonly view: ServiceView;
  readonly mayHandOff: boolean;
}

/** Throws `InputError` when the outcome holds something that cannot be stored. */
export function entryFor(held: Held, result: VisitResult, sources: EntrySources, now: EntryNow): Entry {
  const { registry, clock, random } = sources;
  const transition = decide(held.place.pipeline, standingOf(held), result, random.fraction(), now.view);
  const target = targetOf(held, transition, registry);
  const advances = target !== undefined && target.index > held.place.index;
  const settlement = toSettlement(held, transition, {
    tookMs: clock.monotonic() - held.beganAt,
    toLane: target?.lane ?? null,
    handOff: advances && now.mayHandOff && held.hops < HOPS_MOST && !isCounted(target) && registry.serves(target),
  });
  const log = logOf(held);
  const beside = writerOf(held, transition.beside, sources);
  const partly = partlyWriter(held, transition);
  if (partly === null) return { held, settlement, beside, locks: NO_LOCKS, log };
  const both = async (tx: Queryable) => {
    await beside?.(tx);
    await partly.write(tx);
  };
  return { held, settlement, beside: both, locks: partly.locks, log };
}

function standingOf({ row, place, attempts, series, backs, waits, reason, finishing }: Held): Standing {
  return { stage: place.index, attempts, series, backs, waits, reason, finishing, isPart: row.part !== null };
}

const NO_LOCKS: readonly string[] = [];

function logOf(held: Held): WholeLog | null {
  if (held.log === undefined) return null;
  return { ...newLog(held, held.log, 0), isBegun: held.log.isBegun };
}

function targetOf(held: Held, transition: Transition, registry: Registry): Place | undefined {
  const { to, service, entersAnew } = transition;
  if ("end" in to) return undefined;
  if (entersAnew) return held.place.siblings[to.stage];
  // Made before anything is decided, by whoever visited.
  if (service !== undefined) return registry.placeFor(held.place, service);
  return registry.place(held.place.lane, to.stage);
}
