// The sources and the benchmark as plain JavaScript, as what is installed from a package is: Node takes the types out of
// TypeScript with a compiler that stays in memory, and whoever has more sources would pay more for it.

import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.join(import.meta.dirname, "..");
const LIMIT_MS = 120_000;

/** Where `bench/worker.js` lies then, in an empty folder. */
export async function build(folder: string): Promise<string> {
  const config = {
    extends: path.join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      rootDir: ROOT,
      outDir: folder,
      sourceMap: false,
    },
    files: [path.join(ROOT, "bench/worker.ts")],
    include: [path.join(ROOT, "src/engine/workers/os/*.ts")],
  };
  const project = path.join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify(config));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "--project", project], { timeout: LIMIT_MS });
  return path.join(folder, "bench/worker.js");
}
