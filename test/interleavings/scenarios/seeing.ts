// The end of an outside job: told once, whoever brings it, and finished where it belongs.

import type { Database, Queryable } from "../../../src/engine/db/database.ts";
import { type ClaimedRow, claim } from "../../../src/engine/items/claim.sql.ts";
import { JOURNAL_KIND } from "../../../src/engine/items/codes.ts";
import { learnRef } from "../../../src/engine/items/intent.sql.ts";
import { type Fence, reclaim, release } from "../../../src/engine/items/lease.sql.ts";
import { recordEnds, recordOdd, watchedByKey } from "../../../src/engine/items/seen.sql.ts";
import { saveJobs, takeWatch } from "../../../src/engine/items/watch.sql.ts";
import { cancelItems } from "../../../src/engine/operate/cancel.ts";
import type { Arena } from "../arena.ts";
import { ANNA, advances, ask, BERT, countOf, ends, journalled, kill, must, places, settled } from "../play.ts";
import { endOf, keyOf, openFarm, refOf, runNow, standingOf, starting, starts, watched } from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

/** Who tells it: a watcher by its epoch, null for a call from outside. */
function teller(arena: Arena, watcher: string | null) {
  const { lanes, finish } = arena.dictionary.afar;
  const where = { watchedIn: lanes[0] as number, finishLane: finish, watcher };
  return async (db: Queryable, job: Fence) => (await recordEnds(db, [endOf(job)], where)).length;
}

const fenced: Scenario = {
  name: "an end is told by whoever has the watch, of what is still watched, once",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { lanes, barn, finish } = arena.dictionary.afar;
    const [lane] = lanes as [number];
    const [job] = (await watched(arena, ANNA, 1)) as [Fence];
    const [elsewhere] = (await watched(arena, ANNA, 1, barn)) as [Fence];
    const anna = teller(arena, ANNA);
    return {
      sessions: {},
      async check() {
        must((await anna(arena, job)) === 0, "nobody watches");
        await takeWatch(arena, barn, BERT);
        await takeWatch(arena, lane, ANNA);
        must((await teller(arena, BERT)(arena, job)) === 0, "somebody else watches");
        must((await anna(arena, { ...job, version: job.version - 1 })) === 0, "it has moved on since");
        must((await anna(arena, elsewhere)) === 0, "it is watched elsewhere");
        await saveJobs(arena, lane, [{ ...job, progress: 50, marks: "{}", reason: "paused", activeMsAgo: null }], ANNA);
        must((await anna(arena, job)) === 1, "she watches it");
        const row = await runNow(arena, job.id);
        must(row.state === 0 && row.epoch === null && row.lane === finish && row.stage === 0, "it is to be finished");
        must(row.ref === refOf(job.id) && row.reason === null, "what it was called outside stays known");
        must(row.version === job.version + 1, "the fence moved");
        must((row.flags & 9) === 9, "and there is something to read for its visit");
        const told =
          "from sluice.journal where kind = 19 and code = 'DONE' and epoch = $1 and output ->> 'ending' = 'DONE'";
        must((await countOf(arena, told, [ANNA])) === 1, "it is told");
        must((await anna(arena, job)) === 0, "once");
        must((await anna(arena, row)) === 0, "nobody ends what nobody watches");
        // As if it had been started again, without its version having risen by that.
        await arena.rows("update sluice.run set state = 2, epoch = -lane where id = $1", [job.id]);
        must((await anna(arena, job)) === 0, "an older look ends nothing");
        await arena.rows("update sluice.run set state = 0, epoch = null where id = $1", [job.id]);
        const [claimed] = await claim(arena, places(finish), 1, BERT);
        must(claimed?.ref === refOf(job.id), "whoever finishes it is told what it was");
      },
    };
  },
};

