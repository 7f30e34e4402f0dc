// npm run build: src as JavaScript and type declarations in dist, from nothing each time, so that no deleted file ships.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
// The dashboard lies there too, and is made by scripts/dashboard.ts, from nothing as well.
const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== "dashboard") : [];
for (const name of old) rmSync(join(dist, name), { recursive: true, force: true });
const compiler = join(root, "node_modules/typescript/bin/tsc");
const args = [compiler, "--project", "tsconfig.build.json"];
const run = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", timeout: 120_000 });
process.exitCode = run.status ?? 1;
