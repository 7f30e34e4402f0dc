// From what somebody wrote to the one item or request it means: a whole id, one without its zeros, or the beginning of one.

import { formatId, type Id, idsBeginning, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { findIds, isJoined } from "./find-id.sql.ts";

/** What was written means more than one. */
export class AmbiguousId extends SluiceError {
  /** Two of them. */
  readonly candidates: readonly string[];

  constructor(kind: string, text: string, candidates: readonly string[]) {
    super("AMBIGUOUS", `${text} is the beginning of more than one ${kind}; write more of it`, { field: kind });
    this.candidates = candidates;
  }
}

/** Another's is not there, where an owner is named. */
export async function findId<Kind extends "item" | "request">(
  db: Queryable,
  kind: Kind,
  text: string,
  owner?: string,
): Promise<Id<Kind>> {
  const ranges = idsBeginning(kind, text);
  const found = ranges === undefined ? [] : await findIds(db, kind, { ranges, owner });
  const [exact] = ranges ?? [];
  if (found.length === 0 && kind === "item" && owner !== undefined && exact !== undefined && exact.low === exact.high) {
    if (await isJoined(db, exact.low, owner)) return formatId(kind, exact.low);
  }
  const [first, second] = found.map((id) => formatId(kind, id));
  if (first === undefined) throw new SluiceError("NOT_FOUND", `there is no ${kind} ${text}`, { field: kind });
  // One that is written just so is meant, whatever others begin alike.
  if (second !== undefined && !(exact?.low === exact?.high && found[0] === exact?.low))
    throw new AmbiguousId(kind, text, [first, second]);
  return first;
}
