// Every TypeScript block in README and docs that opens a Sluice is a program, and runs.

import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const pages = [
  "README.md",
  ...readdirSync(path.join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const programs = pages.flatMap((page) => {
  const text = readFileSync(path.join(root, page), "utf8");
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? "");
  return blocks
    .filter((code) => /(openSluice|testSluice)\(/.test(code))
    .map((code, index) => ({ page, index: index + 1, code }));
});

test("the README's example is among them, and short", () => {
  const readme = programs.find((program) => program.page === "README.md");
  expect(readme).toBeDefined();
  expect((readme?.code ?? "").split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(40);
});

test.each(programs)("$page, program $index runs", async ({ page, index, code }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-docs-"));
  // Temporary folders are closed to others, and as root the database would move out of it.
  chmodSync(folder, 0o755);
  // Inside the project, so that "sluice" and "zod" are found; the database goes elsewhere.
  const file = path.join(root, "test/docs", `.${page.replaceAll(/\W/g, "-")}-${index}.ts`);
  writeFileSync(file, code);
  try {
    const run = promisify(execFile);
    const { stdout } = await run("node", ["--conditions=sluice-source", file], {
      cwd: folder,
      timeout: 60_000,
      env: { ...process.env, DATABASE_URL: "" },
    });
    if (page === "README.md") expect(stdout).toBe("true { path: '/films/Metropolis.1927.mkv' }\n");
  } finally {
    rmSync(file, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});
