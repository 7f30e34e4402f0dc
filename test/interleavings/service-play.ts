// How scenarios about a service begin, and how a worker reports to it.

import type { Queryable } from "../../src/engine/db/database.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { type CallEnd, judge } from "../../src/engine/services/breaker.ts";
import { healthOf, readServices, registerService, saveService } from "../../src/engine/services/service.sql.ts";
import type { Arena } from "./arena.ts";
import { SERVICE } from "./dictionary.ts";
import { ANNA, BERT, enter } from "./play.ts";

export const api = service(SERVICE, { capacity: 3, limit: "4/h" });

export async function prepared(arena: Arena): Promise<void> {
  await enter(arena, ANNA, BERT);
  await registerService(arena.db, api.name, api.rules);
}

export const failures = (era: number, at: number): CallEnd[] =>
  ["1", "2", "3", "4", "5"].map((item, index) => ({ at: at + index, item, verdict: "failure", era }));

/** As a worker reports: read, judged, written, and all again when somebody was faster. */
export async function report(db: Queryable, ends: (era: number) => readonly CallEnd[]): Promise<string | null> {
  for (let tries = 0; tries < 5; tries += 1) {
    const [row] = await readServices(db, [api.name]);
    if (row === undefined) throw new Error("it was registered");
    const judged = judge(healthOf(row), ends(row.changed_at), api.rules, row.now);
    if (!judged.isChanged) return null;
    if (await saveService(db, row, judged)) return judged.turned;
  }
  throw new Error("never got through");
}

/** Opens its breaker; the time of the probe has come. */
export async function opened(arena: Arena): Promise<void> {
  await prepared(arena);
  await report(arena, (era) => failures(era, 0));
  await arena.rows("update sluice.service set probe_at = sluice.now()");
}
