// How long what a killed worker held stood still: from the kill until a handler is entered for it again. Times in which
// the database was away, or no worker was there to do anything, are left out. Pure.

import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { formatId } from "../../src/kit/index.ts";
import type { Evidence, Kill, Pause, Span, VisitNote } from "./evidence.ts";
import { press } from "./pipelines.ts";

export interface Recovery {
  readonly item: string;
  readonly ms: number;
  readonly kill: Kill;
  /** Since the same worker was up again, where it was restarted at once: how long a process takes to start is not ours. */
  readonly sinceReadyMs: number | null;
}

type Facts = Pick<Evidence, "items" | "kills" | "lives" | "journal" | "visits" | "pauses" | "downtimes" | "absences">;

export function recoveries(evidence: Facts): Recovery[] {
  const nothingMoved = merged([...evidence.downtimes, ...evidence.absences]);
  const killOf = new Map(evidence.kills.map((kill) => [kill.pid, kill]));
  const pidOf = new Map(evidence.lives.map((life) => [life.epoch, life.pid]));
  const pressed = new Set(evidence.items.filter((item) => item.pipeline === press.name).map((item) => item.id));
  const entries = Map.groupBy(
    evidence.visits.filter((one) => one.what === "enter"),
    (one) => one.item,
  );
  const reclaims = evidence.journal.filter((row) => row.kind === JOURNAL_KIND.reclaimed);
  const reclaimsOf = Map.groupBy(reclaims, (row) => row.item);
  return reclaims.flatMap((row) => {
    const kill = killOf.get(pidOf.get(row.epoch ?? "") ?? -1);
    if (kill === undefined || row.at < kill.at) return [];
    // In a stage with a cap its place may be taken by others meanwhile, some of them dead and not found yet.
    if (pressed.has(row.item)) return [];
    const entry = nextEntry(entries.get(formatId("item", row.item)) ?? [], kill);
    // Cancelled meanwhile, or its next holder died too before it could begin: then that death is measured.
    const isLostAgain = (reclaimsOf.get(row.item) ?? []).some(
      (one) => one.version > row.version && one.at <= (entry?.at ?? 0),
    );
    if (entry === undefined || isLostAgain || wasFrozen(entry, kill, evidence.pauses)) return [];
    const { readyAt } = kill;
    const sinceReadyMs = kill.isAtOnce && readyAt !== null ? without(nothingMoved, readyAt, entry.at) : null;
    return [{ item: row.item, kill, ms: without(nothingMoved, kill.at, entry.at), sinceReadyMs }];
  });
}

/** The parent of those whose parent has died. */
const ORPHANED = 1;

/** What the child of a dead worker enters, which has not noticed yet, does not count. */
function nextEntry(entries: readonly VisitNote[], kill: Kill): VisitNote | undefined {
  return entries
    .filter((one) => one.at >= kill.at && one.pid !== kill.pid && one.ppid !== kill.pid && one.ppid !== ORPHANED)
    .sort((a, b) => a.at - b.at)[0];
}

/** Its next holder was stopped with the item in its hands: until that one's lease runs out nobody may touch it. */
function wasFrozen(entry: VisitNote, kill: Kill, pauses: readonly Pause[]): boolean {
  return pauses.some(
    ({ pid, from, to }) => (pid === entry.pid || pid === entry.ppid) && from < entry.at && to > kill.at,
  );
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
