// Gathers the evidence of a run that is over.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ITEMS, JOURNAL, LEDGER, LIVES, REMOVALS, REQUESTS } from "./evidence.sql.ts";
import type { Evidence, VisitNote } from "./evidence.ts";
import type { World } from "./world.ts";

type Seen = Pick<Evidence, "downtimes" | "absences" | "strikes" | "capped" | "explained">;

const NO_REMOVALS: Evidence["removals"] = { total: 0, waiting: 0, failed: 0 };

export async function collect({ client, service, jobs, workers, folder, ask }: World, seen: Seen): Promise<Evidence> {
  return {
    ...seen,
    operations: client.operations,
    visits: readNotes(folder),
    calls: service.calls,
    jobs: jobs.facts(),
    webhooks: client.webhooks,
    removals: (await ask<Evidence["removals"]>(REMOVALS))[0] ?? NO_REMOVALS,
    items: await ask(ITEMS),
    requests: await ask(REQUESTS),
    journal: await ask(JOURNAL),
    ledger: (await ask<{ item: string }>(LEDGER)).map(({ item }) => item),
    lives: await ask(LIVES),
    kills: workers.flatMap((worker) => worker.kills),
    pauses: workers.flatMap((worker) => worker.pauses),
    fallen: workers.flatMap((worker) => worker.fallen),
  };
}

function readNotes(folder: string): VisitNote[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".notes"));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  // Written by outside.ts, whole lines only.
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as VisitNote);
}
