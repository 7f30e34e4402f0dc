// What others cost that wait: the same number of items is worked off while few or many are queued, while a million is not
// due, while a million waits for a service that is down, and while nothing that was claimed can be cleaned up.

import pg from "pg";
import type { Place } from "../contender.ts";
import { loadContender } from "../contenders/catalogue.ts";
import { surround } from "../contenders/sluice-surroundings.ts";
import { type Meter, startMeter } from "../meter.ts";
import { INSERT } from "../payload.ts";
import { inPlace } from "../place.ts";
import type { Assignment, Entrant, Sample, Workload } from "../workload.ts";

/** So many are measured, of however many there are. */
const MEASURED = 5_000;
/** Before that: compiled code and warm connections are what a worker has that has run for a minute. */
const WARM_UP = 2_000;
const K = 1_000;
const M = 1_000_000;

export const backlog: Workload = {
  title: "Among a backlog",
  about:
    `${MEASURED} items of one stage are worked off among others: behind as many as are queued, after a million of better ` +
    "priority that are not due for a month, beside a million of better priority whose service is down, and after 200,000 that " +
    "were worked off under a snapshot that keeps vacuum from cleaning up. Tables are vacuumed and analyzed before, as a server " +
    "does that has had them for a while.",
  limit: "sluice, 10 k queued",
  columns: [
    { figure: "rate", title: "items/s", digits: 0, isCompared: true },
    { figure: "cpu", title: "CPU µs/item", digits: 0, isCompared: true },
    { figure: "clientCpu", title: "of it client", digits: 0 },
  ],
  rounds: (isQuick) => (isQuick ? 1 : 3),
  entrants(isQuick) {
    const many = isQuick ? 50 * K : M;
    return [
      ...queuedOf("sluice", 10 * K, 100 * K, many),
      { ...sluice(`${inWords(many)} not due`), among: { queued: 10 * K, deferred: many } },
      { ...sluice(`${inWords(many)} held`), among: { queued: 10 * K, held: many } },
      { ...sluice("an old snapshot"), among: { queued: many / 5 + 10 * K, underSnapshot: many / 5 } },
      ...queuedOf("pg-boss", 10 * K, many).map((one): Entrant => ({ ...one, everyNth: 3 })),
      ...queuedOf("graphile-worker", 10 * K, many).map((one): Entrant => ({ ...one, everyNth: 3 })),
    ];
  },
  measure: (assignment) => inPlace(assignment.servers, (place, admin) => measureAmong(assignment, place, admin)),
};

function sluice(what: string): Entrant {
  return { label: `sluice, ${what}`, contender: "sluice", items: MEASURED, perRequest: INSERT };
}

function queuedOf(contender: Entrant["contender"], ...counts: number[]): Entrant[] {
  return counts.map((queued) => ({
    label: `${contender}, ${inWords(queued)} queued`,
    contender,
    items: MEASURED,
    perRequest: INSERT,
    among: { queued },
  }));
}

const inWords = (count: number): string => (count < M ? `${count / K} k` : `${count / M} M`);

async function measureAmong({ entrant, servers }: Assignment, place: Place, admin: pg.Client): Promise<Sample> {
  const { items, perRequest = 1, among = { queued: items } } = entrant;
  const contender = await loadContender(entrant.contender);
  const skipped = among.underSnapshot ?? WARM_UP;
  let seen = 0;
  let meter: Meter | undefined;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const visit = (): void => {
    seen += 1;
    if (seen === skipped + 1) meter?.restart();
    if (seen === skipped + items) finish();
  };
  const task = { stages: 1, perRequest, tuned: "throughput", visit } as const;
  const opened = await contender.open(place, task);
  if (among.deferred !== undefined || among.held !== undefined) await surround(place, task, among);
  await opened.submit(0, among.queued);
  const settled = new pg.Client(place.postgres);
  await settled.connect();
  await settled.query("vacuum analyze");
  await admin.query("checkpoint");
  // Whatever is claimed from now on stays visible to this one.
  if (among.underSnapshot !== undefined)
    await settled.query("begin isolation level repeatable read; select 1 from pg_class limit 1");
  meter = await startMeter(contender.store, servers, admin);
  await opened.work();
  await finished;
  const cost = await meter.stop();
  await settled.end();
  await opened.close();
  const cpu = (cost.clientCpu + cost.serverCpu) / items;
  return { rate: items / cost.seconds, cpu, clientCpu: cost.clientCpu / items };
}
