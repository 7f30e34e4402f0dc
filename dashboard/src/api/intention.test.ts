import { expect, it } from "vitest";
import { Refusal } from "./ask.ts";
import { Intention } from "./intention.ts";

const RETRY = { path: "/api/v1/items/itm_1/retry", body: {} };

function keysAround(error: Error | null): readonly [string, string] {
  const intention = new Intention();
  const first = intention.keyOf(RETRY);
  intention.settle(error);
  return [first, intention.keyOf(RETRY)];
}

it.each([
  ["nobody answered", new Refusal(0, {})],
  ["the server broke over it", new Refusal(500, {})],
  ["it is being done", new Refusal(409, { code: "IN_PROGRESS" })],
])("sent again where %s, it is the same deed", (_, error) => {
  const [first, second] = keysAround(error);
  expect(second).toBe(first);
});

it.each([
  ["it was done", null],
  ["it was refused", new Refusal(409, { code: "CONFLICT" })],
  ["it was said that nobody knows", new Refusal(409, { code: "OUTCOME_UNKNOWN" })],
])("pressed again after %s, it is another", (_, error) => {
  const [first, second] = keysAround(error);
  expect(second).not.toBe(first);
});

it("something else is another deed", () => {
  const intention = new Intention();
  const first = intention.keyOf(RETRY);
  expect(intention.keyOf({ ...RETRY, body: { force: true } })).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
});
