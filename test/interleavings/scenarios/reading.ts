// Reading the feed while others commit late, and migrating together.

import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database } from "../../../src/engine/db/database.ts";
import { migrate } from "../../../src/engine/db/migrate.ts";
import { prepareTables } from "../../../src/engine/db/own-tables.sql.ts";
import { openFeed } from "../../../src/engine/events/feed-epoch.ts";
import { feedLag, readEvents } from "../../../src/engine/events/read-events.ts";
import { formatId, seededRandom } from "../../../src/kit/index.ts";
import { createEmpty } from "../arena.ts";
import { ANNA, ask, askOn, BERT, countOf, ends, enter, listed, must, settled, take } from "../play.ts";
import type { Scenario } from "../scenario.ts";

/** The feed ends below the oldest transaction of the whole server, and there may be others at work in it. */
async function untilSo(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 3_000;
  while (!(await isSo()) && performance.now() < end);
}

const lateCommit: Scenario = {
  name: "a reader of the feed misses nothing that commits late, and sees nothing twice",
  preemptions: 3,
  async prepare(arena) {
    await openFeed(arena.db, seededRandom(1));
    const seen: string[] = [];
    let cursor: string | undefined;
    const look = async (db: Database) => {
      const page = await readEvents({ db, random: seededRandom(2) }, { after: cursor });
      cursor = page.cursor;
      seen.push(...page.events.map((event) => event.cursor));
    };
    const write = (db: Database) => db.transaction((tx) => askOn(tx, arena.dictionary.line, [1]));
    return {
      sessions: {
        one: write,
        two: write,
        reader: async (db) => {
          await look(db);
          await look(db);
        },
      },
      async check() {
        const all = await countOf(arena, "from sluice.journal");
        await untilSo(async () => {
          await look(arena.db);
          return seen.length >= all;
        });
        must(new Set(seen).size === seen.length, "nothing is seen twice");
        must(seen.length === all, `${seen.length} of ${all} events were seen`);
      },
    };
  },
};

const filtered: Scenario = {
  name: "a filtered feed shows what it was asked for, from the beginning",
  async prepare(arena) {
    await enter(arena, BERT, ANNA);
    await openFeed(arena.db, seededRandom(1));
    return {
      sessions: {},
      async check() {
        const [mine, other] = [await ask(arena, 2), await ask(arena, 1)];
        const rows = await take(arena, arena.dictionary.line, ANNA);
        await settled(
          arena,
          rows.map((row) => ends(row)),
          ANNA,
        );
        const ports = { db: arena.db, random: seededRandom(2) };
        await untilSo(async () => (await readEvents(ports)).events.length >= 6);
        const request = await readEvents(ports, { request: formatId("request", mine.request) });
        must(request.events.length === 4, "two items entered and ended");
        const writers = new Set(request.events.map((event) => event.worker?.name ?? "nobody"));
        must(listed([...writers]) === listed(["nobody", `worker ${ANNA}`]), "and who wrote it is told");
        const item = await readEvents(ports, { item: formatId("item", other.items[0] as string) });
        must(item.events.length === 2, "one item entered and ended");
        must((await readEvents(ports, { after: item.cursor })).events.length === 0, "and the cursor is at the end");
      },
    };
  },
};

const lag: Scenario = {
  name: "the feed is held back while an older transaction may still write, and only then",
  async prepare(arena) {
    await ask(arena, 1);
    const said: boolean[] = [];
    return {
      sessions: {
        writer: (db) => db.transaction((tx) => askOn(tx, arena.dictionary.line, [1])),
        reader: async (db) => {
          await askOn(db, arena.dictionary.line, [1]);
          said.push((await feedLag(db)).isHeldBack);
        },
      },
      async check({ trace }) {
        const at = (step: string) => trace.indexOf(step);
        const isOlder = at("writer: submit") < at("reader: submit") && at("writer: commit") > at("reader: feed-lag");
        if (isOlder) must(said[0] === true, "committed events wait behind it");
        await untilSo(async () => !(await feedLag(arena.db)).isHeldBack);
        must(!(await feedLag(arena.db)).isHeldBack, "and then no longer");
      },
    };
  },
};

