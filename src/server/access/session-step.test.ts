import { expect, it } from "vitest";
import { OVERLAP_MS, RENEW_MS, tokenStep } from "./session-step.ts";

it.each([
  ["a young token stays", { isNewest: true, hasUnretired: false, age: RENEW_MS }, "none"],
  ["an old one is renewed", { isNewest: true, hasUnretired: false, age: RENEW_MS + 1 }, "renew"],
  ["the first use of a new one retires the last", { isNewest: true, hasUnretired: true, age: 1 }, "retire"],
  ["one that was just renewed is let in as it is", { isNewest: false, hasUnretired: true, age: OVERLAP_MS }, "none"],
  [
    "a successor that never arrived is made anew",
    { isNewest: false, hasUnretired: true, age: OVERLAP_MS + 1 },
    "renew",
  ],
  ["a retired one gets nothing new", { isNewest: false, hasUnretired: false, age: OVERLAP_MS + 1 }, "none"],
] as const)("%s", (_, facts, step) => {
  expect(tokenStep(facts)).toBe(step);
});
