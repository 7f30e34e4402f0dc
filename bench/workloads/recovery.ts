// kill -9 of a worker that holds fifty items, at default settings: how long until all of them are in a handler again.

import { mkdtempSync } from "node:fs";
import path from "node:path";
import { build } from "../built.ts";
import type { Place } from "../contender.ts";
import { type ContenderName, loadContender } from "../contenders/catalogue.ts";
import { now } from "../payload.ts";
import { inPlace } from "../place.ts";
import { readVisits, startWorker, untilVisited } from "../workers.ts";
import type { Sample, Workload } from "../workload.ts";

const HELD = 50;
/** For all items to come back. One peer needs fifteen minutes and others hours; nobody is waited for that long. */
const PATIENCE_MS = 120_000;
/** For the worker that is to be killed to take all items. */
const TAKE_MS = 60_000;

export function recovery(isAnotherUp: boolean): Workload {
  const label = isAnotherUp ? "another worker is up" : "restarted at once";
  return {
    title: `kill -9 of a worker that holds ${HELD} items, ${label}`,
    about:
      `A worker holds ${HELD} items in handlers and is killed; ${label}. Seconds from the kill until the handlers of ` +
      "the first and of all items were entered again, at default settings, as built JavaScript. A dash: not within two minutes.",
    limit: "sluice",
    columns: [
      { figure: "first", title: "first s", digits: 1 },
      { figure: "all", title: "all s", digits: 1 },
      { figure: "back", title: "came back", digits: 0 },
    ],
    rounds: () => 3,
    entrants: () => [
      { label: "sluice", contender: "sluice", items: HELD },
      { label: "bullmq on redis", contender: "bullmq on redis", items: HELD, everyNth: 3 },
      { label: "pg-boss", contender: "pg-boss", items: HELD, everyNth: 3 },
      { label: "graphile-worker", contender: "graphile-worker", items: HELD, everyNth: 3 },
      { label: "dbos", contender: "dbos", items: HELD, everyNth: 3 },
    ],
    measure: ({ entrant: { contender }, servers }) =>
      inPlace(servers, (place) => measureRecovery(place, contender, isAnotherUp)),
  };
}

async function measureRecovery(place: Place, contender: ContenderName, isAnotherUp: boolean): Promise<Sample> {
  const opened = await (await loadContender(contender)).open(place, {
    stages: 1,
    perRequest: HELD,
    tuned: "holding",
    visit: () => {},
  });
  const visits = { before: path.join(place.folder, "before"), after: path.join(place.folder, "after") };
  const common = { contender, place, tuned: "holding", handler: "hold" } as const;
  const program = await build(mkdtempSync(path.join(place.folder, "built-")));
  const first = await startWorker({ ...common, visits: visits.before }, program);
  await opened.submit(0, HELD);
  await untilVisited(visits.before, (list) => distinct(list) === HELD, TAKE_MS);
  const other = isAnotherUp ? await startWorker({ ...common, visits: visits.after }, program) : undefined;
  const killedAt = now();
  await first.kill();
  const second = other ?? (await startWorker({ ...common, visits: visits.after }, program));
  const back = await untilVisited(visits.after, (list) => distinct(list) === HELD, PATIENCE_MS).then(
    () => readVisits(visits.after),
    // Too late is a figure too.
    () => readVisits(visits.after),
  );
  await second.kill();
  await opened.close();
  const times = [...new Map(back.toReversed().map((one) => [one.index, one.at])).values()].toSorted((a, b) => a - b);
  const after = (at: number | undefined): number => ((at ?? Number.NaN) - killedAt) / 1000;
  return {
    back: times.length,
    ...(times.length > 0 ? { first: after(times[0]) } : {}),
    ...(times.length === HELD ? { all: after(times.at(-1)) } : {}),
  };
}

const distinct = (visits: readonly { readonly index: number }[]): number =>
  new Set(visits.map((one) => one.index)).size;
