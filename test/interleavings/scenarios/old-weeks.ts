// Old weeks of the journal go, while somebody whose clock was set back still writes to one.

import type { Database, Queryable } from "../../../src/engine/db/database.ts";
import { forgetRest } from "../../../src/engine/events/old-partition.sql.ts";
import { dropOldWeeks } from "../../../src/engine/retention/weeks.ts";
import type { Arena } from "../arena.ts";
import { ANNA, ask, ends, enter, listed, must, settled, take } from "../play.ts";
import type { Scenario } from "../scenario.ts";

const HOUR_MS = 3_600_000;

const OLD_WEEK = `
create table if not exists sluice.journal_2020w01 partition of sluice.journal
for values from (false, '2019-12-30 00:00Z') to (false, '2020-01-06 00:00Z')`;

/** A row of that week, or of a time that no week is for; `what` says what it is about, as its message. */
async function note(db: Queryable, item: string, what: string, row: Partial<Row> = {}): Promise<void> {
  const { kind = 3, ended = 0, output = null, at = "2020-01-01 12:00Z" } = row;
  await db.query(
    {
      name: "note-old",
      text: `
insert into sluice.journal (at, item_id, kind, ended, output, message, code)
values ($6, $1, $2, $3, $4::text::jsonb, $5, pg_current_xact_id()::text)`,
    },
    [item, kind, ended, output, what, at],
  );
}

interface Row {
  readonly kind: number;
  readonly ended: number;
  readonly output: string;
  readonly at: string;
}

async function past(arena: Arena): Promise<{ over: string; live: string }> {
  await arena.rows(OLD_WEEK);
  await enter(arena, ANNA);
  const [over, live] = (await ask(arena, 2)).items as [string, string];
  const rows = await take(arena, arena.dictionary.line, ANNA);
  await settled(arena, [ends(rows[0] as never)], ANNA);
  await arena.rows("delete from sluice.journal");
  await arena.rows(`insert into sluice.setting (name, value) values ('feed', '{}') on conflict (name) do nothing`);
  await note(arena, over, "way");
  await note(arena, over, "output", { kind: 1, output: "1" });
  await note(arena, over, "fault of the ended", { kind: 8 });
  await note(arena, over, "end", { kind: 8, ended: 2 });
  await note(arena, live, "wait");
  await note(arena, live, "fault", { kind: 8 });
  await note(arena, "999", "of nobody", { kind: 1, output: "1" });
  return { over, live };
}

const late: Scenario = {
  name: "an old week goes while rows are still written to it: what somebody may ask for stays, under its place in the feed",
  preemptions: 1,
  async prepare(arena) {
    const { over, live } = await past(arena);
    let place: Awaited<ReturnType<typeof dropOldWeeks>>["place"] = null;
    const sweep = async (db: Database) => {
      place = (await dropOldWeeks(db, HOUR_MS, place)).place;
    };
    return {
      sessions: {
        slow: (db) => db.transaction((tx) => note(tx, live, "late", { output: "2" })),
        quick: (db) => note(db, over, "quick", { output: "3" }),
        sweeper: sweep,
      },
      async check() {
        const isThere = async () =>
          (await arena.rows(`select from pg_class where relname = 'journal_2020w01'`)).length > 0;
        // The journal is read below the oldest transaction of the whole server, and others may be at work in it.
        const end = performance.now() + 3_000;
        while ((await isThere()) && performance.now() < end) await sweep(arena.db);
        must(!(await isThere()), "the week is gone");
        const rows = await arena.rows<{ message: string; moved: boolean }>(
          "select message, xid::text <> code as moved from sluice.journal",
        );
        const kept = listed(rows.map((row) => row.message));
        must(kept === listed(["output", "end", "fault", "late", "quick"]), `kept: ${kept}`);
        must(!rows.some((row) => row.moved), "each where it was");
        const raised = await arena.rows<{ name: string }>("select name from sluice.setting where value ? 'floorXid'");
        must(listed(raised.map((row) => row.name)) === "feed", "and the feed knows where it begins");
        // A history that was made up agrees with nothing else.
        await arena.reset();
      },
    };
  },
};

const BEFORE_ALL_WEEKS = "1999-01-01 12:00Z";
const AFTER_ALL_WEEKS = "2999-01-01 12:00Z";

const rest: Scenario = {
  name: "rows of a time that no week is for go when weeks went that were written later, one after the other",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const { over } = await past(arena);
        await arena.rows("delete from sluice.journal");
        await note(arena, over, "ahead", { at: AFTER_ALL_WEEKS });
        await note(arena, over, "way", { at: BEFORE_ALL_WEEKS });
        await note(arena, over, "output", { at: BEFORE_ALL_WEEKS, kind: 1, output: "1" });
        await arena.rows(`
update sluice.setting s
set value = jsonb_build_object('floorXid', j.xid::text, 'floorSeq', j.seq::text)
from (select xid, seq from sluice.journal order by xid desc limit 1) j where s.name = 'feed'`);
        await note(arena, over, "later", { at: BEFORE_ALL_WEEKS });
        let place: Awaited<ReturnType<typeof forgetRest>> = { xid: "0", seq: "0", seen: 0 };
        for (let looks = 0; place !== undefined && looks < 10; looks += 1)
          place = await forgetRest(arena, HOUR_MS, place, 1);
        must(place === undefined, "it comes to an end");
        const rows = await arena.rows<{ message: string; kept: boolean }>("select message, kept from sluice.journal");
        const kept = listed(rows.map((row) => `${row.message}${row.kept ? " (kept)" : ""}`));
        must(kept === listed(["ahead", "output (kept)", "later"]), `kept: ${kept}`);
        await arena.reset();
      },
    };
  },
};

export const oldWeeks = [late, rest];
