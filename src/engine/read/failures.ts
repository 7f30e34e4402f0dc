// What has failed, by what it failed of: where, with which code, and with which words once what differs is left out.

import { formatId, type ItemId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { failureWords } from "../explain/failures.ts";
import { type FailureRow, newestFailures } from "./failures.sql.ts";
import { messagePattern } from "./message-pattern.ts";

export interface FailureGroups {
  /** The groups with most items first. */
  readonly groups: readonly FailureGroup[];
  /** So many of the newest failures were looked at. */
  readonly looked: number;
  /** There are older failures, which were not looked at. */
  readonly isMore: boolean;
  /** Items in groups that are not told, because there are too many. */
  readonly others: number;
}

export interface FailureGroup {
  readonly pipeline: string;
  readonly stage: string;
  readonly code: string;
  /** What their messages have in common: `#` stands for numbers, `…` for names, paths and ids. */
  readonly message: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The newest of them, and its own message. */
  readonly example: { readonly item: ItemId; readonly message: string | null };
  /** Whether they can be retried as things are, else why not. What a pipeline's own check says is known when it is done. */
  readonly retry: { readonly can: boolean; readonly reason: string | null };
  /** What helps, of codes that are the engine's own. */
  readonly advice: string | null;
}

export interface FailuresOptions {
  readonly pipeline?: string | undefined;
  readonly owner?: string | undefined;
}

const GROUPS_MOST = 50;

/** `hasCode`: whether this process was given the pipeline's code, without which nobody can say whether it has anything against a retry. */
export async function readFailures(
  db: Queryable,
  hasCode: (pipelineId: number) => boolean,
  { pipeline, owner }: FailuresOptions = {},
): Promise<FailureGroups> {
  const { rows, looked, is_more: isMore } = await newestFailures(db, pipeline ?? null, owner);
  const groups = [...Map.groupBy(withPatterns(rows), keyOf).values()]
    .map((all) => groupOf(all, hasCode))
    .toSorted((a, b) => b.count - a.count || b.lastAt.getTime() - a.lastAt.getTime());
  const told = groups.slice(0, GROUPS_MOST);
  const others = told.reduce((rest, one) => rest - one.count, rows.length);
  return { groups: told, looked, isMore, others };
}

interface Failure extends FailureRow {
  readonly pattern: string;
}

/** Many say the same, to the letter. */
function withPatterns(rows: readonly FailureRow[]): Failure[] {
  const patterns = new Map<string, string>();
  return rows.map((row) => {
    const message = row.message ?? "";
    const pattern = patterns.get(message) ?? messagePattern(message);
    patterns.set(message, pattern);
    return { ...row, pattern };
  });
}

function keyOf({ pipeline, stage, code, pattern }: Failure): string {
  return JSON.stringify([pipeline, stage, code, pattern]);
}

function groupOf(rows: readonly Failure[], hasCode: (pipelineId: number) => boolean): FailureGroup {
  const newest = rows[0] as Failure; // a group has at least one
  const times = rows.map((row) => row.at.getTime());
  const isHere = rows.every((row) => hasCode(row.pipeline_id));
  return {
    pipeline: newest.pipeline,
    stage: newest.stage ?? "",
    code: newest.code ?? "UNKNOWN",
    message: newest.pattern,
    count: rows.length,
    firstAt: new Date(Math.min(...times)),
    lastAt: new Date(Math.max(...times)),
    example: { item: formatId("item", newest.id), message: newest.message },
    retry: isHere
      ? { can: true, reason: null }
      : { can: false, reason: `the code of ${newest.pipeline} is not here, and it may have a say in retries` },
    advice: failureWords(newest.code)?.advice ?? null,
  };
}
