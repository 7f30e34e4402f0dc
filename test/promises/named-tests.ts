// Runs tests by their names, and tells which of them did not pass.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";
import type { NamedTest } from "./facts.ts";

const root = join(import.meta.dirname, "../..");
const LIMIT_MS = 900_000;

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
export type Report = z.infer<typeof report>;

export async function runTests(tests: readonly NamedTest[]): Promise<readonly NamedTest[]> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-promises-"));
  const file = join(folder, "report.json");
  try {
    const files = [...new Set(tests.map((test) => test.file))];
    const names = tests.map(({ title }) => title.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
    const args = ["run", ...files, "-t", names, "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
    const vitest = spawn("vitest", args, {
      ...{ cwd: root, stdio: "inherit", timeout: LIMIT_MS },
      env: { ...process.env, PATH: [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter) },
    });
    await once(vitest, "exit");
    return notPassed(tests, report.parse(JSON.parse(readFileSync(file, "utf8"))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One that is not there has not passed; of one that is there several times, none may fail. */
export function notPassed(tests: readonly NamedTest[], { testResults }: Report): readonly NamedTest[] {
  return tests.filter(({ file, title }) => {
    const ran = testResults
      .filter(({ name }) => name.endsWith(`/${file}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName }) => fullName.includes(title));
    return ran.length === 0 || ran.some(({ status }) => status !== "passed");
  });
}