const fromOutside: Scenario = {
  name: "a call from outside needs no watch, only the key of what is watched",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { lanes } = arena.dictionary.afar;
    const [lane] = lanes as [number];
    const [row] = (await starting(arena, ANNA, 1)) as [ClaimedRow];
    const found = () => watchedByKey(arena, keyOf(row.id));
    const call = teller(arena, null);
    return {
      sessions: {},
      async check() {
        must((await found()) === undefined, "it is only being started");
        await learnRef(arena, keyOf(row.id), refOf(row.id));
        must((await found()) === undefined, "even where it is known what as");
        await settled(arena, [starts(arena, row)], ANNA);
        await takeWatch(arena, lane, ANNA);
        const job = await found();
        must(job?.id === row.id && job.lane === lane && job.ref === refOf(row.id), "now it is watched");
        must((await watchedByKey(arena, "key of nobody")) === undefined, "under its key alone");
        await learnRef(arena, keyOf(row.id), "another job");
        must((await found())?.id === row.id, "what is known is not told anew");
        await arena.rows("update sluice.intent set ref = 'another job'");
        must((await found()) === undefined, "the key's job is another one");
        await arena.rows("update sluice.intent set ref = $1", [refOf(row.id)]);
        await arena.rows("update sluice.intent set over_at = sluice.now()");
        must((await found()) === undefined, "what the key was for is over");
        await arena.rows("update sluice.intent set over_at = null");
        must((await call(arena, job as Fence)) === 1, "somebody who calls ends it");
        must((await countOf(arena, "from sluice.journal where kind = 19 and epoch is null")) === 1, "in nobody's name");
        must((await found()) === undefined, "and then it has ended");
        must((await call(arena, job as Fence)) === 0, "once");
      },
    };
  },
};

const toldTwice: Scenario = {
  name: "two watchers and a caller tell the same end: one is heard",
  preemptions: 2,
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const [job] = (await watched(arena, ANNA, 1)) as [Fence];
    await takeWatch(arena, arena.dictionary.afar.lanes[0] as number, ANNA);
    const heard: number[] = [];
    const anna = teller(arena, ANNA);
    const call = teller(arena, null);
    const tell = (by: typeof anna, fence: Fence) => (db: Database) =>
      db.transaction(async (tx) => {
        heard.push(await by(tx, fence));
      });
    return {
      sessions: {
        watcher: tell(anna, job),
        again: tell(anna, job),
        caller: async (db) => {
          const found = await watchedByKey(db, keyOf(job.id));
          if (found !== undefined) heard.push(await call(db, found));
        },
      },
      async check() {
        must(heard.reduce((a, b) => a + b) === 1, `one was heard (${heard})`);
        must((await journalled(arena, job.id, "seen")) === 1, "one journal row");
        must((await runNow(arena, job.id)).version === job.version + 1, "and one step");
      },
    };
  },
};

const endAndCancel: Scenario = {
  name: "an end and a cancel: told first or not at all, and what may be left outside is owed",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const [job] = (await watched(arena, ANNA, 1)) as [Fence];
    await takeWatch(arena, arena.dictionary.afar.lanes[0] as number, ANNA);
    let heard = 0;
    return {
      sessions: {
        watcher: (db) =>
          db.transaction(async (tx) => {
            await recordOdd(tx, [{ ...job, message: "runs backwards" }]);
            heard = await teller(arena, ANNA)(tx, job);
          }),
        person: (db) => cancelItems(db, [job.id], "person"),
      },
      async check() {
        must((await countOf(arena, "from sluice.item where state = 3")) === 1, "it is cancelled");
        must((await journalled(arena, job.id, "seen")) === heard, "what was told was told before");
        must((await standingOf(arena, keyOf(job.id))) === "owed", "the job is owed");
      },
    };
  },
};

const oddities: Scenario = {
  name: "what cannot be is noted beside the item as it stands, and changes nothing",
  async prepare(arena) {
    await openFarm(arena, ANNA);
    const [job] = (await watched(arena, ANNA, 1)) as [Fence];
    return {
      sessions: {},
      async check() {
        await recordOdd(arena, [{ id: job.id, version: job.version - 1, message: "before" }]);
        must((await journalled(arena, job.id, "odd")) === 0, "what was seen of an older start is not noted");
        const notes = ["101 %", "-1 %"].map((message) => ({ ...job, message }));
        await recordOdd(arena, notes);
        must((await journalled(arena, job.id, "odd")) === 2, "each is");
        must((await runNow(arena, job.id)).version === job.version, "the fence stays");
      },
    };
  },
};

