// From what a visit came to, to what the settler writes.

import type { Clock, Random } from "../../kit/index.ts";
import { decide, type VisitResult } from "../items/decide.ts";
import { writerOf } from "./beside.ts";
import type { Held } from "./held.ts";
import type { Registry } from "./registry.ts";
import { toSettlement } from "./settlement.ts";
import type { Entry } from "./settler.ts";

/** After so many stages in a row an item queues once, so that nobody waits behind it for ever. */
const HOPS_MOST = 20;

export interface EntrySources {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly mayHandOff: boolean;
}

/** Throws `InputError` when the outcome holds something that cannot be stored. */
export function entryFor(held: Held, result: VisitResult, sources: EntrySources): Entry {
  const { registry, clock, random } = sources;
  const transition = decide(held.place.pipeline, { ...held, stage: held.place.index }, result, random.fraction());
  const target = "end" in transition.to ? undefined : registry.place(held.place.lane, transition.to.stage);
  const advances = target !== undefined && target.index > held.place.index;
  const settlement = toSettlement(held, transition, {
    tookMs: clock.monotonic() - held.beganAt,
    toLane: target?.lane ?? null,
    handOff: advances && sources.mayHandOff && held.hops < HOPS_MOST && target.stage.concurrency === undefined,
  });
  return { held, settlement, beside: writerOf(held, transition.beside, { registry, random }) };
}
