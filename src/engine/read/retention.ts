// What is stored, what would go, and what is on its way out, read for people.

import { type Duration, formatId, type RequestId } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { oldWeeks } from "../events/old-partition.sql.ts";
import { type EndState, endStateName } from "../items/codes.ts";
import { retentionLimits } from "../retention/limits.ts";
import { type Limits, readLimits } from "../retention/policy.sql.ts";
import {
  type PipelineKeep,
  previewRequests,
  type RemovalRow,
  readRemovals,
  retentionFacts,
  tableSizes,
} from "./retention.sql.ts";

export interface RetentionStatus {
  /** Largest first. Rows are the server's estimate. */
  readonly tables: readonly { readonly name: string; readonly bytes: number; readonly rows: number }[];
  readonly oldestRequest: Date | null;
  /** Of the journal, as `2026w07`. */
  readonly oldestWeek: string | null;
  readonly lastRun: Date | null;
  /** Nothing is removed before then: the clock moved by days between two runs. */
  readonly heldUntil: Date | null;
  /** In milliseconds. */
  readonly limits: Limits;
  /** In milliseconds, by pipeline; null is for ever. */
  readonly pipelines: readonly PipelineKeep[];
  /** What should be gone and is not, and why. */
  readonly leaving: readonly Leaving[];
}

export interface Leaving {
  readonly request: RequestId;
  /** Who asked for it; null where its time is over. */
  readonly by: string | null;
  readonly since: Date;
  readonly obstacle: string | null;
}

export interface RetentionPreview {
  readonly requests: number;
  /** There are more than these; only the first were counted. */
  readonly isMore: boolean;
  readonly items: readonly {
    readonly pipeline: string;
    readonly version: number;
    readonly state: EndState;
    readonly items: number;
  }[];
  /** Weeks of the journal. */
  readonly weeks: readonly string[];
}

const COUNTED = 10_000;

/** `sluice.retention`. */
export class Retention {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** How much is stored, since when, for how long, and what could not be removed. */
  async status(): Promise<RetentionStatus> {
    const facts = await retentionFacts(this.#db);
    const tables = await tableSizes(this.#db);
    return {
      tables: tables.map(({ name, bytes, rows }) => ({ name, bytes: Number(bytes), rows: Number(rows) })),
      oldestRequest: facts.oldest_request,
      oldestWeek: facts.oldest_week,
      lastRun: facts.ran_at,
      heldUntil: facts.held_until,
      limits: await readLimits(this.#db),
      pipelines: facts.pipelines,
      leaving: (await readRemovals(this.#db)).map(toLeaving),
    };
  }

  /** What the next runs would remove as things stand now. Removes nothing. */
  async preview(): Promise<RetentionPreview> {
    const rows = await previewRequests(this.#db, COUNTED);
    const { history } = await readLimits(this.#db);
    const requests = rows[0]?.requests ?? 0;
    return {
      requests,
      isMore: requests === COUNTED,
      items: rows.map(({ pipeline, version, state, items }) => ({
        pipeline,
        version,
        state: endStateName(state) ?? "done",
        items,
      })),
      weeks: await oldWeeks(this.#db, history),
    };
  }

  /** The weeks of the journal that would go if what happened were kept so long. */
  async weeksBeyond(history: Duration): Promise<readonly string[]> {
    const limits = { ...(await readLimits(this.#db)), ...retentionLimits({ history }) };
    return await oldWeeks(this.#db, limits.history);
  }
}

export function toLeaving(row: RemovalRow): Leaving {
  return {
    request: formatId("request", row.request_id),
    by: row.asked_by,
    since: row.asked_at,
    obstacle: row.obstacle,
  };
}
