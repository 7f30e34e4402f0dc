// Builds the dashboard, unless what was built is newer than all it is made of.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const made = join(root, "dist/dashboard/index.html");
/** Its own sources, and what it reads of the server's. */
const sources = ["dashboard", "src/server/filter", "package-lock.json"];

function newest(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (!existsSync(made) || sources.some((source) => newest(join(root, source)) > statSync(made).mtimeMs))
  await build({ root: join(root, "dashboard"), logLevel: "warn" });
