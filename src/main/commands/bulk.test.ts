// What is told of actions: on one, and on many.

import { describe, expect, it } from "vitest";
import { CommandError } from "../exit.ts";
import { plain } from "../render/paint.ts";
import { doneText } from "./act.ts";
import { bulk, previewLines } from "./bulk.ts";
import type { ClientCall } from "./call.ts";
import { exitOf, operationText } from "./operation.ts";

const now = new Date("2030-01-01T12:00:00Z");

it("of what was done names what was made, and what goes on for others", () => {
  expect(doneText("retry", { copy: null, left: false })).toBe("retried");
  expect(doneText("replay", { copy: { item: "itm_9", request: "req_4" }, left: false })).toBe(
    "copied as itm_9 in req_4",
  );
  expect(doneText("cancel", { copy: null, left: true })).toContain("goes on for them");
});

it("of many is how many it would meet, the first of them, and who would refuse", () => {
  const preview = {
    ...{ matched: 14, would: 12, examples: ["itm_1", "itm_2"] },
    refused: [{ reason: "it has ended already", items: 2 }],
  };
  expect(previewLines("cancel", preview, "pipeline:media")).toEqual([
    "would cancel 12 of 14 items",
    "  itm_1",
    "  itm_2",
    "  and 10 more",
    "  2 refused: it has ended already",
  ]);
  const all = { matched: 1, would: 1, examples: ["itm_1"], refused: [] };
  expect(previewLines("retry", all, "state:failed")).toEqual(["would retry 1 item", "  itm_1"]);
  const none = { matched: 0, would: 0, examples: [], refused: [] };
  expect(previewLines("retry", none, "state:failed")).toEqual(["no item matches state:failed"]);
});

it("of an operation adds up, and it ends by what came of all", () => {
  const counts = { done: 12, refused: 2, failed: 0, stopped: 1, open: 3 };
  const operation = {
    ...{ id: "opr_1", state: "running" as const, action: { type: "retry" as const }, by: "ann", total: 18, counts },
    ...{ progress: 83.3, rate: 10, since: "2030-01-01T11:59:00Z", finishedAt: null },
  };
  const text = operationText(operation, now, { isTerminal: false, width: 80, paint: plain });
  expect(text).toContain("items      18: 12 done, 2 refused, 0 failed, 1 left alone, 3 to come");
  const over = { done: 0, refused: 0, failed: 0, stopped: 0, open: 0 };
  expect(exitOf({ total: 2, counts: { ...over, done: 2 } })).toBeUndefined();
  expect(exitOf({ total: 2, counts: { ...over, done: 1, refused: 1 } })).toBe(7);
  expect(exitOf({ total: 2, counts: { ...over, refused: 2 } })).toBe(5);
  expect(exitOf({ total: 2, counts: { ...over, refused: 1, failed: 1 } })).toBe(1);
});

describe("what was confirmed", () => {
  const preview = { matched: 2, would: 2, examples: [], refused: [] };
  async function asked(yes: boolean, status?: number) {
    const bodies: unknown[] = [];
    const client = {
      ask: (_: string, { query, body }: { query: { dryRun?: boolean }; body: { expected?: number } }) => {
        if (query.dryRun === true) return Promise.resolve({ operation: null, preview });
        bodies.push(body.expected);
        return Promise.reject(status === undefined ? new Error("enough") : new CommandError(5, "3 items match", ""));
      },
    };
    const out = { isJson: true, canAsk: true, note: () => undefined };
    const call = { client, out, args: [], options: { filter: "state:failed", yes } } as unknown as ClientCall;
    const error = await bulk({ type: "cancel" }, call, () => Promise.resolve()).catch((one: unknown) => one);
    return { bodies, error };
  }

  it("is what may be met; with --yes it is all that match", async () => {
    expect((await asked(false)).bodies).toEqual([2]);
    expect((await asked(true)).bodies).toEqual([undefined]);
  });

  it("is asked about again where more match by now", async () => {
    const { error } = await asked(false, 409);
    expect(error).toMatchObject({ message: "3 items match", next: expect.stringContaining("ask for it again") });
  });
});
