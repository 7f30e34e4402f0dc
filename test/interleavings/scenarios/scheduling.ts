// Processes that find the same schedule due.

import type { Database } from "../../../src/engine/db/database.ts";
import { makeRun } from "../../../src/engine/intake/make-run.ts";
import {
  type DueSchedule,
  dueSchedules,
  failSchedule,
  registerSchedule,
} from "../../../src/engine/intake/schedule.sql.ts";
import { checkSubmission, type Submission } from "../../../src/engine/intake/submission.ts";
import { pauseSchedule, resumeSchedule } from "../../../src/engine/operate/schedule.sql.ts";
import { seededRandom, systemClock } from "../../../src/kit/index.ts";
import type { Arena } from "../arena.ts";
import { countOf, must } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const MINE = [{ name: "s", rule: "0 3 * * * UTC" }];
const DUE = new Date("2026-01-01T03:00:00Z");
const NEXT = new Date("2999-01-01T03:00:00Z");

async function begin(arena: Arena): Promise<Submission> {
  await registerSchedule(arena, "s", "0 3 * * * UTC", DUE);
  return await checkSubmission(arena.dictionary.keyed, [{}], { key: `s@${DUE.toISOString()}` }, systemClock);
}

async function dueNow(arena: Arena): Promise<DueSchedule> {
  const [due] = await dueSchedules(arena, MINE);
  if (due === undefined) throw new Error("it is not due");
  return due;
}

const move = { next: NEXT, last: DUE, missed: 2 };

const oneRuns: Scenario = {
  name: "two processes find a schedule due, one person pauses it: it is run once, or not at all",
  preemptions: 1,
  async prepare(arena) {
    const submission = await begin(arena);
    const made: boolean[] = [];
    let isPaused = false;
    const script = async (db: Database) => {
      for (const due of await dueSchedules(db, MINE))
        made.push(await makeRun(db, due, move, submission, seededRandom(1)));
    };
    return {
      sessions: {
        one: script,
        two: script,
        person: async (db) => (isPaused = await pauseSchedule(db, "s", "anna")),
      },
      async check() {
        const runs = made.filter(Boolean).length;
        must(runs <= 1, "nobody runs what another has run");
        must(isPaused, "it was paused");
        must((await countOf(arena, "from sluice.item")) === runs, "a run is one item");
        must(
          (await countOf(arena, "from sluice.schedule where missed = 2 and last_at is not null")) === runs,
          "and one move",
        );
        must((await countOf(arena, "from sluice.audit where action = 'schedule.pause'")) === 1, "and audited");
      },
    };
  },
};

const dueRules: Scenario = {
  name: "a schedule is due by the rule that is known here, unless it is paused or was just tried in vain",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const changes = {
          nothing: [true, "update sluice.schedule set missed = 0"],
          "a later time": [false, "update sluice.schedule set next_at = sluice.now() + interval '1 hour'"],
          "a pause": [false, "update sluice.schedule set is_paused = true"],
          "another rule": [false, "update sluice.schedule set rule = '0 4 * * * UTC'"],
          "a failure": [
            false,
            "update sluice.schedule set failures = 1, code = 'X', retry_at = sluice.now() + interval '1 minute'",
          ],
          "a failure long ago": [
            true,
            "update sluice.schedule set failures = 1, code = 'X', retry_at = sluice.now() - interval '1 minute'",
          ],
        } as const;
        for (const [what, [isDue, change]] of Object.entries(changes)) {
          await arena.reset();
          await begin(arena);
          await arena.rows(change);
          must((await dueSchedules(arena, MINE)).length === (isDue ? 1 : 0), `after ${what}`);
        }
        await arena.reset();
      },
    };
  },
};

const changed: Scenario = {
  name: "whoever saw a schedule before it was paused, changed or tried in vain makes no run of it",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const changes: Record<string, (seen: DueSchedule) => Promise<unknown>> = {
          "a pause": async () => {
            await pauseSchedule(arena, "s", "anna");
            await resumeSchedule(arena, "s", "anna", DUE);
          },
          "another rule": () => registerSchedule(arena, "s", "0 4 * * * UTC", DUE),
          "a failure": (seen) => failSchedule(arena, seen, { code: "X", message: "x" }, 1_000),
          "a run": (seen) => makeRun(arena.db, seen, move, null, seededRandom(1)),
        };
        for (const [what, change] of Object.entries(changes)) {
          await arena.reset();
          const submission = await begin(arena);
          const seen = await dueNow(arena);
          must(!(await registerSchedule(arena, "s", "0 3 * * * UTC", NEXT)), "the same rule changes nothing");
          await change(seen);
          must(!(await makeRun(arena.db, seen, move, submission, seededRandom(1))), `refused after ${what}`);
          must((await countOf(arena, "from sluice.item")) === 0, `nothing entered after ${what}`);
          await failSchedule(arena, seen, { code: "Y", message: "y" }, 1_000);
          must((await countOf(arena, "from sluice.schedule where code = 'Y'")) === 0, `no failure after ${what}`);
        }
        await arena.reset();
      },
    };
  },
};

export const scheduling = [oneRuns, dueRules, changed];
