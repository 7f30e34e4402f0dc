import { describe, expect, it } from "vitest";
import { base } from "../../../test/support/explain-facts.ts";
import { sentences } from "../../../test/support/explain-sentences.ts";
import { OWN_REASONS } from "../items/reasons.ts";
import { explain } from "./explain.ts";

describe("the sentence", () => {
  it("is in this table for every reason of the engine's own", () => {
    const told = new Set(sentences.map(([, , , reason]) => reason));
    expect(OWN_REASONS.filter((reason) => !told.has(reason))).toEqual([]);
  });

  it.each(sentences)("for %s", (_, facts, state, reason, sentence) => {
    expect(explain({ ...base, ...facts }, { timeZone: "Etc/UTC" })).toMatchObject({ state, reason, sentence });
  });
});
