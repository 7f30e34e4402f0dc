// Briefly what `node test/server/feed-load-cli.ts` does at length.

import { expect, it } from "vitest";
import { killFeed, loadFeed } from "./feed-load.ts";

it("many listeners that come and go all have everything, soon", async () => {
  const report = await loadFeed({ clients: 60, rate: 50, seconds: 5 });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ listeners: 60, complete: 60 });
  expect(report.events).toBeGreaterThanOrEqual(250);
  expect(report.p50).toBeLessThan(1_000);
});

it("a server that is killed loses nothing, and nobody who comes back misses anything", async () => {
  const report = await killFeed({ clients: 20, items: 50 });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ completed: 50, listeners: 20, complete: 20 });
  expect(report.connects).toBeGreaterThanOrEqual(40);
});
