// node test/server/feed-load-cli.ts [--clients 500] [--rate 50] [--seconds 30]: how late events are for many listeners, some of
// which are always coming back. With --kill 200: that many items run when the server is killed, and everybody has to come back.

import { parseArgs } from "node:util";
import { killFeed, loadFeed, type Report } from "./feed-load.ts";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "500" },
    rate: { type: "string", default: "50" },
    seconds: { type: "string", default: "30" },
    kill: { type: "string" },
  },
});
const LATE_MS = 1_000;

const isRight = values.kill === undefined ? await load() : await kill(Number(values.kill));
process.exitCode = isRight ? 0 : 1;

async function load(): Promise<boolean> {
  const [clients, rate, seconds] = [Number(values.clients), Number(values.rate), Number(values.seconds)];
  const report = await loadFeed({ clients, rate, seconds });
  tell(`${rate} transitions a second for ${seconds} s`, report);
  return isComplete(report) && report.p99 <= LATE_MS;
}

async function kill(items: number): Promise<boolean> {
  const report = await killFeed({ clients: Number(values.clients), items });
  tell(`killed with ${items} items running, ${report.completed} of them completed`, report);
  return isComplete(report) && report.completed === items;
}

function isComplete({ complete, listeners }: Report): boolean {
  return complete === listeners;
}

function tell(what: string, report: Report): void {
  const { listeners, complete, events, received, connects, p50, p99, slowest, problems } = report;
  process.stdout.write(
    `${what}: ${complete} of ${listeners} listeners have all of ${events} events in order (${received} received over ${connects} ` +
      `connections); from transaction to listener p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms\n`,
  );
  for (const problem of problems) process.stdout.write(`${problem}\n`);
}
