import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { base, ended } from "../../../test/support/explain-facts.ts";
import { checkReason } from "../items/outcome-checks.ts";
import { explain } from "./explain.ts";
import { FAILURES, failureWords } from "./failures.ts";

const engine = path.resolve(import.meta.dirname, "..");
const sources = readdirSync(engine, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|^testing\/|^db\//.test(file))
  .map((file) => readFileSync(path.join(engine, file), "utf8"));
const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""))),
];

describe("a failure", () => {
  it("has a sentence for every code that the engine gives", () => {
    const codes = [
      ...found(/\b(?:permanent|transient|unavailable)\(\s*"([A-Z_]+)"/g),
      ...found(/\bfail\(standing, "([A-Z_]+)"/g),
      ...found(/new Fault\("[a-z]+", "([A-Z_]+)"/g),
      ...found(/^(?:export )?const [A-Z_]+ = "((?!SLUICE)[A-Z_]+)";$/gm),
      ...found(/code = "([A-Z_]+)"/g),
    ];
    expect(codes).toContain("CRASH_LOOP");
    expect(codes).toContain("PARTS_FAILED");
    expect(codes.filter((code) => failureWords(code) === undefined)).toEqual([]);
  });

  it.each(Object.keys(FAILURES))("%s says what happened, what was tried and what one can do", (code) => {
    const facts = { ...base, ...ended("failed", { code, message: "and so on.", attempt: 3 }) };
    const { sentence, actions } = explain(facts, { timeZone: "Etc/UTC" });
    expect(sentence).toMatch(
      /^Failed in encode at 11:20: [a-z].* \([A-Z_]+: and so on\)\. 3 of 5 attempts used\. [A-Z].*\.$/,
    );
    expect(actions).toEqual(["retry"]);
  });

  it.each([
    [
      { code: "ODD", message: null, attempt: null },
      "Failed in encode at 11:20: ODD. Retry it once the cause is mended.",
    ],
    [{ code: null, message: null, attempt: null }, "Failed in encode at 11:20. Retry it once the cause is mended."],
    [
      { code: "constructor", message: "x", attempt: 1 },
      "Failed in encode at 11:20: constructor, x. 1 of 5 attempts used. Retry it once the cause is mended.",
    ],
  ])("of a stage's own speaks for itself", (end, sentence) => {
    expect(explain({ ...base, ...ended("failed", end) }, { timeZone: "Etc/UTC" }).sentence).toBe(sentence);
  });
});

describe("the engine's own stages", () => {
  it("wait with words that a stage may use", () => {
    const words = found(/return wait\("([a-z_]+)"/g);
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) expect(checkReason(word)).toBe(word);
  });
});
