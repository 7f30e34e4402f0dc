// Where items come from: what an event about one does not tell.

import { formatId, InputError, type ItemId, parseId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { originsOf } from "./origins.sql.ts";

export interface Origin {
  readonly createdAt: Date;
  /** The W3C traceparent it was submitted with. */
  readonly trace: string | null;
  readonly isPart: boolean;
}

const MOST = 1_000;

export async function readOrigins(db: Queryable, items: readonly ItemId[]): Promise<ReadonlyMap<ItemId, Origin>> {
  if (items.length > MOST) throw new InputError("items", `at most ${MOST} items at a time, got ${items.length}`);
  if (items.length === 0) return new Map();
  const rows = await originsOf(
    db,
    items.map((item) => parseId("item", item, "items")),
  );
  return new Map(
    rows.map((row) => [formatId("item", row.id), { createdAt: row.created_at, trace: row.trace, isPart: row.is_part }]),
  );
}
