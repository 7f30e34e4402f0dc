// The watch as a duty: who has it, what it sees in a round, and what it writes down while nothing ends.

import type { Database } from "../../../src/engine/db/database.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { type Fence, reclaim } from "../../../src/engine/items/lease.sql.ts";
import { recordEnds } from "../../../src/engine/items/seen.sql.ts";
import {
  type JobChange,
  leaveWatches,
  resumeService,
  saveJobs,
  takeWatch,
  watchedRows,
  watchHolders,
  watchRound,
} from "../../../src/engine/items/watch.sql.ts";
import { takeDuty } from "../../../src/engine/workers/duty.sql.ts";
import { leaveWorker } from "../../../src/engine/workers/worker-row.sql.ts";
import { FARM } from "../dictionary.ts";
import { ANNA, BERT, countOf, journalled, kill, listed, must } from "../play.ts";
import { endOf, openFarm, refOf, runNow, takenAfar, watched } from "../play-afar.ts";
import type { Scenario } from "../scenario.ts";

const CARL = "7003";

const takenOnce = (isVacant: boolean): Scenario => ({
  name: `two who take a watch that ${isVacant ? "nobody had yet" : "a dead worker has"}: one gets it`,
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT, CARL);
    const lane = arena.dictionary.afar.lanes[0] as number;
    if (!isVacant) must(await takeWatch(arena, lane, CARL), "it was free");
    await kill(arena, CARL);
    const got: string[] = [];
    const taker = (epoch: string) => async (db: Database) => {
      if (await db.transaction((tx) => takeWatch(tx, lane, epoch))) got.push(epoch);
    };
    return {
      sessions: { [ANNA]: taker(ANNA), [BERT]: taker(BERT) },
      async check() {
        must(got.length === 1, `one got it (${got})`);
        const [holder] = await watchHolders(arena, [lane]);
        must(holder?.epoch === got[0] && holder?.is_alive === true, "and has it");
      },
    };
  },
});

const takenFromTheDead: Scenario = {
  name: "a watch is taken by the living, from nobody, from the dead and from those who left",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT, CARL);
    const { lanes, barn } = arena.dictionary.afar;
    const [lane] = lanes as [number];
    return {
      sessions: {},
      async check() {
        const [nobody] = await watchHolders(arena, [lane]);
        must(nobody?.epoch === null && nobody.blind_ms === null && !nobody.is_alive, "nobody has it");
        must(await takeWatch(arena, lane, ANNA), "what nobody has is anybody's");
        must(!(await takeWatch(arena, lane, BERT)), "what somebody alive has is not");
        must(await takeWatch(arena, barn, CARL), "each lane has its own");
        const holders = await watchHolders(arena, [lane, barn]);
        must(listed(holders.map((one) => one.epoch)) === listed([ANNA, CARL]), "each is told once");
        must(
          holders.every((one) => one.is_alive && one.blind_ms !== null),
          "both are alive",
        );
        await kill(arena, ANNA);
        await arena.rows("update sluice.worker set ended_at = ended_at - interval '1 hour' where epoch = $1", [ANNA]);
        const [gone] = await watchHolders(arena, [lane]);
        must(gone?.epoch === ANNA && !gone.is_alive, "it is a dead worker's");
        must(Number(gone?.blind_ms) >= 3_600_000, "and nobody has looked since it died");
        must(await takeWatch(arena, lane, BERT), "so somebody else takes it");
        await leaveWorker(arena, CARL);
        must(!(await takeWatch(arena, barn, ANNA)), "the dead take nothing");
        must(!(await takeWatch(arena, barn, CARL)), "nor does who left");
        must(!(await takeWatch(arena, arena.dictionary.afar.finish, ANNA)), "not even what nobody ever had");
        must(await takeDuty(arena, "partitions", 1_000, BERT), "another duty is another's");
        await arena.rows("update sluice.duty set epoch = $1 where name = 'partitions'", [BERT]);
        await leaveWatches(arena, BERT);
        must(
          (await countOf(arena, "from sluice.duty where epoch = $1", [BERT])) === 1,
          "who leaves lets go of watches",
        );
        must((await countOf(arena, "from sluice.duty where epoch = $1", [CARL])) === 1, "of its own");
        must(await takeWatch(arena, lane, BERT), "which are free at once");
      },
    };
  },
};

