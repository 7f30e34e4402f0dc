// How long what a killed worker held stood still: from the kill until a handler is entered for it again. Times in which
// the database was away, or no worker was there to do anything, are left out. Pure.

import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { formatId } from "../../src/kit/index.ts";
import type { Evidence, Kill, Pause, Span, VisitNote } from "./evidence.ts";
import { convert, press } from "./pipelines.ts";

/** The promises: a dead worker's items are begun again within this, and within less when it comes back itself. */
export const RECOVERY_MOST_MS = 12_000;
export const RESTART_MOST_MS = 2_000;

/**
 * In a stage with a cap its place may be taken by others meanwhile, some of them dead and not found yet; and what a service
 * does waits until that service is there.
 */
const HELD: ReadonlySet<string> = new Set([press.name, convert.name]);

export interface Recovery {
  readonly item: string;
  readonly ms: number;
  readonly kill: Kill;
  readonly reclaimedAt: number;
  readonly entry: VisitNote;
  /**
   * Since the same worker was up again, where it was restarted at once: how long a process takes to start is not ours.
   * Null where it was struck again before it had been up for as long as the promise allows it.
   */
  readonly sinceReadyMs: number | null;
  /** That long it took where it was struck again; told, not judged. */
  readonly struckAgainMs: number | null;
}

type Facts = Pick<Evidence, "items" | "kills" | "lives" | "journal" | "visits" | "pauses" | "downtimes" | "absences">;

export function recoveries(evidence: Facts): Recovery[] {
  const nothingMoved = merged([...evidence.downtimes, ...evidence.absences]);
  const killOf = new Map(evidence.kills.map((kill) => [kill.pid, kill]));
  const pidOf = new Map(evidence.lives.map((life) => [life.epoch, life.pid]));
  const held = new Set(evidence.items.filter((item) => HELD.has(item.pipeline)).map((item) => item.id));
  const entries = Map.groupBy(
    evidence.visits.filter((one) => one.what === "enter"),
    (one) => one.item,
  );
  const reclaims = evidence.journal.filter((row) => row.kind === JOURNAL_KIND.reclaimed);
  const reclaimsOf = Map.groupBy(reclaims, (row) => row.item);
  const struck = new Map(evidence.kills.map((kill) => [kill, successorStruckAt(evidence, kill)]));
  return reclaims.flatMap((row) => {
    const kill = killOf.get(pidOf.get(row.epoch ?? "") ?? -1);
    if (kill === undefined || row.at < kill.at) return [];
    if (held.has(row.item)) return [];
    const entry = nextEntry(entries.get(formatId("item", row.item)) ?? [], kill);
    // Cancelled meanwhile, or its next holder died too before it could begin: then that death is measured.
    const isLostAgain = (reclaimsOf.get(row.item) ?? []).some(
      (one) => one.version > row.version && one.at <= (entry?.at ?? 0),
    );
    if (entry === undefined || isLostAgain || wasFrozen(entry, kill, evidence.pauses)) return [];
    const since = (at: number) => without(nothingMoved, at, entry.at);
    const stayedMs = (readyAt: number) => without(nothingMoved, readyAt, struck.get(kill) ?? Infinity);
    const { readyAt } = kill;
    // One that is killed or stopped again within those two seconds has not come back.
    const isBack = readyAt !== null && stayedMs(readyAt) >= Math.min(since(readyAt), RESTART_MOST_MS);
    const atOnceMs = kill.isAtOnce && readyAt !== null ? since(readyAt) : null;
    const [sinceReadyMs, struckAgainMs] = isBack ? [atOnceMs, null] : [null, atOnceMs];
    return [{ item: row.item, kill, reclaimedAt: row.at, entry, ms: since(kill.at), sinceReadyMs, struckAgainMs }];
  });
}

/** When the process that followed the killed one was itself killed, stopped, or told to leave. */
function successorStruckAt({ lives, kills, pauses }: Facts, kill: Kill): number {
  const name = lives.find((life) => life.pid === kill.pid)?.name;
  const next = lives
    .filter((life) => life.name === name && life.startedAt > kill.at)
    .sort((a, b) => a.startedAt - b.startedAt)[0];
  if (next === undefined) return Infinity;
  const { pid, endedAt } = next;
  const strikes = [
    ...kills.filter((one) => one.pid === pid).map((one) => one.at),
    ...pauses.filter((one) => one.pid === pid).map((one) => one.from),
  ];
  return Math.min(endedAt ?? Infinity, ...strikes);
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
