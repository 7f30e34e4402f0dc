// Behind an open breaker: who probes, what passes it, and what a report may not undo.

import type { Database } from "../../../src/engine/db/database.ts";
import { claimProbe } from "../../../src/engine/items/claim.sql.ts";
import { claimFromService } from "../../../src/engine/items/claim-service.sql.ts";
import { setValve } from "../../../src/engine/operate/valve.sql.ts";
import { checkNow, takeProbe } from "../../../src/engine/services/service.sql.ts";
import { ANNA, ask, BERT, countOf, enter, kill, must, places } from "../play.ts";
import type { Scenario } from "../scenario.ts";
import { api, failures, opened, prepared, report } from "../service-play.ts";

const LEASE_MS = 60_000;
const CLARA = "7003";

/** Asked to stay away: changes the row, and nothing about its breaker. */
const pressed = (db: Database) =>
  report(db, (era) => [{ at: 0, item: "1", verdict: "none", era, retryAfterMs: LEASE_MS }]);

const leased: Scenario = {
  name: "a probe is leased when its time has come, to one who lives, until it runs out or its holder dies",
  async prepare(arena) {
    await prepared(arena);
    return {
      sessions: {},
      async check() {
        const take = (epoch: string, mayBeOurs = false) => takeProbe(arena, api.name, epoch, LEASE_MS, mayBeOurs);
        must(!(await take(ANNA)), "who is well is not probed");
        must(!(await checkNow(arena, api.name, "person")), "nor checked");
        await report(arena, (era) => failures(era, 0));
        must(!(await take(ANNA)), "nor is anybody before it is time");
        await arena.rows("update sluice.service set probe_at = sluice.now()");
        must(await take(ANNA), "then it is leased");
        must(!(await take(BERT)) && !(await take(ANNA)), "to one, once");
        must(await take(ANNA, true), "who asks again where it never learnt that it has it");
        must(!(await take(BERT, true)), "and nobody else");
        await kill(arena, ANNA);
        must(await take(BERT), "whose death frees it at once");
        await arena.rows("update sluice.service set probe_until = sluice.now()");
        must(!(await take(ANNA)), "the dead do not probe");
        await enter(arena, CLARA);
        must(await take(CLARA), "a lease that ran out is free");
      },
    };
  },
};

const reportAndProbe: Scenario = {
  name: "a report while the probe is taken does not take it back",
  async prepare(arena) {
    await opened(arena);
    return {
      sessions: { prober: (db) => takeProbe(db, api.name, ANNA, LEASE_MS), reporter: pressed },
      check: async () =>
        must(
          (await countOf(arena, "from sluice.service where probe_epoch = $1 and busy_until is not null", [ANNA])) === 1,
          "both were written",
        ),
    };
  },
};

const reportAndCheck: Scenario = {
  name: "a report while a person wants a check does not put it off",
  async prepare(arena) {
    await opened(arena);
    await arena.rows("update sluice.service set probe_at = sluice.now() + interval '1 hour'");
    return {
      sessions: { person: (db) => checkNow(db, api.name, "person"), reporter: pressed },
      async check() {
        must(
          (await countOf(arena, "from sluice.service where probe_at <= sluice.now() and busy_until is not null")) === 1,
          "both were written",
        );
        must((await countOf(arena, "from sluice.audit where action = 'service.check'")) === 1, "it is on record");
      },
    };
  },
};

const letThrough: Scenario = {
  name: "one item passes an open breaker, for the holder of its probe, and no other valve",
  async prepare(arena) {
    await opened(arena);
    const { served } = arena.dictionary;
    await ask(arena, 3, { line: served });
    const at = places(served.lanes[0] as number);
    const pause = { kind: "pause", scope: { stage: "served-0" }, note: null, actor: "person" };
    return {
      sessions: {},
      async check() {
        const passes = async (epoch: string) => (await claimProbe(arena, at, 1, epoch)).length;
        must((await claimFromService(arena.db, api.name, at, 9, ANNA)).length === 0, "the breaker holds them");
        must((await passes(ANNA)) === 0, "also who has not leased the probe");
        await takeProbe(arena, api.name, ANNA, LEASE_MS);
        must((await passes(BERT)) === 0, "and who has not leased it itself");
        await setValve(arena, { ...pause, closed: true });
        must((await passes(ANNA)) === 0, "a pause holds it as well");
        await setValve(arena, { ...pause, closed: false });
        must((await passes(ANNA)) === 1, "then one passes");
        await arena.rows("update sluice.service set probe_until = sluice.now()");
        must((await passes(ANNA)) === 0, "as long as the lease lasts");
      },
    };
  },
};

export const probing: readonly Scenario[] = [leased, reportAndProbe, reportAndCheck, letThrough];
