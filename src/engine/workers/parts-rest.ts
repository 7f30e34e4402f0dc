// All or nothing: once one part has failed, the others have nothing left to do.

import { type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { persistently } from "../db/persistently.ts";
import { ITEM_STATE } from "../items/codes.ts";
import { readParts } from "../items/parts.sql.ts";
import { judgeParts } from "../items/parts.ts";
import { cancelItems } from "../operate/cancel.ts";
import type { Held } from "./held.ts";
import { partsOf, standingOf } from "./held-parts.ts";

export interface RestPorts {
  readonly db: Database;
  readonly log: Logger;
}

/** Before the visit and outside it: it needs the database. Where it does not work out, the visit comes again soon. */
export async function cancelRest(claimed: readonly Held[], ports: RestPorts): Promise<void> {
  for (const held of claimed) {
    const { parts } = held;
    if (parts === undefined || judgeParts(parts.list.map(standingOf), parts.isWhole) !== "withdraw") continue;
    const live = parts.list.filter((part) => part.state === ITEM_STATE.live).map((part) => part.id);
    if (live.length === 0) continue;
    try {
      await persistently(() => cancelItems(ports.db, live, "sluice: all or nothing, and one part failed"));
      held.parts = partsOf(parts.request, await readParts(ports.db, [parts.request]));
    } catch (error) {
      ports.log.warn("parts.not-cancelled", { item: held.row.id, error: safeText(error, 300) });
    }
  }
}
