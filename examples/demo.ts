// `npm run demo`: twelve films through four stages on the embedded database, with bars. Exits 0 when all are delivered.

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSluice } from "sluice";
import { films } from "./pipelines.ts";

const TITLES = [
  "Metropolis",
  "Nosferatu",
  "The General",
  "Sherlock Jr",
  "Safety Last",
  "The Kid",
  "Faust",
  "Sunrise",
  "Wings",
  "The Gold Rush",
  "Modern Times",
  "City Lights",
];
const folder = process.env.SLUICE_DEMO_FOLDER ?? path.join(tmpdir(), `sluice-demo-${process.pid}`);
const isTerminal = process.stdout.isTTY === true;

console.log(`Sluice demo: ${TITLES.length} films through ${films.stages.map((stage) => stage.name).join(" → ")}`);
const started = performance.now();
const sluice = await openSluice({
  pipelines: [films],
  database: folder,
  log: { info: (_, facts) => console.log(`  ${facts?.line ?? ""}`), warn() {}, error: console.error },
});
console.log(`  PostgreSQL is up in ${folder} (${Math.round(performance.now() - started)} ms)\n`);

const request = await sluice.submit(
  films,
  TITLES.map((title) => ({ title, megabytes: 400 + Math.round(Math.random() * 800) })),
  { key: "demo" },
);
let over = false;
const finished = request.result().then((result) => {
  over = true;
  return result;
});
let drawn = 0;
while (!over) {
  drawn = await draw(drawn);
  await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, isTerminal ? 150 : 1_000))]);
}
await draw(drawn);
const { ok, items } = await finished;
await sluice.close();
if (process.env.SLUICE_DEMO_FOLDER === undefined) rmSync(folder, { recursive: true, force: true });
console.log(
  `\n${items.filter((item) => item.state === "done").length} of ${items.length} delivered in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exit(ok ? 0 : 1);

async function draw(before: number): Promise<number> {
  const lines = await Promise.all(
    request.items.map(async (id, index) => {
      const item = await sluice.item(id);
      const percent = Math.round(item?.progress ?? 0);
      const bar = "█".repeat(Math.round(percent / 5)).padEnd(20, "░");
      return `  ${(TITLES[index] ?? "").padEnd(14)} ${bar} ${String(percent).padStart(3)} %  ${item?.state ?? ""} ${item?.stage ?? ""}`;
    }),
  );
  if (isTerminal && before > 0) process.stdout.write(`\x1b[${before}A`);
  if (isTerminal) for (const line of lines) process.stdout.write(`\x1b[2K${line}\n`);
  else console.log(`  ${lines.filter((line) => line.includes("done")).length}/${lines.length} delivered`);
  return lines.length;
}
