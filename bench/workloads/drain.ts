// Hands in items, starts a worker, and waits until the store shows all of them finished: the body of several workloads.

import { setTimeout as sleep } from "node:timers/promises";
import type { Contender } from "../contender.ts";
import { loadContender } from "../contenders/catalogue.ts";
import { type Cost, type Meter, startMeter } from "../meter.ts";
import { inPlace } from "../place.ts";
import type { Servers } from "../servers.ts";
import { Visits } from "../visits.ts";
import type { Assignment, Sample } from "../workload.ts";

/** Compiled code and warm connections are what a worker has that has run for a minute. Slow contenders get by with less. */
function warmUpFor(items: number): number {
  if (items >= 100_000) return 30_000;
  if (items >= 20_000) return 10_000;
  return items >= 5_000 ? 3_000 : items / 10;
}

/** Once to warm up, then measured, each on a database of its own. */
export async function measureDrain({ entrant, servers }: Assignment, stages: number): Promise<Sample> {
  const contender = await loadContender(entrant.contender);
  const perRequest = entrant.perRequest ?? 1;
  const warmUp = Math.max(perRequest, Math.round(warmUpFor(entrant.items) / perRequest) * perRequest);
  await drain(contender, servers, { stages, perRequest, items: warmUp, isWarmUp: true });
  return await drain(contender, servers, { stages, perRequest, items: entrant.items, isWarmUp: false });
}

interface Amount {
  readonly stages: number;
  readonly perRequest: number;
  readonly items: number;
  readonly isWarmUp: boolean;
}

async function drain(contender: Contender, servers: Servers, amount: Amount): Promise<Sample> {
  const { stages, perRequest, items, isWarmUp } = amount;
  return await inPlace(servers, async (place, admin) => {
    let start = 0;
    let meter: Meter | undefined;
    const visits = new Visits(items, stages, () => {
      // Starting a worker is shown, but is no part of how fast it then works.
      start = performance.now() - startedAt;
      meter?.restart();
    });
    const openedAt = performance.now();
    const opened = await contender.open(place, { stages, perRequest, tuned: "throughput", visit: visits.visit });
    const open = performance.now() - openedAt;
    const submitting = await startMeter(contender.store, servers, admin);
    await opened.submit(0, items);
    const submit = await submitting.stop();
    // What was written before is on the disk by now, and not written while this is measured.
    if (!isWarmUp && contender.store === "postgres") await admin.query("checkpoint");
    meter = await startMeter(contender.store, servers, admin);
    const startedAt = performance.now();
    await opened.work();
    if (contender.isBare === undefined) await visits.complete;
    while (!(await opened.isEmpty())) await sleep(2);
    const cost = await meter.stop();
    const rss = process.memoryUsage.rss();
    const faults = await visits.faults(opened, contender.isBare);
    await opened.close();
    if (faults.length > 0) throw new Error(`the work was not done: ${faults.join(", ")}`);
    return {
      open,
      submitRate: items / submit.seconds,
      submitCpu: (submit.clientCpu + submit.serverCpu) / items,
      start,
      rate: items / cost.seconds,
      ...perItem(cost, items),
      rss: rss / 2 ** 20,
    };
  });
}

function perItem({ clientCpu, serverCpu, wal, images = 0 }: Cost, items: number): Sample {
  return {
    clientCpu: clientCpu / items,
    serverCpu: serverCpu / items,
    cpu: (clientCpu + serverCpu) / items,
    ...(wal === undefined ? {} : { wal: wal / items, images: images / items, log: (wal + images) / items }),
  };
}
