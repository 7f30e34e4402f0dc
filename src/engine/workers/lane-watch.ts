// One lane's outside jobs, looked after by this process while it has the duty. What it remembers is only memory: on taking
// over, everything is read from the run rows, and from then on only what changed.
//
// A round: read which rows are watched, look at their jobs in as few calls as the service allows, and write only what
// changed. Ten thousand jobs that stand still cost one read and a hundred calls, and no write.

import { type Clock, type Logger, safeText } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { recordEnds, recordOdd } from "../items/seen.sql.ts";
import { type Job, observe, stallsAt, watchedState } from "../items/stall.ts";
import { type RoundRow, resumeService, saveJobs, watchedRows, watchRound } from "../items/watch.sql.ts";
import { toFault } from "../pipeline/fault.ts";
import type { OutsideWork, Seen } from "../pipeline/outside.ts";
import { checkSeen } from "./checked-seen.ts";
import { inTime } from "./in-time.ts";
import { endOf, stalledEnd, type WatchedEnd } from "./job-end.ts";
import type { Place } from "./registry.ts";
import { changeOf, isDue, newlyOdd, paceAfter, type WatchedJob, wasSaved, wasTold } from "./watched-job.ts";

export interface LaneWatchPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  epoch(): string;
  /** Behind the service's breaker, rate and report; on nobody's behalf. */
  call<Result>(service: string, work: (client: unknown) => Promise<Result>, place?: Place): Promise<Result>;
  /** Items became ready to be finished. */
  moved(): void;
}

/** A service that has just started may not have read its own list yet, so once is not enough. */
const MISSING_LOOKS = 2;
/** After so long without a look, what stood still may have moved and stopped again unseen. */
export const BLIND_MS = 60_000;
const CALLS_AT_ONCE = 4;
const CALL_LONGEST_MS = 30_000;
const WRITE_BATCH = 500;

export class LaneWatch {
  readonly #ports: LaneWatchPorts;
  readonly #place: Place;
  readonly #work: OutsideWork;
  readonly #finishLane: number;
  readonly #jobs = new Map<string, WatchedJob>();
  #lookedAt: number | undefined;
  #rounds = 0;

  constructor(ports: LaneWatchPorts, place: Place, work: OutsideWork, finishLane: number) {
    this.#ports = ports;
    this.#place = place;
    this.#work = work;
    this.#finishLane = finishLane;
  }