const openedTwice: Scenario = {
  name: "a feed opened twice at once has one epoch",
  async prepare(arena) {
    const open = (seed: number) => (db: Database) => openFeed(db, seededRandom(seed));
    const epoch = async () =>
      (
        await arena.rows<{ epoch: string }>("select value ->> 'epoch' as epoch from sluice.setting where name = 'feed'")
      )[0]?.epoch;
    return {
      sessions: { one: open(1), two: open(2) },
      async check({ trace }) {
        const [first, second] = [String(seededRandom(1).token()), String(seededRandom(2).token())];
        const winner = trace.find((step) => step.includes("take-feed-epoch"))?.startsWith("one") ? first : second;
        must((await epoch()) === winner, "the first to take it");
        await arena.rows("update sluice.setting set value = value || '{\"timeline\":\"x\"}' where name = 'feed'");
        await openFeed(arena.db, seededRandom(3));
        must((await epoch()) === String(seededRandom(3).token()), "another timeline has another epoch");
        await arena.rows("update sluice.setting set value = value || '{\"system\":\"x\"}' where name = 'feed'");
        await openFeed(arena.db, seededRandom(4));
        must((await epoch()) === String(seededRandom(4).token()), "another cluster too");
        const numbers = async () =>
          (await arena.rows<{ xid: string }>("select xid from sluice.journal order by seq"))
            .map((row) => row.xid)
            .join();
        await ask(arena, 1);
        const before = await numbers();
        const moved = `update sluice.setting set value = value || '{"system":"y"}' where name = 'feed'`;
        await arena.rows(moved);
        await openFeed(arena.db, seededRandom(5));
        must((await numbers()) === before, "events of this cluster keep their numbers");
        await arena.rows("update sluice.journal set xid = '1000000000000'");
        await arena.rows(moved);
        await openFeed(arena.db, seededRandom(6));
        must((await numbers()) === "3", "events from a future that never came are numbered anew");
      },
    };
  },
};

const migrating: Scenario = {
  name: "five processes migrate at once: it is done once",
  async prepare(arena) {
    return {
      sessions: {},
      async check() {
        const name = `migrating_${process.pid}`;
        await createEmpty(arena.server, name);
        const pools = Array.from(
          { length: 5 },
          () => new pg.Pool({ connectionString: arena.server.url(name), max: 1 }),
        );
        const kyselys = pools.map((pool) => new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }));
        try {
          // Connected first, so that they begin together.
          await Promise.all(pools.map((pool) => pool.query("select")));
          await Promise.all(kyselys.map((kysely) => migrate(kysely)));
          const done = await pools[0]?.query("select count(*)::int as n from sluice.migration");
          must(done?.rows[0]?.n === (await countOf(arena, "from sluice.migration")), "each migration was run once");
          await pools[0]?.query(
            `update sluice.setting set value = '{"version": 0, "minimum": 0}' where name = 'schema'`,
          );
          await migrate(kyselys[0] as Kysely<unknown>);
          const now = await pools[0]?.query(
            "select value ->> 'version' as version from sluice.setting where name = 'schema'",
          );
          must(Number(now?.rows[0]?.version) > 0, "an older schema is brought up to date");
        } finally {
          await Promise.all(kyselys.map((kysely) => kysely.destroy()));
        }
        await arena.rows(`drop database ${name}`);
      },
    };
  },
};

const ownTables: Scenario = {
  name: "two prepare the same tables of their own: each migration is run once",
  preemptions: 1,
  async prepare(arena) {
    await arena.query({ name: "own-drop", text: "drop schema if exists own cascade" }, []);
    const up = "create table own.thing (id int);\ninsert into own.thing (id) values (1);\n";
    const prepare = (db: Database) => prepareTables(db, "own", [{ name: "0001-thing", up }]);
    return {
      sessions: { one: prepare, two: prepare },
      async check() {
        must((await countOf(arena, "from own.thing")) === 1, "it was run once");
        must((await countOf(arena, "from own.migration")) === 1, "and noted once");
      },
    };
  },
};

export const reading = [lateCommit, filtered, lag, openedTwice, migrating, ownTables];
