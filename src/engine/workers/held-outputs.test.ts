import { expect, it } from "vitest";
import { HeldOutputs } from "./held-outputs.ts";

it("reads what was stored as it was stored, once", () => {
  const outputs = new HeldOutputs();
  outputs.setStored("search", '{"found":[1]}');
  const [first] = outputs.values();
  expect(first).toEqual({ found: [1] });
  expect(outputs.values()[0]).toBe(first);
});

it("does not read what nobody asks for", () => {
  const outputs = new HeldOutputs();
  outputs.setStored("search", "no JSON");
  outputs.set("search", 7);
  expect([...outputs.entries()]).toEqual([["search", 7]]);
});

it("keeps the order in which stages handed on, one output for each", () => {
  const outputs = HeldOutputs.from([
    ["a", 1],
    ["b", 2],
  ]);
  outputs.set("c", undefined);
  outputs.setStored("a", "3");
  outputs.delete("b");
  outputs.delete("nowhere");
  expect([...outputs.entries()]).toEqual([
    ["a", 3],
    ["c", undefined],
  ]);
});
