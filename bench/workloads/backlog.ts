// What others cost that wait: items are claimed one by one and worked off while few or many are queued, while a million is
// not due, while a million waits for a service that is down, and while nothing that was claimed can be cleaned up.

import pg from "pg";
import type { Contender, Opened, Place, Task } from "../contender.ts";
import { loadContender } from "../contenders/catalogue.ts";
import { surround } from "../contenders/sluice-surroundings.ts";
import { type Meter, startMeter } from "../meter.ts";
import { INSERT } from "../payload.ts";
import { inPlace } from "../place.ts";
import type { Servers } from "../servers.ts";
import type { Entrant, Sample, Workload } from "../workload.ts";
import { CLAIMS, measureClaims } from "./claims.ts";

/** So many are measured, of however many there are. */
const MEASURED = 7_000;
/** Before that: the worker has connected, and has seen what there is. More than are claimed one by one. */
const SKIPPED = 1_000;
/** Worked off in a database of its own first, or those with more to do would run on warmer code. */
const WARM_UP = 20_000;
const K = 1_000;
const M = 1_000_000;

export const backlog: Workload = {
  title: "Among a backlog",
  about:
    `${CLAIMS} items are claimed one by one, then ${MEASURED} of one stage worked off, among others: behind as many as are ` +
    "queued, after a million of better priority that are not due for a month, beside a million of better priority whose service " +
    "is down, and after 200,000 that were worked off under a snapshot that keeps vacuum from cleaning up (there the claims come " +
    "last). Tables are vacuumed and analyzed before, and what was handed in is added up for figures, as where it has stood " +
    "for a while. A claim is all that a worker asks with room for one item.",
  limit: "sluice, 10 k queued",
  columns: [
    { figure: "claim", title: "claim p50 ms", digits: 2, isCompared: true },
    { figure: "claim95", title: "p95 ms", digits: 2 },
    { figure: "claimCpu", title: "CPU µs/claim", digits: 0, isCompared: true },
    { figure: "rate", title: "items/s", digits: 0, isCompared: true },
    { figure: "cpu", title: "CPU µs/item", digits: 0, isCompared: true },
    { figure: "clientCpu", title: "of it client", digits: 0 },
  ],
  rounds: (isQuick) => (isQuick ? 1 : 3),
  entrants(isQuick) {
    const many = isQuick ? 50 * K : M;
    const beside = { contender: "sluice beside what waits" } as const;
    return [
      ...queuedOf("sluice", 10 * K, 100 * K, many),
      { ...sluice(`${inWords(many)} not due`), among: { queued: 10 * K, deferred: many } },
      { ...sluice(`${inWords(many)} held`), ...beside, among: { queued: 10 * K, held: many } },
      { ...sluice("an old snapshot"), among: { queued: many / 5 + 10 * K, underSnapshot: many / 5 } },
      ...queuedOf("pg-boss", 10 * K, many).map((one): Entrant => ({ ...one, everyNth: 3 })),
      ...queuedOf("graphile-worker", 10 * K, many).map((one): Entrant => ({ ...one, everyNth: 3 })),
    ];
  },
  async measure({ entrant, servers }) {
    const contender = await loadContender(entrant.contender);
    const drain = (one: Entrant) =>
      inPlace(servers, (place, admin) => measureAmong(contender, one, { servers, place, admin }));
    await drain({ ...entrant, items: WARM_UP, among: { queued: WARM_UP + 2 * SKIPPED } });
    return await drain(entrant);
  },
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

interface Surroundings {
  readonly servers: Servers;
  readonly place: Place;
  readonly admin: pg.Client;
}

async function measureAmong(contender: Contender, entrant: Entrant, around: Surroundings): Promise<Sample> {
  const { items, perRequest = 1, among = { queued: items } } = entrant;
  const { servers, place, admin } = around;
  const skipped = among.underSnapshot ?? SKIPPED;
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
  const task: Task = { stages: 1, perRequest, tuned: "throughput", visit };
  const opened = await contender.open(place, task);
  if (among.deferred !== undefined || among.held !== undefined) await surround(place, task, among);
  await opened.submit(0, among.queued);
  const settled = new pg.Client(place.postgres);
  // A database that is dropped ends its connections.
  settled.on("error", () => {});
  await settled.connect();
  await settled.query("vacuum analyze");
  await opened.catchUp?.();
  await admin.query("checkpoint");
  // Whatever is claimed from now on stays visible to this one.
  if (among.underSnapshot !== undefined)
    await settled.query("begin isolation level repeatable read; select 1 from pg_class limit 1");
  const start = () => startMeter(contender.store, servers, admin);
  const before = among.underSnapshot === undefined ? await measureClaims(opened, start) : {};
  meter = await start();
  await opened.work();
  await finished;
  const cost = await meter.stop();
  await opened.close();
  const after = among.underSnapshot === undefined ? {} : await claimsOfMore(await contender.open(place, task), start);
  await settled.end();
  const cpu = (cost.clientCpu + cost.serverCpu) / items;
  return { ...before, ...after, rate: items / cost.seconds, cpu, clientCpu: cost.clientCpu / items };
}

/** Where a worker has been that took all there was. */
async function claimsOfMore(opened: Opened, start: () => Promise<Meter>): Promise<Sample> {
  await opened.submit(0, 2 * CLAIMS);
  const sample = await measureClaims(opened, start);
  await opened.close();
  return sample;
}
