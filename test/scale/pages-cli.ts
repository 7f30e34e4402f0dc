// node test/scale/pages-cli.ts [--rows 1000000]: how long a browser takes to show the first rows of the large pages among so many
// items, and what the requests behind them take.

import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openSluice } from "../../src/engine/index.ts";
import { tally } from "../../src/engine/workers/tally.ts";
import { systemRandom } from "../../src/kit/index.ts";
import { openBrowser, signedIn } from "../dashboard/browser.ts";
import { makeFirstAccount, servePages } from "../dashboard/shop.ts";
import { startBigServer } from "./database.ts";
import { fillLists } from "./lists.ts";

const MOST_MS = 1_000;
const TIMES = 5;
const PERSON = { name: "ada", password: `of this run: ${systemRandom.token()}` };
const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });

interface Visit {
  readonly name: string;
  readonly path: string;
  /** There is something to read. */
  shown(page: Page): Promise<void>;
}

const rows = (page: Page) => page.getByRole("row").nth(1).waitFor();
const work = (filter: string): Visit => ({
  name: `work ${filter === "" ? "without a filter" : filter}`,
  path: `/work?filter=${encodeURIComponent(filter)}`,
  shown: rows,
});
const VISITS: readonly Visit[] = [
  { name: "overview", path: "/", shown: (page) => page.getByRole("link", { name: "big" }).first().waitFor() },
  ...["", "state:failed", "state:waiting", "title:film", "state:failed error:GW_TIMEOUT"].map(work),
  { name: "pipelines", path: "/pipelines", shown: (page) => page.getByText("big").first().waitFor() },
  { name: "workers", path: "/workers", shown: (page) => page.getByText("big").first().waitFor() },
];

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
const line = (ms: number, what: string) => process.stdout.write(`${ms.toFixed(0).padStart(7)} ms  ${what}\n`);

const server = await startBigServer();
const browser = await openBrowser();
try {
  const big = await fillLists(server, "many", Number(values.rows));
  while ((await tally(big.db, { sized: [], sizeOf: () => 0 })) > 0);
  await big.client.query("vacuum analyze");
  const sluice = await openSluice({ pipelines: [], database: server.url("many"), worker: false, allowDataLoss: true });
  const served = await servePages(sluice);
  await makeFirstAccount(served, PERSON);
  const context = await signedIn(browser, served.url, PERSON);
  const asked = new Map<string, number[]>();
  let worst = 0;
  for (const visit of VISITS) {
    const took: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      // Nobody works here; for those who look on they are alive as long as they beat.
      await big.client.query("update sluice.worker set beat = beat + 1, seen_at = sluice.now()");
      const page = await context.newPage();
      page.on("requestfinished", (request) => {
        const { pathname, search } = new URL(request.url());
        if (!pathname.startsWith("/api/v1/") || pathname === "/api/v1/events") return;
        const key = `${pathname}${search}`;
        asked.set(key, [...(asked.get(key) ?? []), request.timing().responseEnd]);
      });
      const began = performance.now();
      await page.goto(served.url + visit.path);
      await visit.shown(page);
      took.push(performance.now() - began);
      // What is asked for below the first rows counts among the requests.
      await setTimeout(1_000);
      await page.close();
    }
    worst = Math.max(worst, median(took));
    line(median(took), `${visit.name} (at most ${Math.max(...took).toFixed(0)})`);
  }
  process.stdout.write("requests behind them:\n");
  for (const [path, took] of [...asked].sort((a, b) => median(b[1]) - median(a[1])).slice(0, 15))
    line(median(took), path);
  process.stdout.write(`${VISITS.length} pages among ${values.rows} items: first rows within ${worst.toFixed(0)} ms\n`);
  process.exitCode = worst <= MOST_MS ? 0 : 1;
  await served.close();
  await sluice.close();
  await big.close();
} catch (error) {
  // Told before the server goes, and everything that hangs on it complains.
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
}
