// The checker is only worth something if it turns red. Each case breaks a right history in one place.
import { describe, expect, it, test } from "vitest";
import { JOURNAL_KIND as KIND } from "../../src/engine/items/codes.ts";
import { check } from "./check.ts";
import type { Evidence, FindingKind, ItemRow, JournalRow } from "./evidence.ts";
import { call, idOf, rightHistory, row, visit } from "./right-history.ts";

type Change = (right: Evidence) => Partial<Evidence>;

const withItem =
  (id: string, change: Partial<ItemRow>): Change =>
  ({ items }) => ({ items: items.map((item) => (item.id === id ? { ...item, ...change } : item)) });

const withRow =
  (item: string, version: number, change: Partial<JournalRow>): Change =>
  ({ journal }) => ({
    journal: journal.map((one) => (one.item === item && one.version === version ? { ...one, ...change } : one)),
  });

const withMoreRows =
  (...rows: JournalRow[]): Change =>
  ({ journal }) => ({ journal: [...journal, ...rows.map((one, index) => ({ ...one, order: 100 + index }))] });

const withoutRow =
  (item: string, version: number): Change =>
  ({ journal }) => ({ journal: journal.filter((one) => one.item !== item || one.version !== version) });

const wrong: readonly (readonly [what: string, kind: FindingKind, change: Change])[] = [
  ["an acknowledged item is gone", "lost", ({ items }) => ({ items: items.filter((item) => item.id !== "4") })],
  ["an item never ended", "lost", withItem("1", { state: 0, hasRun: true })],
  [
    "a submission was stored twice",
    "recorded twice",
    ({ items }) => ({ items: [...items, { ...(items[0] as ItemRow), id: "5" }] }),
  ],
  [
    "a key has two requests",
    "recorded twice",
    ({ requests }) => ({
      requests: [...requests, { id: "9", key: "only", total: 0, completed: 0, failed: 0, cancelled: 0 }],
    }),
  ],
  ["a refused submission was stored", "other", withItem("4", { input: { tag: "bad", fate: "well", blips: 0 } })],
  ["an ended item kept its run row", "other", withItem("1", { hasRun: true })],
  [
    "a request counts wrongly",
    "other",
    ({ requests }) => ({ requests: requests.map((one) => ({ ...one, completed: 1 })) }),
  ],
  ["a cancelled item ended otherwise", "other", withItem("3", { state: 1 })],
  [
    "a result was read that is no longer true",
    "other",
    ({ operations }) => ({
      operations: [...operations, { op: "result", items: [{ id: idOf("3"), state: "done" }], at: 1 }],
    }),
  ],
  [
    "a stage succeeded twice in one series",
    "recorded twice",
    withMoreRows(row("1", KIND.done, 5, { stage: 1, toStage: null, ended: 1 })),
  ],
  [
    "two rows carry one fence",
    "recorded twice",
    withMoreRows(row("4", KIND.done, 1, { stage: 0, toStage: null, ended: 1, series: 2 })),
  ],
  ["a stage was left out", "other", withoutRow("1", 3)],
  ["a stage led to the wrong one", "other", withRow("1", 3, { toStage: 3 })],
  ["the last success did not end it", "other", withRow("1", 4, { ended: 0, toStage: 1 })],
  ["something happened after the end", "other", withMoreRows(row("3", KIND.reclaimed, 9, {}))],
  [
    "it was retried without having failed",
    "other",
    withMoreRows(row("1", KIND.retried, 9, { stage: 1, toStage: 1, series: 2 })),
  ],
  ["a fault began a new series", "other", withRow("2", 2, { series: 2 })],
  ["the journal ends otherwise than the item", "other", withItem("2", { state: 1 })],
  [
    "the feed tells it in another order",
    "other",
    ({ journal }) => ({ journal: [...journal].reverse().map((one, index) => ({ ...one, order: index })) }),
  ],
  [
    "it failed though all went well",
    "blameless failure",
    withItem("2", { input: { tag: "t2", fate: "well", blips: 0 } }),
  ],
  ["a fault was counted that nobody raised", "blameless failure", withRow("2", 2, { code: "STOPPING" })],
  [
    "it gave up before its attempts were spent",
    "blameless failure",
    (right) => ({
      ...withItem("2", { input: { tag: "t2", fate: "hopeless", blips: 0 } })(right),
      ...withRow("2", 2, { code: "HOPELESS" })(right),
    }),
  ],
  ["a blip was not counted", "blameless failure", withItem("1", { input: { tag: "t1", fate: "well", blips: 1 } })],
  [
    "an effect was applied twice under one key",
    "effect twice",
    ({ calls }) => ({ calls: [...calls, call("1", "price", "k1")] }),
  ],
  ["the key changed within a series", "effect twice", ({ calls }) => ({ calls: [...calls, call("1", "price", "k2")] })],
  ["an effect belongs to no item", "lost", ({ calls }) => ({ calls: [...calls, call("77", "price", "k77")] })],
  [
    "a row of the application was written twice",
    "recorded twice",
    ({ ledger }) => ({ ledger: [...ledger, ...ledger] }),
  ],
  ["a row of the application is missing", "lost", () => ({ ledger: [] })],
  [
    "a failed item wrote a row of the application",
    "recorded twice",
    ({ ledger }) => ({ ledger: [...ledger, idOf("2")] }),
  ],
  [
    "a saved checkpoint was gone",
    "other",
    ({ visits }) => ({
      visits: [
        ...visits,
        visit("4", "encode", 9_500, { key: "k4", step: 0 }),
        visit("4", "encode", 9_600, { key: "k4", what: "saved", step: 1 }),
      ],
    }),
  ],
  [
    "a handler was entered long after the cancellation",
    "other",
    ({ visits }) => ({ visits: [...visits, visit("3", "first", 23_000, {})] }),
  ],
  [
    "an item was told what the claim does not do",
    "other",
    ({ explained }) => ({ explained: { ...explained, wrong: [{ item: "1", what: "was told something else" }] } }),
  ],
  ["a capped stage held too many", "other", () => ({ capped: { most: 5, cap: 4 } })],
  ["a worker fell by itself", "other", () => ({ fallen: ["second fell"] })],
];

