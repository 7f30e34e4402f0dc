import { expect, it } from "vitest";
import { LineBudget } from "./line-budget.ts";

it("lets twenty lines a second through, and tells later how many it did not", () => {
  let now = 0;
  const budget = new LineBudget(() => now);
  const take = (count: number) => Array.from({ length: count }, () => budget.take());
  expect(take(25)).toEqual([...Array(20).fill(0), ...Array(5).fill(undefined)]);
  now = 999;
  expect(take(1)).toEqual([undefined]);
  now = 1_000;
  expect(take(2)).toEqual([6, 0]);
});
