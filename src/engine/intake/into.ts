// Whether items may be handed into a request. Pure.

import { formatId, InputError, SluiceError } from "../../kit/index.ts";
import type { IntoRow } from "./into.sql.ts";

/** Whoever only joins may join what is over: it is theirs, too, then. */
export function mustTake(request: string, items: number, row: IntoRow | undefined): void {
  const id = formatId("request", request);
  if (row === undefined) throw new SluiceError("NOT_FOUND", `there is no request ${id}`, { field: "into" });
  if (row.is_spawned)
    throw new InputError("into", `${id} was made by an item for what it spawned, and takes nothing else`);
  if (row.is_removed) throw over(`${id} is being removed; submit a new request`);
  if (items > 0 && !row.is_open) throw over(`nothing of ${id} is left to do; submit a new request`);
}

const over = (why: string) => new SluiceError("REQUEST_OVER", why, { field: "into" });
