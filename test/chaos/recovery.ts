// How long what a killed worker held stood still: from the kill until a handler is entered for it again. Times in which
// the database was away, or no worker was there to do anything, are left out. Pure.

import { formatId } from "../../src/kit/index.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import type { Evidence, Kill, Span } from "./evidence.ts";

export interface Recovery {
  readonly item: string;
  readonly ms: number;
  readonly kill: Kill;
  /** Since the same worker was up again, where it was restarted at once: how long a process takes to start is not ours. */
  readonly sinceReadyMs: number | null;
}

type Facts = Pick<Evidence, "kills" | "lives" | "journal" | "visits" | "downtimes" | "absences">;

export function recoveries(evidence: Facts): Recovery[] {
  const nothingMoved = merged([...evidence.downtimes, ...evidence.absences]);
  const killOf = new Map(evidence.kills.map((kill) => [kill.pid, kill]));
  const pidOf = new Map(evidence.lives.map((life) => [life.epoch, life.pid]));
  const entries = Map.groupBy(
    evidence.visits.filter((one) => one.what === "enter"),
    (one) => one.item,
  );
  const reclaims = evidence.journal.filter((row) => row.kind === JOURNAL_KIND.reclaimed);
  const reclaimsOf = Map.groupBy(reclaims, (row) => row.item);
  return reclaims.flatMap((row) => {
    const kill = killOf.get(pidOf.get(row.epoch ?? "") ?? -1);
    if (kill === undefined || row.at < kill.at) return [];
    // Entered by the dead process's orphan, which has not noticed yet, does not count.
    const entered = (entries.get(formatId("item", row.item)) ?? [])
      .filter((one) => one.at >= kill.at && one.pid !== kill.pid && one.ppid !== kill.pid)
      .reduce((least, one) => Math.min(least, one.at), Number.POSITIVE_INFINITY);
    // Cancelled meanwhile, or its next holder died too before it could begin: then that death is measured.
    const again = (reclaimsOf.get(row.item) ?? []).some((other) => other.version > row.version && other.at <= entered);
    if (!Number.isFinite(entered) || again) return [];
    const { readyAt } = kill;
    const sinceReadyMs = kill.isAtOnce && readyAt !== null ? without(nothingMoved, readyAt, entered) : null;
    return [{ item: row.item, kill, ms: without(nothingMoved, kill.at, entered), sinceReadyMs }];
  });
}

function merged(spans: readonly Span[]): Span[] {
  const whole: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  return whole;
}

function without(spans: readonly Span[], from: number, to: number): number {
  const away = spans.map((span) => Math.max(0, Math.min(span.to, to) - Math.max(span.from, from)));
  return Math.max(0, to - from - away.reduce((sum, ms) => sum + ms, 0));
}

/** The value below which this share of them lies; 0 of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
