// The largest search: a hundred thousand states and more, so it belongs to the slower half of the tests.

import { expect, test } from "vitest";
import { explore } from "./search.ts";

test("every invariant holds in every state of 2 items, 2 workers, 2 stages, 1 trouble", () => {
  const found = explore({ items: 2, workers: 2, troubles: 1, begins: false });
  console.log(`${found.states} states, ${found.transitions} transitions`);
  expect(found.broken).toBeNull();
  // A slip in the rules that lets nothing happen would break no invariant either.
  expect(found.states).toBeGreaterThan(100_000);
});
