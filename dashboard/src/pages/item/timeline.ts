// An item's history as lengths of time: for each stay in a stage, when it stood in line, waited, and was worked on. Pure.

import type { History, Item } from "../../../../src/server/contract/wire.ts";

type Entry = History["entries"][number];

export type SpanKind = "queue" | "wait" | "work" | "outside";

export interface Span {
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
  /** What came of it, where it was work. */
  readonly outcome: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly attempt: number | null;
  readonly worker: string | null;
  /** It goes on. */
  readonly isOpen: boolean;
}

export interface Stay {
  readonly stage: string;
  readonly series: number;
  readonly spans: readonly Span[];
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly stays: readonly Stay[];
}

type Now = Pick<Item, "state" | "stage" | "since" | "series"> & { readonly isOutside: boolean };

const EMPTY = { outcome: null, code: null, message: null, attempt: null, worker: null, isOpen: false };

/** Oldest first. Nothing of it is later than its end, whatever the clocks say. */
export function timelineOf(entries: readonly Entry[], item: Now, clock: number): Timeline {
  const now = Math.max(clock, ...entries.map(({ ended }) => Date.parse(ended)));
  const stays: { stage: string; series: number; spans: Span[] }[] = [];
  const stayIn = (stage: string, series: number) => {
    const last = stays.at(-1);
    if (last !== undefined && last.stage === stage && last.series === series) return last;
    const stay = { stage, series, spans: [] };
    stays.push(stay);
    return stay;
  };
  const [first] = entries;
  const from = first === undefined ? now : Date.parse(first.began ?? first.ended);
  let at = from;
  let kind: SpanKind | null = "queue";
  for (const entry of entries.filter(({ outcome, began }) => began !== null || !PASSING.has(outcome))) {
    const ended = Math.max(at, Date.parse(entry.ended));
    const began = entry.began === null ? ended : Math.min(ended, Math.max(at, Date.parse(entry.began)));
    const stage = entry.from ?? entry.to;
    if (stage !== null) {
      if (kind !== null && began > at) {
        const series = entry.began === null ? stays.at(-1)?.series : undefined;
        stayIn(stage, series ?? entry.series ?? 1).spans.push({ ...EMPTY, kind, from: at, to: began });
      }
      if (entry.began !== null) stayIn(stage, entry.series ?? 1).spans.push(workOf(entry, began, ended));
    }
    at = ended;
    kind = after(entry);
  }
  const isLive = item.state !== "done" && item.state !== "failed" && item.state !== "cancelled";
  if (isLive) closeWith(stayIn(item.stage, item.series).spans, item, kind ?? "queue", at, now);
  const last = stays.at(-1)?.spans.at(-1)?.to ?? now;
  return { from, to: Math.max(last, from + 1), stays: stays.filter(({ spans }) => spans.length > 0) };
}

/** Noted while it stood where it stood: they change nothing about it. */
const PASSING: ReadonlySet<string> = new Set(["seen", "odd", "priority", "joined"]);

function workOf({ outcome, code, message, attempt, worker }: Entry, from: number, to: number): Span {
  return { kind: "work", from, to, outcome, code, message, attempt, worker, isOpen: false };
}

/** How it stands once that has happened; null where it has ended, and stands nowhere until somebody begins it again. */
function after({ outcome, reason, end }: Entry): SpanKind | null {
  if (end !== null) return null;
  if (outcome === "started") return "outside";
  return reason === null ? "queue" : "wait";
}

/** What goes on now has no entry yet: it is drawn up to now. */
function closeWith(spans: Span[], item: Now, kind: SpanKind, at: number, now: number): void {
  const open = { ...EMPTY, isOpen: true, to: now };
  if (item.state !== "running") {
    spans.push({ ...open, kind: item.state === "queued" ? "queue" : kind === "queue" ? "wait" : kind, from: at });
    return;
  }
  const since = Math.min(now, Math.max(at, Date.parse(item.since)));
  if (since > at && !item.isOutside) spans.push({ ...EMPTY, kind, from: at, to: since });
  spans.push({ ...open, kind: item.isOutside ? "outside" : "work", from: item.isOutside ? at : since });
}

/** Thinner than this nobody sees or hits it. */
const THINNEST = "3px";

/** Where its bar is drawn: never so thin that it is lost, and never beyond the end of the line. */
export function placeOf({ from, to }: Pick<Span, "from" | "to">, whole: Pick<Timeline, "from" | "to">) {
  const percent = (ms: number) => `${(ms / (whole.to - whole.from)) * 100}%`;
  return {
    left: `min(${percent(from - whole.from)}, 100% - ${THINNEST})`,
    width: `max(${THINNEST}, ${percent(to - from)})`,
  };
}
