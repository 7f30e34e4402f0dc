// `npm run bench`: the engine beside hand-written SQL, interleaved in one run on one throw-away server, as ratios. Figures
// of different runs or machines say nothing about each other; ratios of one run do.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../test/support/server.ts";
import { contenders, judged, limit } from "./contenders.ts";
import { type Figures, median, medianRatio } from "./figures.ts";

const SLOWEST = 0.6;
const MOST_WAL = 1.35;

const { values } = parseArgs({
  options: { items: { type: "string", default: "20000" }, rounds: { type: "string", default: "7" } },
});
const rounds = Number(values.rounds);
// Durability is stock; only sizes are set, so that no checkpoint falls into a run.
const server = await startServer({
  shared_buffers: "1GB",
  max_wal_size: "16GB",
  min_wal_size: "2GB",
  checkpoint_timeout: "60min",
});
const figures = new Map<string, Figures[]>(contenders.map((one) => [one.name, []]));
for (let round = 0; round < rounds; round += 1) {
  // Every other round backwards, so that nobody always runs on a warm or a tired machine.
  for (const { name } of round % 2 === 0 ? contenders : [...contenders].reverse()) {
    const one = measure(name);
    figures.get(name)?.push(one);
    console.log(`${name.padEnd(34)}${Math.round(one.rate)} items/s`);
  }
}
await server.stop();

console.log(`\n${values.items} items through 4 stages; medians of ${rounds} rounds, ratios to ${limit.name}`);
let isBelow = false;
for (const { name } of contenders) {
  const own = figures.get(name) ?? [];
  const raw = figures.get(limit.name) ?? [];
  const speed = medianRatio(own, raw, (one) => one.rate);
  const wal = medianRatio(own, raw, (one) => one.wal);
  if (judged.some((one) => one.name === name) && (speed < SLOWEST || wal > MOST_WAL)) isBelow = true;
  const rates = own.map((one) => one.rate);
  console.log(
    [
      name.padEnd(34),
      `${Math.round(median(rates))} items/s (${Math.round(Math.min(...rates))}–${Math.round(Math.max(...rates))})`.padEnd(
        30,
      ),
      `${speed.toFixed(2)} × speed, ${wal.toFixed(2)} × WAL, ${median(own.map((one) => one.clientCpu)).toFixed(1)} µs client CPU`,
    ].join(""),
  );
}
console.log(`${isBelow ? "below" : "at or above"} the bar of ${SLOWEST.toFixed(2)} × speed and ${MOST_WAL} × WAL`);
process.exitCode = isBelow ? 1 : 0;

function measure(name: string): Figures {
  const program = path.join(import.meta.dirname, "measure.ts");
  const output = execFileSync(process.execPath, [program, name, server.url(), values.items], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output) as Figures;
}
