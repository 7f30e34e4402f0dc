import { expect, it } from "vitest";
import { firstOf } from "./replay-ways.ts";

const can = { can: true, reason: null };
const cannot = { can: false, reason: "it was never there" };
const way = (from: string, same: typeof can | typeof cannot, copy: typeof can | typeof cannot) => ({
  ...{ from, same, copy },
  ...{ keeps: [], redoes: [] },
});

it("begins with the first stage that can be replayed in place", () => {
  expect(firstOf([way("a", cannot, can), way("b", can, can)])).toEqual({ from: "b", as: "same" });
});

it("begins with a copy where nothing can be replayed in place", () => {
  expect(firstOf([way("a", cannot, cannot), way("b", cannot, can)])).toEqual({ from: "b", as: "copy" });
});

it("begins with the first stage where nothing can be done, so that its reason shows", () => {
  expect(firstOf([way("a", cannot, cannot)])).toEqual({ from: "a", as: "same" });
});
