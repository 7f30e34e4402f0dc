// What happened outside, by the service's own memory and the workers' own notes: effects once, checkpoints kept, rows of
// the application once, nothing begun after a cancellation, no more in a capped stage than fit.

import { ITEM_STATE, JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { formatId, parseId } from "../../src/kit/index.ts";
import type { Action, Evidence, Finding, ItemRow, Span, VisitNote } from "./evidence.ts";

export function checkEffects(evidence: Evidence): Finding[] {
  return [
    ...checkKeys(evidence),
    ...checkLedger(evidence),
    ...checkCheckpoints(evidence),
    ...checkCancelled(evidence),
    ...checkCap(evidence),
    ...evidence.fallen.map((what): Finding => ({ kind: "other", what })),
  ];
}

/** One key for each series of a stage: a key that changes on the way makes the service act twice. */
function checkKeys(evidence: Evidence): Finding[] {
  const findings: Finding[] = [];
  const numbers = new Map(evidence.items.map((item) => [formatId("item", item.id) as string, item.id]));
  const retries = Map.groupBy(
    evidence.journal.filter((row) => row.kind === JOURNAL_KIND.retried || row.kind === JOURNAL_KIND.back),
    (row) => row.item,
  );
  const applied = evidence.calls.filter((call) => call.applied);
  for (const [key, same] of Map.groupBy(applied, (call) => call.key)) {
    const item = numbers.get(same[0]?.item ?? "") ?? "";
    if (same.length > 1)
      findings.push({ kind: "effect twice", what: `key ${key} was applied ${same.length} times`, item });
  }
  // Steps of one visit carry the visit's key and a number; the series is the part before it.
  const keysOf = Map.groupBy(applied, (call) => `${call.item} ${call.stage}`);
  for (const [place, calls] of keysOf) {
    const item = numbers.get(calls[0]?.item ?? "");
    if (item === undefined) {
      findings.push({ kind: "lost", what: `an effect for ${place}, which is in no table` });
      continue;
    }
    const keys = new Set(calls.map((call) => call.key.split("/")[0]));
    const series = 1 + (retries.get(item)?.length ?? 0);
    if (keys.size > series) findings.push({ kind: "effect twice", what: `${keys.size} keys in ${place}`, item });
  }
  return findings;
}

function checkLedger(evidence: Evidence): Finding[] {
  const findings: Finding[] = [];
  const rows = Map.groupBy(evidence.ledger, (item) => item);
  for (const item of evidence.items) {
    if (item.pipeline !== "ledger") continue;
    const count = rows.get(formatId("item", item.id))?.length ?? 0;
    const expected = item.state === ITEM_STATE.done ? 1 : 0;
    if (count > expected) findings.push({ kind: "recorded twice", what: `${count} rows in the ledger`, item: item.id });
    if (count < expected) findings.push({ kind: "lost", what: "is done and not in the ledger", item: item.id });
  }
  return findings;
}

/**
 * What was acknowledged as saved is there for whoever holds the item later. One who was frozen after its claim enters behind, with an item
 * that is another's by then; it may save nothing any more.
 */
function checkCheckpoints(evidence: Evidence): Finding[] {
  const findings: Finding[] = [];
  for (const notes of Map.groupBy(evidence.visits, (one) => one.key).values()) {
    let saved = 0;
    const behind = new Map<number, { readonly step: number; readonly saved: number }>();
    for (const { what, step, pid, item } of [...notes].sort((a, b) => a.at - b.at)) {
      const began = behind.get(pid);
      if (what === "enter" && step < saved) behind.set(pid, { step, saved });
      else if (what === "enter") behind.delete(pid);
      else if (began !== undefined) {
        const words = `began at step ${began.step} after ${began.saved} was saved, and saved ${step}`;
        findings.push({ kind: "other", what: words, item: parseId("item", item) });
      } else saved = Math.max(saved, step);
    }
  }
  return findings;
}

/** A worker that is busy with an item learns of its end with its next look, two seconds later at most. */
const BEAT_MS = 2_500;
/** What keeps a worker from looking, if it ended shortly before, does so a little longer. */
const AFTERMATH_MS = 2_500;

function checkCancelled(evidence: Evidence): Finding[] {
  const visits = Map.groupBy(
    evidence.visits.filter((one) => one.what === "enter"),
    (one) => one.item,
  );
  const items = new Map(evidence.items.map((item) => [formatId("item", item.id) as string, item]));
  const cancelled = evidence.operations.filter(
    (one): one is Action => one.op === "cancel" && one.answer === "ok" && one.did,
  );
  return cancelled.flatMap(({ target, at }) =>
    targets(target, evidence.items, items).flatMap((item) => {
      const late = (visits.get(formatId("item", item.id)) ?? []).find(
        (one) => one.at > at + BEAT_MS && !hadReason(one, at, evidence),
      );
      const afterMs = (late?.at ?? 0) - at;
      return late === undefined
        ? []
        : [{ kind: "other", what: `${late.stage} was entered ${afterMs} ms after it was cancelled`, item: item.id }];
    }),
  );
}

function targets(target: string, all: readonly ItemRow[], byId: ReadonlyMap<string, ItemRow>): ItemRow[] {
  const one = byId.get(target);
  const found = one === undefined ? all.filter((item) => formatId("request", item.request) === target) : [one];
  return found.filter((item) => item.state === ITEM_STATE.cancelled);
}

/** It was frozen, or the database was away, when it should have looked. */
function hadReason(visit: VisitNote, cancelledAt: number, evidence: Evidence): boolean {
  const overlaps = (span: Span) => span.to + AFTERMATH_MS > cancelledAt && span.from < visit.at;
  const isIts = (pid: number) => pid === visit.pid || pid === visit.ppid;
  return evidence.downtimes.some(overlaps) || evidence.pauses.some((pause) => isIts(pause.pid) && overlaps(pause));
}

function checkCap({ capped }: Evidence): Finding[] {
  return capped.most > capped.cap
    ? [{ kind: "other", what: `${capped.most} items were in the stage with a cap of ${capped.cap}` }]
    : [];
}
