// How long after its limit a torrent that stands still is followed by the next release, by the database's clock.

import { z } from "zod";
import type { Sluice } from "../../src/engine/index.ts";
import { type ItemId, parseId } from "../../src/kit/index.ts";

export interface StallTime {
  /** From the moment the limit was over to the look that found it. */
  readonly foundMs: number;
  /** From there until the next torrent was in the client. */
  readonly nextMs: number;
}

const times = z.array(z.object({ code: z.string().nullable(), kind: z.string(), at: z.date() }));

/** Of an item that was never seen to move before it stalled; it counts from its start. */
export async function stallTime(sluice: Sluice, item: ItemId, limitMs: number): Promise<StallTime> {
  const rows = await sluice.tables.query(
    {
      name: "stall-times",
      text: `
select code, case kind when 18 then 'started' when 19 then 'seen' else 'other' end as kind, at
from sluice.journal where item_id = $1 order by version`,
    },
    [parseId("item", item, "item")],
  );
  const read = times.parse(rows);
  const [begun, next] = read.filter(({ kind }) => kind === "started");
  const stalled = read.find(({ code }) => code === "STALLED");
  if (begun === undefined || next === undefined || stalled === undefined)
    throw new Error(`it did not stall and go on: ${JSON.stringify(read)}`);
  const foundMs = stalled.at.getTime() - begun.at.getTime() - limitMs;
  return { foundMs, nextMs: next.at.getTime() - stalled.at.getTime() };
}
