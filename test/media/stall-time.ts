// How long after its limit a torrent that stands still is followed by the next release, by the database's clock.

import { z } from "zod";
import type { Sluice } from "../../src/engine/index.ts";
import { type ItemId, parseId } from "../../src/kit/index.ts";
import { until } from "../support/until.ts";

export interface StallTime {
  /** From the moment at which people were told it would count as stalled to the look that found it. */
  readonly foundMs: number;
  /** From there until the next torrent was in the client. */
  readonly nextMs: number;
}

/** Until it is done, and what was told meanwhile: when it counts as stalled. */
export async function toldUntilDone(sluice: Sluice, item: ItemId): Promise<readonly Date[]> {
  const told: Date[] = [];
  await until(async () => {
    const { reason, until: limit, state } = await sluice.explain(item);
    if (reason === "outside" && limit !== null) told.push(limit);
    return state === "done";
  }, "it is done");
  return told;
}

const rows = z.array(z.object({ code: z.string().nullable(), kind: z.number(), at: z.date() }));
const STARTED = 18;

export async function stallTime(sluice: Sluice, item: ItemId, told: readonly Date[]): Promise<StallTime> {
  const text = "select code, kind, at from sluice.journal where item_id = $1 order by version";
  const history = rows.parse(await sluice.tables.query({ name: "stall-times", text }, [parseId("item", item, "item")]));
  const stalled = history.find(({ code }) => code === "STALLED");
  const next = history.filter(({ kind }) => kind === STARTED)[1];
  // What was told of the one that came after it lies ahead.
  const limit = told.findLast((at) => stalled !== undefined && at <= stalled.at);
  if (limit === undefined || next === undefined || stalled === undefined)
    throw new Error(`it did not stall and go on: ${JSON.stringify(history)}, told ${JSON.stringify(told)}`);
  const between = (from: Date, to: Date) => to.getTime() - from.getTime();
  return { foundMs: between(limit, stalled.at), nextMs: between(stalled.at, next.at) };
}
