// A small run in which everything went right, for the checkers' tests to break in one place at a time.

import { JOURNAL_KIND as KIND } from "../../src/engine/items/codes.ts";
import { formatId } from "../../src/kit/index.ts";
import type { Evidence, ItemRow, JobFact, JournalRow, ServiceCall, Submission, VisitNote } from "./evidence.ts";

export const idOf = (item: string) => formatId("item", item) as string;

/** Item 1: a ledger that was reclaimed once. Item 2: one that was meant to fail. Item 3: cancelled. Item 4: in steps. Items 5 and 6: outside, the second cancelled. */
export function rightHistory(): Evidence {
  const items: ItemRow[] = [
    itemRow("1", "ledger", 2, 1),
    { ...itemRow("2", "ledger", 2, 2), input: { tag: "t2", fate: "permanent", blips: 0 } },
    itemRow("3", "chain", 4, 3),
    { ...itemRow("4", "long", 1, 1), input: { tag: "t4", fate: "well", blips: 0 } },
    itemRow("5", "convert", 2, 1),
    itemRow("6", "convert", 2, 3),
  ];
  const journal = [
    row("1", KIND.accepted, 0, { stage: null, toStage: 0 }),
    row("1", KIND.reclaimed, 2, { stage: 0, toStage: 0, epoch: "7" }),
    row("1", KIND.done, 3, { stage: 0, toStage: 1, attempt: 1, epoch: "8" }),
    row("1", KIND.done, 4, { stage: 1, toStage: null, ended: 1, attempt: 1, epoch: "8" }),
    row("2", KIND.accepted, 0, { stage: null, toStage: 0 }),
    row("2", KIND.done, 1, { stage: 0, toStage: 1, attempt: 1, epoch: "8" }),
    row("2", KIND.fault, 2, { stage: 1, toStage: null, ended: 2, attempt: 1, epoch: "8", code: "POISON" }),
    row("3", KIND.accepted, 0, { stage: null, toStage: 0 }),
    row("3", KIND.refused, 1, { stage: 0, toStage: null, epoch: "8" }),
    row("3", KIND.cancelled, 2, { stage: 0, toStage: null, ended: 3 }),
    row("4", KIND.accepted, 0, { stage: null, toStage: 0 }),
    row("4", KIND.done, 1, { stage: 0, toStage: null, ended: 1, attempt: 1, epoch: "8" }),
    row("5", KIND.accepted, 0, { stage: null, toStage: 0 }),
    row("5", KIND.fault, 1, { stage: 0, toStage: 0, epoch: "8", code: "NOT_REACHED" }),
    row("5", KIND.fault, 2, { stage: 0, toStage: 0, attempt: 1, epoch: "8", code: "TIMEOUT" }),
    row("5", KIND.started, 3, { stage: 0, toStage: 0, epoch: "8" }),
    row("5", KIND.seen, 4, { stage: 0, toStage: 0 }),
    row("5", KIND.done, 5, { stage: 0, toStage: 1, attempt: 2, epoch: "8" }),
    row("5", KIND.done, 6, { stage: 1, toStage: null, ended: 1, attempt: 1, epoch: "8" }),
    row("6", KIND.accepted, 0, { stage: null, toStage: 0 }),
    row("6", KIND.started, 1, { stage: 0, toStage: 0, epoch: "8" }),
    row("6", KIND.cancelled, 2, { stage: 0, toStage: null, ended: 3 }),
  ].map((one, index) => ({ ...one, order: index + 1, at: 10_000 + index }));
  return {
    operations: [
      ...items.map((item) => submission(item)),
      { op: "submit", pipeline: "chain", tags: ["bad"], key: null, answer: "failed", at: 1 },
      { op: "submit", pipeline: "chain", tags: ["who knows"], key: null, answer: "unknown", at: 1 },
      { op: "cancel", target: idOf("3"), answer: "ok", did: true, at: 20_000 },
      { op: "result", items: [{ id: idOf("1"), state: "done" }], at: 30_000 },
    ],
    visits: [
      visit("1", "price", 1_000, { pid: 70, ppid: 1 }),
      visit("1", "price", 6_000, { pid: 90, ppid: 80 }),
      visit("3", "first", 19_000, {}),
      visit("4", "encode", 5_000, { key: "k4" }),
      visit("4", "encode", 5_100, { key: "k4", what: "saved", step: 1 }),
      visit("4", "encode", 9_000, { key: "k4", step: 1 }),
    ],
    calls: [
      call("1", "price", "k1"),
      { ...call("1", "price", "k1"), applied: false },
      call("4", "encode", "k4/0"),
      call("4", "encode", "k4/1"),
    ],
    jobs: [job("5", "j5"), removedJob("6", "j6")],
    webhooks: [
      { key: "j5", isNews: true },
      { key: "j5", isNews: false },
    ],
    removals: { total: 3, waiting: 1, failed: 0 },
    items,
    requests: [
      { id: "1", key: null, total: 1, completed: 1, failed: 0, cancelled: 0 },
      { id: "2", key: "only", total: 1, completed: 0, failed: 1, cancelled: 0 },
      { id: "3", key: null, total: 1, completed: 0, failed: 0, cancelled: 1 },
      { id: "4", key: null, total: 1, completed: 1, failed: 0, cancelled: 0 },
      { id: "5", key: null, total: 1, completed: 1, failed: 0, cancelled: 0 },
      { id: "6", key: null, total: 1, completed: 0, failed: 0, cancelled: 1 },
    ],
    journal,
    ledger: [idOf("1")],
    lives: [
      { epoch: "7", name: "first", pid: 70, startedAt: 500, endedAt: 5_100 },
      { epoch: "8", name: "second", pid: 80, startedAt: 600, endedAt: null },
    ],
    kills: [{ pid: 70, at: 1_500, isAtOnce: true, readyAt: 5_000 }],
    pauses: [],
    strikes: [],
    downtimes: [],
    absences: [],
    capped: { most: 4, cap: 4 },
    explained: { looks: 1, missed: 0, items: 2, reasons: new Map([["queued", 2]]), wrong: [] },
    fallen: [],
  };
}

