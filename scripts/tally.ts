// Counting, kept apart from running, so that it can be tested.

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export const none: Tally = { passed: 0, failed: 0 };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** The last line of every run. Machines read it: its form is fixed. */
export function lastLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed`;
}

/** The part of Vitest's JSON report that is counted. */
interface VitestReport {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Everything that did not pass counts as failed, skipped tests too: a test that a failing hook kept from running has
 * proved nothing. A file that broke before its first test, and a run that failed outside every test, count as one each.
 */
export function tallyOfVitest(report: VitestReport | undefined, exitCode: number): Tally {
  const files = (report?.testResults ?? []).map(({ status, assertionResults }): Tally => {
    const passed = assertionResults.filter((assertion) => assertion.status === "passed").length;
    const failed = assertionResults.length - passed;
    return { passed, failed: failed === 0 && status !== "passed" ? 1 : failed };
  });
  const total = files.reduce(add, none);
  const isSilentFailure = total.failed === 0 && (exitCode !== 0 || total.passed === 0);
  return isSilentFailure ? { ...total, failed: 1 } : total;
}
