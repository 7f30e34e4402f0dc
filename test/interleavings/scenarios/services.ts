// Services: many who report and probe at once, and claims while a breaker opens.

import type { Database, Queryable, Statement } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { claimFromService } from "../../../src/engine/items/claim-service.sql.ts";
import { service } from "../../../src/engine/pipeline/service.ts";
import { type CallEnd, judge } from "../../../src/engine/services/breaker.ts";
import { takeRate } from "../../../src/engine/services/grants.sql.ts";
import {
  healthOf,
  readServices,
  registerService,
  saveService,
  takeProbe,
} from "../../../src/engine/services/service.sql.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, BERT, countOf, enter, must, places } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const api = service("api", { capacity: 3, limit: "4/h" });

async function prepared(arena: Arena): Promise<void> {
  await enter(arena, ANNA, BERT);
  await arena.rows("delete from sluice.service");
  await registerService(arena.db, api.name, api.rules);
}

const failures = (era: number, at: number): CallEnd[] =>
  ["1", "2", "3", "4", "5"].map((item, index) => ({ at: at + index, item, verdict: "failure", era }));

/** As a worker reports: read, judged, written, and all again when somebody was faster. */
async function report(db: Queryable, ends: (era: number) => readonly CallEnd[]): Promise<string | null> {
  for (let tries = 0; tries < 5; tries += 1) {
    const [row] = await readServices(db, [api.name]);
    if (row === undefined) throw new Error("it was registered");
    const judged = judge(healthOf(row), ends(row.changed_at), api.rules, row.now);
    if (!judged.isChanged) return null;
    if (await saveService(db, row, judged)) return judged.turned;
  }
  throw new Error("never got through");
}

const openedTwice: Scenario = {
  name: "two who report failures open the breaker once",
  async prepare(arena) {
    await prepared(arena);
    const [row] = await readServices(arena.db, [api.name]);
    const era = row?.changed_at ?? 0;
    const turns: (string | null)[] = [];
    const reporter = (at: number) => async (db: Database) => turns.push(await report(db, () => failures(era, at)));
    return {
      sessions: { anna: reporter(0), bert: reporter(100) },
      async check() {
        must(turns.filter((turn) => turn === "opened").length === 1, `one opened it (${turns})`);
        must((await countOf(arena, "from sluice.journal where kind = 32")) === 1, "one journal row");
        must(
          (await countOf(arena, "from sluice.valve where kind = 'breaker' and closed")) === 1,
          "one valve is closed",
        );
      },
    };
  },
};

const probedOnce: Scenario = {
  name: "two who would probe: one gets it, and only its word counts",
  async prepare(arena) {
    await prepared(arena);
    await report(arena.db, (era) => failures(era, 0));
    await arena.rows("update sluice.service set probe_at = sluice.now()");
    const got: string[] = [];
    const prober = (epoch: string) => async (db: Database) => {
      if (await takeProbe(db, api.name, epoch, 60_000)) got.push(epoch);
      await report(db, (era) => [{ at: 0, item: null, verdict: "success", era, probe: epoch }]);
    };
    return {
      sessions: { [ANNA]: prober(ANNA), [BERT]: prober(BERT) },
      async check() {
        must(got.length === 1, `one got it (${got})`);
        must((await countOf(arena, "from sluice.service where not is_open and ramp = 1")) === 1, "it closed");
        must((await countOf(arena, "from sluice.journal where kind = 32")) === 2, "it opened once and closed once");
      },
    };
  },
};

const CLOSED: Statement = { name: "closed", text: "select from sluice.valve where kind = 'breaker' and closed" };

const claimAndOpen: Scenario = {
  name: "a claim while the breaker opens takes what it took before, or nothing",
  async prepare(arena) {
    await prepared(arena);
    const { line } = arena.dictionary;
    const lane = line.lanes[0] as number;
    await arena.rows(`update sluice.lane set service = 'api' where id = ${lane}`);
    await ask(arena, 5);
    const got: ClaimedRow[] = [];
    let openBefore = false;
    return {
      sessions: {
        worker: async (db) => {
          openBefore = (await db.query(CLOSED, [])).length > 0;
          got.push(...(await claimFromService(db, api.name, places(lane), 10, ANNA)));
        },
        reporter: async (db) => {
          await report(db, (era) => failures(era, 0));
        },
      },
      async check({ waits }) {
        await arena.rows(`update sluice.lane set service = '' where id = ${lane}`);
        must(!openBefore || got.length === 0, "behind an open breaker nothing is claimed");
        must(got.length === 0 || got.length === 3, `all that fits, or nothing (${got.length})`);
        must((await countOf(arena, "from sluice.service where is_open")) === 1, "it opened");
        must(!waits.some((wait) => String(wait).startsWith("worker")), `a claim waits for nobody (${waits})`);
      },
    };
  },
};

const limited: Scenario = {
  name: "two who claim and one who calls share one capacity and one rate",
  preemptions: 1,
  async prepare(arena) {
    await prepared(arena);
    const lane = arena.dictionary.line.lanes[0] as number;
    await arena.rows(`update sluice.lane set service = 'api' where id = ${lane}`);
    await ask(arena, 6);
    const got: ClaimedRow[] = [];
    let called = 0;
    const claims = (epoch: string) => async (db: Database) => {
      got.push(...(await claimFromService(db, api.name, places(lane), 10, epoch)));
    };
    return {
      sessions: {
        [ANNA]: claims(ANNA),
        [BERT]: claims(BERT),
        caller: async (db) => {
          called = (await takeRate(db, api.name, 3)).count;
        },
      },
      async check() {
        await arena.rows(`update sluice.lane set service = '' where id = ${lane}`);
        must(got.length <= 3, `no more than the capacity (${got.length})`);
        must(got.length + called <= 4, `no more than the limit (${got.length} and ${called})`);
        const [row] = await readServices(arena.db, [api.name]);
        const granted = row?.grants.reduce((sum, [, count]) => sum + count, 0) ?? 0;
        must(granted === got.length + called, `what was granted was written (${granted})`);
      },
    };
  },
};

export const services: readonly Scenario[] = [openedTwice, probedOnce, claimAndOpen, limited];