const round: Scenario = {
  name: "a round tells whose it is, and the versions of all that is watched in its lane",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { lanes, barn } = arena.dictionary.afar;
    const [lane] = lanes as [number];
    const mine = await watched(arena, ANNA, 2);
    const [elsewhere] = (await watched(arena, ANNA, 1, barn)) as [Fence];
    const [leased] = (await takenAfar(arena, ANNA, 1)) as [ClaimedRow];
    const [ended] = (await watched(arena, ANNA, 1)) as [Fence];
    await recordEnds(arena, [endOf(ended)], { watchedIn: lane, finishLane: lane, watcher: null });
    const isMine = async (epoch: string) => (await watchRound(arena, lane, epoch))?.is_mine;
    return {
      sessions: {},
      async check() {
        must((await isMine(ANNA)) === false, "it is nobody's yet");
        await takeWatch(arena, lane, ANNA);
        must((await isMine(ANNA)) === true, "it is hers who took it");
        must((await isMine(BERT)) === false, "and not his");
        const told = await watchRound(arena, lane, ANNA);
        const pairs = told?.ids.map((id, index) => `${id} at ${told.versions[index]}`);
        must(listed(pairs ?? []) === listed(mine.map((one) => `${one.id} at ${one.version}`)), `these are: ${pairs}`);
        const ids = [...mine, elsewhere, leased, ended].map((one) => one.id);
        const rows = await watchedRows(arena, lane, ids);
        must(listed(rows.map((one) => one.id)) === listed(mine.map((one) => one.id)), "only they are read");
        must(
          rows.every((row) => row.ref === refOf(row.id) && row.marks === null && Math.abs(row.active_at) > 0),
          "with what they are called outside and when they were alive",
        );
        must(told?.is_down === false, "the service is up");
        await arena.rows("update sluice.service set is_open = true, probe_at = sluice.now() where name = $1", [FARM]);
        must((await watchRound(arena, lane, ANNA))?.is_down === true, "now it is down");
        await arena.rows("update sluice.service set resumed_at = to_timestamp(0)");
        await resumeService(arena, FARM);
        must(Number((await watchRound(arena, lane, ANNA))?.resumed_at) > 0, "its clocks begin anew");
        must((await watchRound(arena, barn, ANNA))?.resumed_at === 0, "and no other service's");
        await kill(arena, ANNA);
        must((await isMine(ANNA)) === false, "the dead watch nothing");
      },
    };
  },
};

function change({ id, version }: Fence, progress: number, activeMsAgo: number | null = null): JobChange {
  return { id, version, progress, marks: '{"at":1}', reason: "queued", activeMsAgo };
}

