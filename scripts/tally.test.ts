import { describe, expect, it } from "vitest";
import { add, lastLine, tallyOfVitest } from "./tally.ts";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("the tally of a run", () => {
  it("ends in one plain line", () => {
    expect(lastLine(add({ passed: 2, failed: 0 }, { passed: 1, failed: 3 }))).toBe("3 passed, 3 failed");
  });

  it("adds the tests of all files", () => {
    const report = { testResults: [file("passed", "passed", "passed"), file("failed", "passed", "failed")] };
    expect(tallyOfVitest(report, 1)).toEqual({ passed: 3, failed: 1 });
  });

  it("counts a test that did not run as failed", () => {
    expect(tallyOfVitest({ testResults: [file("passed", "passed", "skipped", "todo")] }, 0)).toEqual({
      passed: 1,
      failed: 2,
    });
  });

  it("counts a file that broke before its first test", () => {
    expect(tallyOfVitest({ testResults: [file("failed"), file("passed", "passed")] }, 1)).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  it("counts a failure outside every test", () => {
    expect(tallyOfVitest({ testResults: [file("passed", "passed")] }, 1)).toEqual({ passed: 1, failed: 1 });
  });

  it("never calls a run without a report, or without tests, a success", () => {
    expect(tallyOfVitest(undefined, 0)).toEqual({ passed: 0, failed: 1 });
    expect(tallyOfVitest({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1 });
  });
});
