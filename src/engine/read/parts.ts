// The parts of an item, read for people and programs.

import { formatId, type ItemId } from "../../kit/index.ts";
import { endStateName } from "../items/codes.ts";
import type { PartStatus } from "../items/parts.ts";
import type { ItemPartRow } from "./parts.sql.ts";

export interface PartView {
  /** A part is an item: `explain`, `history`, `retry` and `cancel` take it. */
  readonly id: ItemId;
  readonly name: string;
  readonly stage: string;
  readonly state: PartStatus;
  readonly attempts: number;
  /** In percent, where its stage reports any. */
  readonly progress: number | null;
  /** Why it waits, where it does so by its own doing. `explain` knows the other reasons too. */
  readonly reason: string | null;
  readonly since: Date;
  readonly until: Date | null;
  /** Why it failed, or who cancelled it. */
  readonly code: string | null;
  readonly message: string | null;
}

export function toPartView(row: ItemPartRow, stages: readonly string[]): PartView {
  const { name, attempts, progress, reason, since, until, code, message } = row;
  return {
    id: formatId("item", row.id),
    name,
    stage: stages[row.stage] ?? "",
    state: endStateName(row.state) ?? "pending",
    attempts,
    progress,
    reason,
    since,
    until,
    code,
    message,
  };
}