function itemRow(id: string, pipeline: string, stages: number, state: number): ItemRow {
  const input = { tag: `t${id}`, fate: "well" as const, blips: 0 };
  return { id, request: id, pipeline, stages, state, input, hasRun: false };
}

function submission(item: ItemRow): Submission {
  const request = formatId("request", item.request);
  const facts = { op: "submit" as const, pipeline: item.pipeline, key: null, answer: "ok" as const, at: 1 };
  return { ...facts, tags: [item.input.tag], request, items: [idOf(item.id)], joined: false };
}

export function row(item: string, kind: number, version: number, facts: Partial<JournalRow>): JournalRow {
  const nothing = {
    order: 0,
    stage: 0,
    toStage: 0,
    ended: 0,
    attempt: null,
    series: 1,
    code: null,
    message: null,
    at: 0,
  };
  return { ...nothing, epoch: null, item, kind, version, ...facts };
}

export function visit(item: string, stage: string, at: number, facts: Partial<VisitNote>): VisitNote {
  return { what: "enter", pid: 80, ppid: 1, key: `k${item} ${stage}`, step: 0, item: idOf(item), stage, at, ...facts };
}

export function call(item: string, stage: string, key: string): ServiceCall {
  return { kind: "effect", key, item: idOf(item), stage, at: 2_000, applied: true };
}

/** Asked for twice, done once, and removed by nobody. */
export function job(item: string, key: string): JobFact {
  return { key, tag: `t${item}`, starts: 2, made: 1, effects: 1, removed: 0, isAlive: false };
}

export function removedJob(item: string, key: string): JobFact {
  return { ...job(item, key), starts: 1, effects: 0, removed: 1 };
}