const progress: Scenario = {
  name: "progress is written by whoever has the watch, on what is still watched",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { lanes, barn } = arena.dictionary.afar;
    const [lane] = lanes as [number];
    const [job, still] = (await watched(arena, ANNA, 2)) as [Fence, Fence];
    const [elsewhere] = (await watched(arena, ANNA, 1, barn)) as [Fence];
    const [leased] = (await takenAfar(arena, ANNA, 1)) as [ClaimedRow];
    const written = () => countOf(arena, "from sluice.run where progress is not null or marks is not null");
    return {
      sessions: {},
      async check() {
        await saveJobs(arena, lane, [change(job, 10)], ANNA);
        must((await written()) === 0, "nobody watches");
        await takeWatch(arena, barn, BERT);
        await takeWatch(arena, lane, ANNA);
        await saveJobs(arena, lane, [change(job, 10)], BERT);
        must((await written()) === 0, "somebody else watches");
        await saveJobs(arena, lane, [change({ ...job, version: job.version - 1 }, 10)], ANNA);
        must((await written()) === 0, "it has moved on since");
        await saveJobs(arena, lane, [change(elsewhere, 10), change(leased, 10)], ANNA);
        must((await written()) === 0, "it is watched elsewhere, or not at all");
        await arena.rows("update sluice.run set active_at = to_timestamp(1) where state = 2");
        await saveJobs(arena, lane, [change(job, 10, 60_000), change(still, 20)], ANNA);
        must((await written()) === 2, "both are written");
        const { version, progress: at, marks, reason } = await runNow(arena, job.id);
        must(version === job.version && at === 10 && reason === "queued", "and the fence stays");
        must(JSON.stringify(marks) === '{"at":1}', "with the marks");
        await saveJobs(arena, lane, [{ ...change(job, 10), marks: null }], ANNA);
        must(JSON.stringify((await runNow(arena, job.id)).marks) === '{"at":1}', "which stay where none are told");
        must(
          (await countOf(arena, "from sluice.run where active_at > sluice.now() - interval '2 minutes'")) === 1,
          "it was alive a minute ago",
        );
        must((await countOf(arena, "from sluice.run where active_at = to_timestamp(1)")) === 2, "the others were not");
      },
    };
  },
};

const lostWatch: Scenario = {
  name: "a watcher that was taken for dead writes until another has its watch, and never what that one wrote",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const { lanes, finish } = arena.dictionary.afar;
    const [lane] = lanes as [number];
    const [one, two] = (await watched(arena, ANNA, 2)) as [Fence, Fence];
    await takeWatch(arena, lane, ANNA);
    await kill(arena, ANNA);
    const ended: string[] = [];
    const end = async (db: Database, epoch: string) => {
      const where = { watchedIn: lane, finishLane: finish, watcher: epoch };
      ended.push(...(await recordEnds(db, [endOf(one)], where)).map((id) => `${id} by ${epoch}`));
    };
    return {
      sessions: {
        late: async (db) => {
          await saveJobs(db, lane, [change(two, 10)], ANNA);
          await end(db, ANNA);
        },
        next: async (db) => {
          must(await takeWatch(db, lane, BERT), "it is a dead worker's");
          await end(db, BERT);
        },
      },
      async check({ trace }) {
        must(ended.length === 1, `one of them ended it (${ended})`);
        must((await journalled(arena, one.id, "seen")) === 1, "and it is told once");
        const at = (step: string) => trace.findIndex((line) => line.startsWith(step));
        must(
          ended[0]?.endsWith(ANNA) === at("late: seen") < at("next: take-watch"),
          "as long as it has the watch, it is the first",
        );
        must(
          ((await runNow(arena, two.id)).progress === 10) === at("late: save-jobs") < at("next: take-watch"),
          "and so is its progress",
        );
      },
    };
  },
};

const leftAlone: Scenario = {
  name: "what a dead worker started and is watched stays as it is; what it held is taken back",
  async prepare(arena) {
    await openFarm(arena, ANNA, BERT);
    const [job] = (await watched(arena, ANNA, 1)) as [Fence];
    const [held] = (await takenAfar(arena, ANNA, 1)) as [ClaimedRow];
    await takeWatch(arena, arena.dictionary.afar.lanes[0] as number, ANNA);
    await kill(arena, ANNA);
    return {
      sessions: { [ANNA]: (db) => reclaim(db, ANNA), [BERT]: (db) => reclaim(db, ANNA) },
      async check() {
        const { state, version } = await runNow(arena, job.id);
        must(state === 2 && version === job.version, "the job goes on, and so does its watching");
        const { state: now, lane } = await runNow(arena, held.id);
        must(now === 0 && lane === arena.dictionary.afar.lanes[0], "the other waits where it was");
      },
    };
  },
};

export const watching = [takenOnce(true), takenOnce(false), takenFromTheDead, round, progress, lostWatch, leftAlone];