describe("the history checker", () => {
  it("finds nothing in a right history", () => {
    expect(check(rightHistory())).toEqual([]);
  });

  test.each(wrong)("finds that %s", (_, kind, change) => {
    const right = rightHistory();
    const findings = check({ ...right, ...change(right) });
    expect(findings.map((finding) => finding.kind)).toContain(kind);
  });

  it("forgives a worker that was frozen while the item was cancelled", () => {
    const right = rightHistory();
    const visits = [...right.visits, visit("3", "first", 29_000, { pid: 81 })];
    expect(check({ ...right, visits })).not.toEqual([]);
    expect(check({ ...right, visits, pauses: [{ pid: 81, from: 19_000, to: 28_900 }] })).toEqual([]);
  });

  it("forgives a worker that enters behind with an item that is another's by then, and saves nothing", () => {
    const right = rightHistory();
    const visits = [...right.visits, visit("4", "encode", 9_500, { key: "k4", step: 0 })];
    expect(check({ ...right, visits })).toEqual([]);
  });

  it("allows a second key after a retry", () => {
    const right = rightHistory();
    const retried = withMoreRows(
      row("2", KIND.retried, 3, { stage: 1, toStage: 1, series: 2 }),
      row("2", KIND.fault, 4, { stage: 1, toStage: null, series: 2, ended: 2, attempt: 1, code: "POISON" }),
    )(right);
    const calls = [...right.calls, call("2", "post", "k2"), call("2", "post", "k2b")];
    expect(check({ ...right, ...retried, calls })).toEqual([]);
  });
});
