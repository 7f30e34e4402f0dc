// Each item's journal: a chain of legal steps, each under a fence of its own, one success for each stage and series, and
// no failure without somebody to blame.

import { ITEM_STATE, JOURNAL_KIND as KIND } from "../../src/engine/items/codes.ts";
import type { Evidence, Finding, FindingKind, ItemRow, JournalRow } from "./evidence.ts";
import { OUTAGES } from "./outages.ts";
import { ATTEMPTS, convert } from "./pipelines.ts";

/** Faults that the run's own handlers raise. Any other was made up by the engine, and nobody is to blame for it. */
const RAISED = new Set(["POISON", "HOPELESS", "BLIP", "REFUSED", "BUSY", "GONE"]);

export function checkJournal(evidence: Evidence): Finding[] {
  const journals = Map.groupBy(evidence.journal, (row) => row.item);
  const known = new Set(evidence.items.map((item) => item.id));
  const strays = [...journals.keys()].filter((item) => !known.has(item));
  return [
    ...strays.map((item): Finding => ({ kind: "lost", what: "has a journal and no item", item })),
    ...evidence.items.flatMap((item) => checkItem(item, journals.get(item.id) ?? [])),
  ];
}

function checkItem(item: ItemRow, rows: readonly JournalRow[]): Finding[] {
  const written = rows.filter((row) => row.kind !== KIND.refused);
  const byVersion = [...written].sort((a, b) => a.version - b.version || a.order - b.order);
  const findings: Finding[] = [];
  const add = (kind: FindingKind, what: string) => findings.push({ kind, what, item: item.id });
  for (const [fence, same] of Map.groupBy(written, (row) => row.version)) {
    if (same.length > 1) add("recorded twice", `${same.length} rows under version ${fence}`);
  }
  const successes = written.filter((row) => row.kind === KIND.done || row.kind === KIND.skip);
  for (const [place, same] of Map.groupBy(successes, (row) => `stage ${row.stage}, series ${row.series}`)) {
    if (same.length > 1) add("recorded twice", `${same.length} successes in ${place}`);
  }
  const wrongStep = findWrongStep(item, byVersion);
  if (wrongStep !== undefined) add("other", wrongStep);
  if (written.some((row, index) => row !== byVersion[index]))
    add("other", "the feed's order is not that of its versions");
  for (const what of blameless(item, byVersion)) add("blameless failure", what);
  const last = byVersion.at(-1);
  if (last !== undefined && last.ended !== item.state)
    add("other", `its journal ends with ${last.ended}, its row with ${item.state}`);
  return findings;
}

interface Place {
  readonly stage: number;
  readonly series: number;
  readonly ended: number;
}

/** The first step that does not follow from the one before, in words. */
function findWrongStep(item: ItemRow, rows: readonly JournalRow[]): string | undefined {
  const [first, ...rest] = rows;
  if (first === undefined) return "has no journal";
  if (first.kind !== KIND.accepted || first.toStage !== 0) return "does not begin with being accepted";
  let place: Place = { stage: 0, series: 1, ended: ITEM_STATE.live };
  for (const row of rest) {
    const next = step(item, place, row);
    if (typeof next === "string") return `version ${row.version}: ${next}`;
    place = next;
  }
  return undefined;
}

function step(item: ItemRow, from: Place, row: JournalRow): Place | string {
  const to: Place = { stage: row.toStage ?? from.stage, series: row.series ?? from.series, ended: row.ended };
  if (row.stage !== from.stage) return `is in stage ${from.stage}, the row says ${row.stage}`;
  if (from.ended !== ITEM_STATE.live && row.kind !== KIND.retried) return "something happened after the end";
  const isSame = to.stage === from.stage && to.series === from.series;
  const isLast = from.stage === item.stages - 1;
  switch (row.kind) {
    case KIND.done:
    case KIND.skip: {
      if (to.series !== from.series) return "a success began a new series";
      if (isLast) return row.ended === ITEM_STATE.done ? to : "the last stage's success did not end it";
      return row.ended === ITEM_STATE.live && to.stage === from.stage + 1
        ? to
        : "a success did not lead to the next stage";
    }
    case KIND.fault:
      return isSame && (row.ended === ITEM_STATE.live || row.ended === ITEM_STATE.failed)
        ? to
        : "a fault led elsewhere";
    case KIND.back:
      return to.stage < from.stage && to.series === from.series + 1 ? to : "back did not lead back";
    case KIND.cancelled:
      return row.ended === ITEM_STATE.cancelled ? to : "a cancellation did not end it";
    case KIND.retried: {
      const isRight = from.ended === ITEM_STATE.failed && to.stage === from.stage && to.series === from.series + 1;
      return isRight ? to : "was retried without having failed, or elsewhere";
    }
    case KIND.accepted:
      return "was accepted twice";
    default:
      return isSame && row.ended === ITEM_STATE.live ? to : `kind ${row.kind} moved it`;
  }
}

function blameless(item: ItemRow, rows: readonly JournalRow[]): string[] {
  const findings: string[] = [];
  const { fate, blips } = item.input;
  const faults = rows.filter((row) => row.kind === KIND.fault);
  for (const row of faults) {
    const isOutage = item.pipeline === convert.name && OUTAGES.has(row.code ?? "");
    if (!RAISED.has(row.code ?? "") && !isOutage)
      findings.push(`a fault that no handler raised: ${row.code} ${row.message}`);
    if (row.ended === ITEM_STATE.failed && (fate === "well" || fate === "endless"))
      findings.push(`failed with ${row.code} though all went well`);
  }
  const counted = (code: string) => faults.filter((row) => row.code === code && row.attempt !== null).length;
  if (item.state === ITEM_STATE.done && fate === "well" && item.stages > 1 && counted("BLIP") !== blips) {
    findings.push(`${blips} blips were raised and ${counted("BLIP")} counted`);
  }
  if (item.state === ITEM_STATE.failed && fate === "hopeless" && counted("HOPELESS") !== ATTEMPTS) {
    findings.push(`failed after ${counted("HOPELESS")} of ${ATTEMPTS} attempts`);
  }
  // One whose submission was never answered nobody knows of, and nobody mends.
  const wasRetried = rows.some((row) => row.kind === KIND.retried);
  if (item.state === ITEM_STATE.failed && fate === "mend" && wasRetried)
    findings.push("stayed failed after it was mended and retried");
  return findings;
}
