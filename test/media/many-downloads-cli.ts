// node test/media/many-downloads-cli.ts [--scripted 10000] [--real 300] [--rounds 20]: what a round costs while nothing moves.

import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type RoundCost, tooDear } from "./many-downloads.ts";
import { LOOK, manyOnFake, manyOnQbittorrent } from "./many-worlds.ts";

const { values } = parseArgs({
  options: {
    scripted: { type: "string", default: "10000" },
    real: { type: "string", default: "300" },
    rounds: { type: "string", default: "20" },
  },
});

function tell(where: string, cost: RoundCost, look: string): void {
  const problems = tooDear(cost, look);
  const calls = Object.entries(cost.calls).map(([name, times]) => `${times} × ${name}`);
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(
    `${cost.downloads} downloads on ${where}: ${cost.rounds} rounds in ${cost.seconds} s, ${calls.join(", ")}, ` +
      `${cost.rowsWritten} rows of items written; a round is ${cost.lookMs} ms of looking, ${cost.cpuMs} ms of CPU, ` +
      `${cost.walBytes} bytes of WAL (load ${load})\n`,
  );
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

const rounds = Number(values.rounds);
tell("qBittorrent", await manyOnQbittorrent(Number(values.real), rounds), LOOK.qbittorrent);
tell("a scripted client", await manyOnFake(Number(values.scripted), rounds), LOOK.fake);
