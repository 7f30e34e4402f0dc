// What is there besides work and accidents, each in a share of the seeds: with everything everywhere, runs would be long and
// nothing would ever meet anything often.

import type { Statement } from "../../src/engine/db/database.ts";
import { Dice } from "./dice.ts";

const SHARES = {
  /** Actions on many items at once. */
  bulk: 0.3,
  finders: 0.2,
  schedules: 0.2,
  deadlines: 0.3,
  /** Requests that are removed by hand, and a pipeline whose items do not stay. */
  removal: 0.25,
} as const;

export type Kind = keyof typeof SHARES;
export type Kinds = ReadonlySet<Kind>;
const KINDS = Object.keys(SHARES) as Kind[]; // Object.keys forgets the key type of a constant

export const NONE: Kinds = new Set();

export function kindsOf(seed: number, given?: readonly Kind[]): Kinds {
  if (given !== undefined) return new Set(given);
  return new Set(KINDS.filter((kind) => new Dice(seed, "kind", kind).chance(SHARES[kind])));
}

/** There are few items here, and an operation is to be killed half-way all the same. */
export function inSmallBatches(statement: Statement): Statement {
  if (statement.name !== "open-members") return statement;
  return { ...statement, text: statement.text.replace("limit $3", "limit least($3::int, 2)") };
}
