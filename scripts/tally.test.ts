import { describe, expect, it } from "vitest";
import { add, lastLine, none, tallyOfVitest } from "./tally.ts";

const file = (status: string, ...tests: string[]) => ({
  name: "/anywhere/test/media/film.test.ts",
  status,
  message: "the hook broke",
  assertionResults: tests.map((test) => ({
    status: test,
    fullName: `a film is ${test}`,
    failureMessages: ["it is not"],
  })),
});
const counted = (...asked: Parameters<typeof tallyOfVitest>) => {
  const { passed, failed } = tallyOfVitest(...asked);
  return { passed, failed };
};

describe("the tally of a run", () => {
  it("ends in one plain line", () => {
    expect(lastLine(add({ ...none, passed: 2 }, { ...none, passed: 1, failed: 3 }))).toBe("3 passed, 3 failed");
  });

  it("adds the tests of all files", () => {
    const report = { testResults: [file("passed", "passed", "passed"), file("failed", "passed", "failed")] };
    expect(counted(report, 1)).toEqual({ passed: 3, failed: 1 });
  });

  it("counts a test that did not run as failed", () => {
    expect(counted({ testResults: [file("passed", "passed", "skipped", "todo")] }, 0)).toEqual({
      passed: 1,
      failed: 2,
    });
  });

  it("counts a file that broke before its first test", () => {
    expect(counted({ testResults: [file("failed"), file("passed", "passed")] }, 1)).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  it("counts a failure outside every test", () => {
    expect(counted({ testResults: [file("passed", "passed")] }, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it("never calls a run without a report, or without tests, a success", () => {
    expect(counted(undefined, 0)).toEqual({ passed: 0, failed: 1 });
    expect(counted({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1 });
  });

  it("says what failed, and why", () => {
    const { wrong } = tallyOfVitest(
      { testResults: [file("failed", "failed", "passed"), file("failed", "skipped")] },
      1,
    );
    expect(wrong).toEqual([
      "test/media/film.test.ts: a film is failed\nit is not",
      "test/media/film.test.ts: 1 did not run\nthe hook broke",
    ]);
  });

  it("says which file broke before its first test, and that something failed outside", () => {
    expect(tallyOfVitest({ testResults: [file("failed")] }, 1).wrong).toEqual([
      "test/media/film.test.ts broke before its first test\nthe hook broke",
    ]);
    expect(tallyOfVitest(undefined, 1).wrong).toEqual(["a failure outside every test"]);
  });
});
