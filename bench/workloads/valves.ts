// What it costs to hold and to let go what waits: a breaker, a switch and a pause, each closed and opened in front of a queue.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openSluice, type Sluice } from "../../src/engine/index.ts";
import { type Asking, countStatements } from "../asked.ts";
import { calling, pretendedAway } from "../contenders/sluice-away.ts";
import { CONNECTIONS, chunks, INSERT, spread } from "../payload.ts";
import { inPlace } from "../place.ts";
import { rowsWritten, walPosition } from "../wal.ts";
import type { Entrant, Sample, Workload } from "../workload.ts";

const K = 1_000;
const M = 1_000 * K;
/** Sessions that have just begun read much of the catalogue first. */
const BEFORE = 1_000;
/** As it stands in the statements that turn a valve, and in no other. */
const TURNS = "update sluice.valve_clock";

export const valves: Workload = {
  title: "Holding what waits, and letting it go",
  about:
    "The breaker of a service opens while a worker is at work, because it fails, and closes because it is well again; its stage is " +
    "switched off and on; the pipeline is paused and resumed. Rows that one of these wrote at most, and the buffers that each " +
    "touched: of a breaker the statements that save how its service is, of the others all that the call asked the database.",
  limit: "sluice, 10 k queued",
  columns: [
    { figure: "rows", title: "rows, at most", digits: 0 },
    { figure: "buffers", title: "buffers, at most", digits: 0 },
    { figure: "opened", title: "breaker opens", digits: 0 },
    { figure: "closed", title: "closes", digits: 0 },
    { figure: "off", title: "switch off", digits: 0 },
    { figure: "on", title: "on", digits: 0 },
    { figure: "paused", title: "pause", digits: 0 },
    { figure: "resumed", title: "resume", digits: 0 },
  ],
  rounds: () => 1,
  entrants: (isQuick) =>
    [10 * K, isQuick ? 50 * K : M].map(
      (items): Entrant => ({
        label: `sluice, ${items < M ? `${items / K} k` : `${items / M} M`} queued`,
        contender: "sluice",
        items,
      }),
    ),
  measure: ({ entrant, servers }) =>
    inPlace(servers, async (place, admin) => {
      const look = new pg.Client(place.postgres);
      await look.connect();
      const asking = await countStatements(admin, place.postgres);
      try {
        return await measureValves({ ...servers.postgres, url: place.postgres, admin, look, asking }, entrant.items);
      } finally {
        await look.end();
      }
    }),
};

interface Surroundings {
  readonly url: string;
  readonly admin: pg.Client;
  /** To the measured database. */
  readonly look: pg.Client;
  readonly asking: Asking;
  readonly wal: string;
}

interface Turn {
  readonly rows: number;
  readonly buffers: number;
}

async function measureValves(around: Surroundings, items: number): Promise<Sample> {
  const client = await openSluice({ pipelines: [calling], database: around.url, worker: false });
  await spread(chunks(0, items, INSERT), CONNECTIONS, (inputs) => client.submit(calling, inputs));
  const stage = { pipeline: "calling", stage: "call" } as const;
  const turns = {
    ...(await breaker(around, client)),
    off: await turn(around, () => client.switches.off(stage)),
    on: await turn(around, () => client.switches.on(stage)),
    paused: await turn(around, () => client.pause({ pipeline: "calling" })),
    resumed: await turn(around, () => client.resume({ pipeline: "calling" })),
  };
  await client.close();
  const all = Object.values(turns);
  return {
    rows: Math.max(...all.map(({ rows }) => rows)),
    buffers: Math.max(...all.map(({ buffers }) => buffers)),
    ...Object.fromEntries(Object.entries(turns).map(([name, { buffers }]) => [name, buffers])),
  };
}

/** A worker that has been at work for a moment sees its service fail, and be well again. */
async function breaker(around: Surroundings, client: Sluice): Promise<{ opened: Turn; closed: Turn }> {
  const away = pretendedAway();
  const worker = await openSluice({ pipelines: [calling], database: around.url, services: { away: away.client } });
  const isDown = async (): Promise<boolean> => (await client.services()).some((one) => one.state === "down");
  while (away.worked() < BEFORE) await sleep(20);
  const opens = async () => {
    away.turn("down");
    while (!(await isDown())) await sleep(20);
  };
  const closes = async () => {
    away.turn("stalling");
    await client.checkService("away");
    while (await isDown()) await sleep(20);
  };
  const opened = await turn(around, opens, TURNS);
  const closed = await turn(around, closes, TURNS);
  away.turn("well");
  await worker.close();
  return { opened, closed };
}

/** Counts the buffers of all statements with `text`, and the rows of the transaction that turned the valve. */
async function turn(around: Surroundings, act: () => Promise<unknown>, text?: string): Promise<Turn> {
  const { admin, look, asking, wal } = around;
  const from = await walPosition(admin);
  await asking.restart();
  await act();
  const { buffers } = await asking.read(text);
  const { rows } = await look.query("select xmin::text as xid from sluice.valve order by generation desc limit 1");
  return { buffers, rows: await rowsWritten(wal, from, await walPosition(admin), rows[0].xid) };
}