const watchedAndBack: Scenario = {
  name: "a settlement starts the watch, keeps what the job was called while it is finished, and forgets it after that",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { afar } = arena.dictionary;
    const [row] = (await starting(arena, ANNA, 1)) as [ClaimedRow];
    return {
      sessions: {},
      async check() {
        await settled(arena, [starts(arena, row)], ANNA);
        const job = await runNow(arena, row.id);
        must(job.state === 2 && job.epoch === String(-(afar.lanes[0] as number)), "the watch has it");
        must((await countOf(arena, "from sluice.run where active_at > since and ready_at = 'infinity'")) === 1, "anew");
        must((await journalled(arena, row.id, "started")) === 1, "which is told");
        must((await settled(arena, [starts(arena, { ...row, version: job.version })], ANNA)).length === 0, "not hers");
        must((await release(arena, [job], ANNA)).length === 0, "nor hers to give back");
        await teller(arena, null)(arena, job);
        const [finishing] = (await claim(arena, places(afar.finish), 1, BERT)) as [ClaimedRow];
        const again = { kind: JOURNAL_KIND.again, ended: 0, toStage: 0, toLane: afar.finish };
        await settled(arena, [ends(finishing, { ...again, detail: { keepRef: true, delayMs: 0 } })], BERT);
        const kept = await runNow(arena, row.id);
        must(kept.ref === refOf(row.id) && kept.state === 0, "finished again, it is still known what it was");
        const [last] = (await claim(arena, places(afar.finish), 1, BERT)) as [ClaimedRow];
        await settled(arena, [advances(last, afar, { detail: { intents: "over", delayMs: 0 } })], BERT);
        const next = await runNow(arena, row.id);
        must(next.ref === null && next.progress === null && next.marks === null, "the next stage knows nothing of it");
        must((await countOf(arena, "from sluice.run where active_at is null")) === 1, "nor of when it was alive");
      },
    };
  },
};

const lanesOfStage: Scenario = {
  name: "what is given back or taken back stays in its lane of the stage; handed on, it enters by the stage's door",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { afar } = arena.dictionary;
    const jobs = await watched(arena, ANNA, 2);
    for (const job of jobs) await teller(arena, null)(arena, job);
    const rows = await claim(arena, places(afar.finish), 2, ANNA);
    const [one, two] = rows as [ClaimedRow, ClaimedRow];
    const { items } = await ask(arena, 2, { line: afar });
    const inLane = (lane: number) => countOf(arena, "from sluice.run where state = 0 and lane = $1", [lane]);
    return {
      sessions: {},
      async check() {
        must((await release(arena, [one], ANNA)).length === 1, "one is given back");
        await kill(arena, ANNA);
        must((await reclaim(arena, ANNA)) === 1, `the other (${two.id}) is taken back`);
        must((await inLane(afar.finish)) === 2, "both are still to be finished");
        // As when an item was handed on from its last stage to one that is done elsewhere: it kept the lane it came from.
        await arena.rows("update sluice.run set state = 1, epoch = $1, lane = $2 where id = any ($3::bigint[])", [
          BERT,
          afar.lanes[1],
          items,
        ]);
        const held = await arena.rows<Fence>("select id, version from sluice.run where epoch = $1 order by id", [BERT]);
        must((await release(arena, held.slice(0, 1), BERT)).length === 1, "one is given back");
        await kill(arena, BERT);
        must((await reclaim(arena, BERT)) === 1, "and one taken back");
        must((await inLane(afar.lanes[0] as number)) === 2, "both are still to be started");
      },
    };
  },
};

export const seeing = [fenced, fromOutside, toldTwice, endAndCancel, oddities, watchedAndBack, lanesOfStage];
