// Services: many who report and probe at once, and claims while a breaker opens.

import type { Database, Statement } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { claimFromService } from "../../../src/engine/items/claim-service.sql.ts";
import { takeRate } from "../../../src/engine/services/grants.sql.ts";
import { readServices, takeProbe } from "../../../src/engine/services/service.sql.ts";
import { ANNA, ask, BERT, countOf, must, places } from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { api, failures, prepared, report } from "../service-play.ts";

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
        must((await countOf(arena, "from sluice.valve_clock where generation = 1")) === 1, "and the clock moved once");
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
    const { served } = arena.dictionary;
    const lane = served.lanes[0] as number;
    await ask(arena, 5, { line: served });
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
    const { served } = arena.dictionary;
    const lane = served.lanes[0] as number;
    await ask(arena, 6, { line: served });
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
      async check({ waits }) {
        must(!waits.some((wait) => !wait.startsWith("caller")), `a claim waits for nobody (${waits})`);
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
