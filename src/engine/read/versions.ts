// Versions of a pipeline as people see them.

import type { FiguresRow, OrphanRow, VersionRow } from "./versions.sql.ts";

export interface VersionState {
  readonly version: number;
  readonly stages: readonly string[];
  /** Percent of the new requests that name no version; null where no rollout was set. */
  readonly share: number | null;
  /** Live workers that have its code. */
  readonly workers: number;
  /** `closing`: held, but some live worker does not know yet, and may still begin something. */
  readonly held: "no" | "closing" | "held";
  readonly heldSince: Date | null;
  readonly note: string | null;
}

export function versionState(row: VersionRow): VersionState {
  const { version, stages, workers, shares, held_at: heldSince, held_note: note } = row;
  const held = row.is_closing === true ? "closing" : "held";
  const share = shares === null ? null : (shares[String(version)] ?? 0);
  return { version, stages, share, workers, held: heldSince === null ? "no" : held, heldSince, note };
}

/** Of its newest items. */
export interface VersionFigures {
  readonly version: number;
  readonly items: number;
  /** When the oldest of them was submitted. */
  readonly from: Date | null;
  readonly live: number;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Failed, of those that were done or failed; null while there are none. */
  readonly failureRate: number | null;
  /** Tries beyond the first, of all stages together. */
  readonly retries: number;
  /** From submission to completion, in milliseconds; null while none was completed. */
  readonly took: { readonly p50: number; readonly p90: number } | null;
}

export function versionFiguresOf(row: FiguresRow): VersionFigures {
  const { version, items, from, live, done, failed, cancelled, retries, took } = row;
  const judged = done + failed;
  const [p50, p90] = took ?? [];
  return {
    version,
    items,
    from,
    live,
    done,
    failed,
    cancelled,
    failureRate: judged === 0 ? null : failed / judged,
    retries,
    took: p50 === undefined || p90 === undefined ? null : { p50: Math.round(p50), p90: Math.round(p90) },
  };
}

/** Live items of a version whose code no live worker has, by the stage they are in. */
export type Orphans = OrphanRow;
