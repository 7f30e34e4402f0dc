// Where guards are looked for.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Guard, guardsIn } from "./guards.ts";

export const root = path.join(import.meta.dirname, "../..");

// Reads for people decide nothing; the embedded server and the testing kit are not the engine's way of moving work.
const elsewhere =
  /^src\/engine\/(read|explain|testing|db\/embedded)\/|\/(server-check|backend-pid|history|partition)\.sql\.ts$/;

export function findGuards(): Guard[] {
  const files = readdirSync(path.join(root, "src/engine"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/engine/${file}`)
    .filter((file) => (file.endsWith(".sql.ts") || file === "src/engine/db/migrate.ts") && !elsewhere.test(file))
    .sort();
  return files.flatMap((file) => guardsIn(file, readFileSync(path.join(root, file), "utf8")));
}
