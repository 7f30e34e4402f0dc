// Counting, kept apart from running, so that it can be tested.

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What failed, and why: said again at the end, for what it said itself is thousands of lines further up. */
  readonly wrong: readonly string[];
}

export const none: Tally = { passed: 0, failed: 0, wrong: [] };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, wrong: [...a.wrong, ...b.wrong] };
}

/** The last line of every run. Machines read it: its form is fixed. */
export function lastLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed`;
}

/** The part of Vitest's JSON report that is counted. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Of a file that broke outside its tests. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

const SAID_OF_EACH = 600;

/**
 * Everything that did not pass counts as failed, skipped tests too: a test that a failing hook kept from running has
 * proved nothing. A file that broke before its first test, and a run that failed outside every test, count as one each.
 */
export function tallyOfVitest(report: VitestReport | undefined, exitCode: number): Tally {
  const files = (report?.testResults ?? []).map((file): Tally => {
    const { status, assertionResults } = file;
    const passed = assertionResults.filter((assertion) => assertion.status === "passed").length;
    const failed = assertionResults.length - passed;
    const isBroken = failed === 0 && status !== "passed";
    return { passed, failed: isBroken ? 1 : failed, wrong: wrongOf(file) };
  });
  const total = files.reduce(add, none);
  const isSilentFailure = total.failed === 0 && (exitCode !== 0 || total.passed === 0);
  return isSilentFailure ? { ...total, failed: 1, wrong: ["a failure outside every test"] } : total;
}

function wrongOf({ name, status, message, assertionResults }: VitestReport["testResults"][number]): readonly string[] {
  const file = name.replace(/^.*?\/(?=(?:test|src|scripts|bench|sandbox|dashboard)\/)/, "");
  const failed = assertionResults.filter((one) => one.status === "failed");
  const skipped = assertionResults.filter((one) => one.status !== "failed" && one.status !== "passed").length;
  const said = (why: string | undefined) => (why ?? "").trim().slice(0, SAID_OF_EACH);
  return [
    ...failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${said(failureMessages?.[0])}`),
    ...(skipped > 0 ? [`${file}: ${skipped} did not run\n${said(message)}`] : []),
    ...(failed.length + skipped === 0 && status !== "passed"
      ? [`${file} broke before its first test\n${said(message)}`]
      : []),
  ];
}
