// From claimed rows to items that can be visited: where they stand, what they bring along, and a note of what is about to be
// started outside.

import type { Clock, Logger } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { bringContext } from "./bring.ts";
import { type Held, hold } from "./held.ts";
import { type IntendPorts, intend } from "./intend.ts";
import { cancelRest } from "./parts-rest.ts";
import type { Registry } from "./registry.ts";

export interface BeginPorts extends IntendPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: Registry;
}

/** Without those that are no longer in our hands. */
export async function begin(rows: readonly ClaimedRow[], ports: BeginPorts): Promise<Held[]> {
  const { registry, clock, db } = ports;
  const claimed: Held[] = [];
  for (const row of rows) {
    const place = registry.place(row.lane, row.stage);
    if (place === undefined) throw new Error(`claimed an item of an unknown lane ${row.lane}`);
    claimed.push(hold(row, place, clock.monotonic()));
  }
  await bringContext(db, claimed);
  await cancelRest(claimed, ports);
  const refused = await intend(claimed, ports);
  return claimed.filter((held) => !refused.has(held));
}