  get service(): string {
    return this.#place.service;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** How long until the next look is due. */
  get dueInMs(): number {
    if (this.#lookedAt === undefined) return 0;
    return Math.max(0, this.#lookedAt + this.#work.everyMs - this.#ports.clock.monotonic());
  }

  /** False when the duty is somebody else's by now. */
  async round(): Promise<boolean> {
    const { db, clock, epoch } = this.#ports;
    const began = clock.monotonic();
    const row = await watchRound(db, this.#place.lane, epoch());
    if (row?.is_mine !== true) return false;
    await this.#learn(row);
    const wasBlind = this.#lookedAt !== undefined && began - this.#lookedAt > BLIND_MS + this.#work.everyMs;
    // While the breaker is open only its probe calls out.
    if (row.is_down || this.#jobs.size === 0) {
      this.#lookedAt = began;
      return true;
    }
    if (wasBlind) await resumeService(db, this.service);
    await this.#lookAtAll({ ...row, resumed_at: wasBlind ? row.now : row.resumed_at });
    this.#lookedAt = began;
    return true;
  }

  /** One batch, to see whether the service is well. False when there is nothing to ask about. */
  async probe(): Promise<boolean> {
    const batch = [...this.#jobs.values()].slice(0, this.#work.batch);
    if (batch.length === 0) return false;
    await this.#look(batch);
    return true;
  }

  async #learn(row: RoundRow): Promise<void> {
    const { db } = this.#ports;
    const current = new Map(row.ids.map((id, index) => [id, row.versions[index] as number]));
    for (const [id, job] of this.#jobs) if (current.get(id) !== job.version) this.#jobs.delete(id);
    const fresh = [...current.keys()].filter((id) => !this.#jobs.has(id));
    for (let from = 0; from < fresh.length; from += 5_000) {
      for (const one of await watchedRows(db, this.#place.lane, fresh.slice(from, from + 5_000))) {
        const { id, version, ref, marks, progress, reason, active_at: activeAt } = one;
        const state = watchedState(reason, this.#work.inLine !== undefined && marks === null);
        const job: Job = { state, marks: marks ?? {}, progress, activeAt };
        this.#jobs.set(id, { id, version, ref, job, saved: job, savedAt: 0, missed: 0, pace: 0, odd: new Map() });
      }
    }
  }

  async #lookAtAll(row: RoundRow): Promise<void> {
    const batches = inBatches([...this.#jobs.values()], this.#work.batch);
    // Each round begins with the next one, so that one that always fails does not keep those after it from being seen.
    batches.push(...batches.splice(0, this.#rounds % Math.max(1, batches.length)));
    this.#rounds += 1;
    const next = async (): Promise<void> => {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        // One that fails tells enough: a hundred more that run into their time limit would only take the time of the rest.
        if (!(await this.#lookAtBatch(batch, row))) batches.length = 0;
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, next));
  }

  /** False when the look failed. That is the service's fault and was reported as such; the items stay as they are. */
  async #lookAtBatch(batch: readonly WatchedJob[], row: RoundRow): Promise<boolean> {
    const { log } = this.#ports;
    let answers: ReadonlyMap<string, Seen>;
    try {
      answers = await this.#look(batch);
    } catch (error) {
      // The service answered and does not like what it was asked: one of these is to blame, and the others are well.
      if (toFault(error).kind === "permanent" && batch.length > 1) return await this.#lookAtHalves(batch, row);
      log.warn("look.failed", { service: this.service, jobs: batch.length, error: safeText(error, 300) });
      return false;
    }
    const ends: WatchedEnd[] = [];
    for (const one of batch) {
      const end = this.#observe(one, answers.get(one.ref), row.now);
      if (end !== undefined) ends.push(end);
    }
    ends.push(...(await this.#stalled(batch, row)));
    await this.#write(batch, ends, row.now);
    return true;
  }

  async #lookAtHalves(batch: readonly WatchedJob[], row: RoundRow): Promise<boolean> {
    const middle = Math.ceil(batch.length / 2);
    const isFirstSeen = await this.#lookAtBatch(batch.slice(0, middle), row);
    const isSecondSeen = await this.#lookAtBatch(batch.slice(middle), row);
    return isFirstSeen || isSecondSeen;
  }

  async #look(batch: readonly WatchedJob[]): Promise<ReadonlyMap<string, Seen>> {
    const { clock, call } = this.#ports;
    const refs = batch.map((one) => one.ref);
    const byRef = new Map(batch.map((one) => [one.ref, one.job.marks]));
    const look = async (client: unknown) => {
      const looking = this.#work.look(refs, client, (ref) => byRef.get(ref) ?? {});
      const answer = await inTime(clock, "a look", CALL_LONGEST_MS, looking);
      return checkSeen(refs, answer);
    };
    return await call(this.service, look, this.#place);
  }

  /** The end, where this is one. */
  #observe(one: WatchedJob, seen: Seen | undefined, now: number): WatchedEnd | undefined {
    if (seen === undefined) return undefined;
    if (seen.state === "missing") {
      one.missed += 1;
      one.pace = 0;
      return one.missed >= MISSING_LOOKS ? endOf(one, seen, this.service) : undefined;
    }
    one.missed = 0;
    if (seen.state === "done" || seen.state === "failed") return endOf(one, seen, this.service);
    const observed = observe(one.job, { ...seen, state: seen.state }, now);
    one.job = observed.job;
    one.pace = paceAfter(one.pace, observed.isActive);
    for (const said of observed.odd) if (one.odd.size < 20 && !one.odd.has(said)) one.odd.set(said, false);
    return undefined;
  }

  /** Those whose time is over, and of whom the service itself agrees, where it can be asked. */
  async #stalled(batch: readonly WatchedJob[], row: RoundRow): Promise<WatchedEnd[]> {
    const service = { isDown: row.is_down, resumedAt: row.resumed_at };
    const ends: WatchedEnd[] = [];
    for (const one of batch) {
      const at = stallsAt(one.job, this.#work.stall, service);
      if (at === null || row.now < at || one.missed > 0) continue;
      if (await this.#confirmed(one)) ends.push(stalledEnd(one, this.service, row.now));
      else one.job = { ...one.job, activeAt: row.now };
    }
    return ends;
  }

  async #confirmed(one: WatchedJob): Promise<boolean> {
    const { confirm } = this.#work.stall;
    if (confirm === undefined) return true;
    try {
      const { clock, call } = this.#ports;
      const look = (client: unknown) => inTime(clock, "a second look", CALL_LONGEST_MS, confirm(one.ref, client));
      return await call(this.service, look, this.#place);
    } catch (error) {
      this.#ports.log.warn("stall.unconfirmed", { service: this.service, ref: one.ref, error: safeText(error, 300) });
      return false;
    }
  }

  async #write(batch: readonly WatchedJob[], ends: readonly WatchedEnd[], now: number): Promise<void> {
    const { db, epoch, moved } = this.#ports;
    const ended = new Set(ends.map((end) => end.id));
    const changed = batch.filter((one) => !ended.has(one.id) && isDue(one, now));
    const odd = batch.flatMap(newlyOdd);
    if (odd.length > 0) await recordOdd(db, odd);
    for (const one of batch) wasTold(one);
    for (const jobs of inBatches(changed, WRITE_BATCH)) {
      const changes = jobs.map((one) => changeOf(one, now));
      await saveJobs(db, this.#place.lane, changes, epoch());
      for (const one of jobs) wasSaved(one, now);
    }
    if (ends.length === 0) return;
    const where = { watchedIn: this.#place.lane, finishLane: this.#finishLane, watcher: epoch() };
    await recordEnds(db, ends, where);
    for (const id of ended) this.#jobs.delete(id);
    moved();
  }
}

function inBatches<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
