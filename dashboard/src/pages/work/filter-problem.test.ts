import { expect, it } from "vitest";
import { mended, mendings, problemOf } from "./filter-problem.ts";

function repaired(text: string): string[] {
  const problem = problemOf(text);
  return problem === undefined ? [] : mendings(problem).map((one) => mended(text, problem, one));
}

it("a field that is none is taken for one that is, and the rest stays", () => {
  expect(repaired("pipeline:films -stat:failed age:>1h")[0]).toBe("pipeline:films -state:failed age:>1h");
});

it("a value that is none is taken for one that is", () => {
  expect(repaired("state:faild owner:ann")).toEqual(["state:failed owner:ann"]);
});

it("where a whole word would do, it takes the word's place", () => {
  expect(repaired("attempt:many state:failed")).toEqual(["attempt:>2 state:failed"]);
});

it("what can be read is left alone", () => {
  expect(repaired("state:failed itm_1")).toEqual([]);
});
