// The command of a clone, where nothing is built, and of the package, where nothing else is there.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const manifest: { version: string; bin: { sluice: string } } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const work = mkdtempSync(join(tmpdir(), "sluice-command-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

function sluice(folder: string, ...args: string[]) {
  const command = join(folder, manifest.bin.sluice);
  const { status, stdout } = spawnSync(process.execPath, [command, ...args], { encoding: "utf8", timeout: 60_000 });
  return { status, said: stdout.trim() };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), text);
}

it("is there in a clone without a build", () => {
  expect(sluice(root, "--version")).toEqual({ status: 0, said: manifest.version });
});

it("is the source where there is one, ends as that ends, and else is what was built", () => {
  cpSync(join(root, manifest.bin.sluice), join(work, manifest.bin.sluice));
  write("package.json", `{ "type": "module" }`);
  write("dist/main/cli.js", `console.log("built", ...process.argv.slice(2));`);
  expect(sluice(work, "ls", "state:failed")).toEqual({ status: 0, said: "built ls state:failed" });
  write("src/main/cli.ts", `const code: number = 7;\nconsole.log("source");\nprocess.exitCode = code;`);
  expect(sluice(work, "ls")).toEqual({ status: 7, said: "source" });
  write("src/main/cli.ts", `process.kill(process.pid, "SIGTERM");\nsetInterval(() => {}, 1_000);`);
  expect(sluice(work, "ls").status).toBe(143);
});
