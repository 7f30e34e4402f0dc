// What one kind of action adds to what is looked at after every commit.

import type { Statement } from "../../src/engine/db/database.ts";
import type { LaneRow, Snapshot } from "./snapshot.sql.ts";

export interface Commit {
  readonly before: Snapshot;
  readonly next: Snapshot;
  /** Some lane of the item's pipeline version. */
  pipelineOf(item: string): LaneRow | undefined;
  /** The one row of a statement. */
  read<Row>(statement: Statement): Row;
}

export interface CommitCheck {
  check(commit: Commit): void;
}
