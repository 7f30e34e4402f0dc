// What must hold after every commit, whatever went wrong before.

import type { Statement } from "../../src/engine/db/database.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { type ActionChecks, NO_CHECKS } from "./action-checks.ts";
import type { Commit } from "./commit-check.ts";
import type { Counts } from "./counts.ts";
import { follow, type Path } from "./item-path.ts";
import { KeyLimits } from "./key-limits.ts";
import { checkOutsideRows, checkRates, type SeenGrants } from "./outside-rows.ts";
import { checkRequests } from "./request-counts.ts";
import type { Party } from "./scheduler.ts";
import { examineItself } from "./self-check.ts";
import { LANES, type LaneRow, NOTHING_YET, SNAPSHOT, type Snapshot } from "./snapshot.sql.ts";
import type { SqlSession } from "./sql-session.ts";
import { Violation } from "./violation.ts";
import { checkWaits } from "./waits.ts";

type Run = Snapshot["runs"][number];

/** What only the simulated world knows. */
export interface Truths {
  attemptsMax(pipeline: string, stage: string): number;
  /** Whether the process behind this epoch was started with that pipeline version. */
  hasCode(epoch: string, pipeline: string, version: number): boolean;
}

const DOCTOR_EVERY = 40;
const TAKES: ReadonlySet<number> = new Set([JOURNAL_KIND["taken-back"], JOURNAL_KIND.replayed, JOURNAL_KIND.cancelled]);

export class Invariants {
  readonly #session: SqlSession;
  readonly #counts: Counts;
  readonly #truths: Truths;
  /** Of what only some seeds have. */
  readonly actions: ActionChecks;
  readonly #paths = new Map<string, Path>();
  readonly #versions = new Map<string, number>();
  readonly #liveKeys = new Map<string, string>();
  readonly #retried = new Set<string>();
  readonly #keyLimits = new KeyLimits();
  #lanes = new Map<number, LaneRow>();
  readonly #grants: SeenGrants = new Map();
  /** From whom a person, or a deadline, last took each item, and in which commit. */
  readonly #taken = new Map<string, { readonly epoch: string | null; readonly at: number }>();
  /** The commit up to which each process knows what it holds. */
  readonly #informed = new Map<Party, number>();
  #seq = "0";
  #looks = 0;
  /** The state after the last commit. */
  last: Snapshot = NOTHING_YET;
  /** Items whose submission was answered. */
  readonly acknowledged = new Set<string>();

  constructor(session: SqlSession, counts: Counts, truths: Truths, actions = NO_CHECKS) {
    this.actions = actions;
    this.#session = session;
    this.#counts = counts;
    this.#truths = truths;
  }

  /** Looks at everything; throws `Violation`. */
  check(now: string): void {
    const [next] = this.#session.run<Snapshot>(SNAPSHOT, [this.#seq], now);
    if (next === undefined) throw new Error("no snapshot");
    const before = this.last;
    this.last = next;
    this.#learnLanes(next, now);
    this.#checkActions(before, next, now);
    this.#followJournal(before, next);
    this.#checkRuns(before, next);
    this.#keyLimits.check(next, this.#lanes, this.#counts);
    this.#checkItems(next);
    checkRequests(next, this.#counts);
    checkWaits(next, this.#counts);
    this.#checkKeys(next);
    checkOutsideRows(next, this.#lanes, this.#counts);
    checkRates(next, this.#grants, this.#counts);
    this.#looks += 1;
    if (this.#looks % DOCTOR_EVERY === 0) examineItself(this.#session, now);
  }

  #checkActions(before: Snapshot, next: Snapshot, now: string): void {
    const read = <Row>(statement: Statement): Row => {
      const [row] = this.#session.run<Row>(statement, [], now);
      if (row === undefined) throw new Error("no row");
      return row;
    };
    const commit: Commit = { before, next, read, pipelineOf: (item) => this.pipelineOf(item) };
    // What was removed first: whether something may come again depends on it.
    const { removal, ...others } = this.actions;
    for (const one of [removal, ...Object.values(others)]) one?.check(commit);
  }

  /** The database's clock is about to be set, it shows this: what was granted before happened at other times. */
  clockSet(now: number): void {
    this.#grants.clear();
    this.actions.deadlines?.clockSet(now);
  }

  laneOf(run: Run): LaneRow | undefined {
    return this.#lanes.get(run[4]);
  }

  lanes(): LaneRow[] {
    return [...this.#lanes.values()];
  }

  /** Some lane of the item's pipeline version. */
  pipelineOf(item: string): LaneRow | undefined {
    const id = this.last.items.find(([one]) => one === item)?.[3];
    return this.lanes().find((lane) => lane.pipeline_id === id);
  }

  /** The closed valves over one stage. */
  closedOver(pipeline: string, version: number, stage: string, service = ""): Snapshot["valves"] {
    const covers = (scope: string | number | null, one: string | number) => scope === null || scope === one;
    return this.last.valves.filter(
      ([p, s, , v, , of]) => covers(p, pipeline) && covers(s, stage) && covers(v, version) && covers(of, service),
    );
  }

  /** A process has looked which of its items are still its own. */
  informs(party: Party): void {
    this.#informed.set(party, this.#looks);
  }

  /** Whether an item was taken from this process by hand, and it cannot know that yet. */
  isNewsTo(process: Party & { readonly epochs: readonly string[] }, item: string): boolean {
    const taken = this.#taken.get(item);
    if (taken === undefined || !process.epochs.includes(taken.epoch ?? "")) return false;
    return (this.#informed.get(process) ?? 0) < taken.at;
  }

  stateOf(item: string): number | undefined {
    return this.#paths.get(item)?.ended;
  }

  /** How many series an item has begun. */
  seriesOf(item: string): number {
    return this.#paths.get(item)?.series ?? 0;
  }

  ended(state: number): string[] {
    return [...this.#paths].filter(([, path]) => path.ended === state).map(([id]) => id);
  }

  #learnLanes(next: Snapshot, now: string): void {
    const places = new Set([...this.#lanes.values()].map((lane) => `${lane.pipeline_id}/${lane.stage}`));
    const pipelines = new Map(next.items.map((item) => [item[0], item[3]]));
    // What is handed on keeps its lane, so its stage may be one whose lane was made after we looked.
    const isKnown = (run: Run) => this.#lanes.has(run[4]) && places.has(`${pipelines.get(run[0])}/${run[5]}`);
    // An item may have entered and left such a stage between two looks.
    const wasKnown = ([, item, , , , stage]: Snapshot["journal"][number]) =>
      item === null || places.has(`${pipelines.get(item)}/${stage ?? 0}`);
    if (next.runs.every(isKnown) && next.journal.every(wasKnown) && this.#lanes.size > 0) return;
    this.#lanes = new Map(this.#session.run<LaneRow>(LANES, [], now).map((lane) => [lane.id, lane]));
  }

  #followJournal(before: Snapshot, next: Snapshot): void {
    const owners = new Map(before.runs.map((run) => [run[0], run]));
    const pipelines = new Map(next.items.map((item) => [item[0], item[3]]));
    for (const entry of next.journal) {
      this.#seq = entry[0];
      const item = entry[1];
      if (item === null) continue;
      const lane = [...this.#lanes.values()].find(
        (one) => one.pipeline_id === pipelines.get(item) && one.stage === (entry[5] ?? 0),
      );
      if (lane === undefined)
        throw new Violation("legal path", `item ${item} has an event in a stage that does not exist`);
      if (entry[4] === 12 || entry[4] === 22) this.#retried.add(next.items.find((one) => one[0] === item)?.[1] ?? "");
      const path = follow(this.#paths.get(item), entry, owners.get(item), {
        stages: lane.stages,
        attemptsMax: this.#truths.attemptsMax(lane.pipeline, lane.stage_name),
        workers: next.workers,
        watches: before.watches,
        isPart: next.items.find((one) => one[0] === item)?.[5] != null,
        counts: this.#counts,
      });
      this.#paths.set(item, path);
      const was = owners.get(item);
      if (was?.[6] === 1 && (TAKES.has(entry[4]) || entry[10] === "DEADLINE"))
        this.#taken.set(item, { epoch: was[2], at: this.#looks + 1 });
    }
  }

  #checkRuns(before: Snapshot, next: Snapshot): void {
    const former = new Map(before.runs.map((run) => [run[0], run]));
    const alive = new Set(before.workers.filter(([, state]) => state === 0).map(([epoch]) => epoch));
    const held = new Map<string, number>();
    for (const run of next.runs) {
      const [id, , epoch, version, lane, stage, state, attempts, series] = run;
      const was = former.get(id);
      const known = this.#versions.get(id) ?? -1;
      const changed =
        was !== undefined && (was[2] !== epoch || was[6] !== state || was[5] !== stage || was[4] !== lane);
      if (version < known || (changed && version === known)) {
        throw new Violation("one owner", `item ${id} changed without a new version: ${JSON.stringify([was, run])}`);
      }
      this.#versions.set(id, version);
      const path = this.#paths.get(id);
      if (path === undefined) throw new Violation("nothing forgotten", `item ${id} has a run row and no history`);
      if (path.stage !== stage || path.series !== series) {
        throw new Violation(
          "no gap",
          `item ${id} is in stage ${stage}, series ${series}; its history says ${path.stage}, ${path.series}`,
        );
      }
      if (path.attempts !== attempts)
        throw new Violation("attempts", `item ${id} stands at ${attempts} attempts; its history says ${path.attempts}`);
      if (state === 1 && version !== was?.[3]) this.#checkTaken(run, alive);
      if (state === 0 && this.laneOf(run)?.stage !== stage)
        throw new Violation("nothing forgotten", `item ${id} waits in a lane of another stage`);
      if (state !== 0) {
        const place = `${this.laneOf(run)?.pipeline_id}/${stage}`;
        held.set(place, (held.get(place) ?? 0) + 1);
      }
    }
    this.#checkCapacity(held);
    this.#counts.add("checked: one owner", next.runs.length);
  }

  /** A lease that has just begun, by claim or by hand-off. */
  #checkTaken(run: Run, alive: ReadonlySet<string>): void {
    const [id, , epoch, , , stage, , , , , , , , , isManual] = run;
    if (epoch === null || !alive.has(epoch))
      throw new Violation("one owner", `item ${id} was taken by a worker that is not alive`);
    const lane = this.laneOf(run);
    const name =
      [...this.#lanes.values()].find((one) => one.pipeline_id === lane?.pipeline_id && one.stage === stage)
        ?.stage_name ?? "";
    const { pipeline, version } = lane ?? { pipeline: "", version: 0 };
    if (!this.#truths.hasCode(epoch, pipeline, version))
      throw new Violation("version", `item ${id} of ${pipeline}@${version} was taken by a worker without its code`);
    this.#counts.add("checked: version");
    // Handed on, it keeps the lane it came from, and nobody is handed to a service.
    const service = lane?.stage === stage ? lane.service : "";
    const probe = this.last.services.find(([one]) => one === service)?.[2];
    const closed = this.closedOver(pipeline, version, name, service).filter(([, , , , kind]) =>
      kind === "breaker" ? probe !== epoch : !isManual,
    );
    if (closed.length > 0)
      throw new Violation("closed means closed", `item ${id} was taken in ${name}, which is closed`);
    if (this.last.valves.length > 0) this.#counts.add("checked: closed means closed");
    if (isManual) this.#counts.add("taken by a pass");
  }

  #checkCapacity(held: ReadonlyMap<string, number>): void {
    for (const lane of this.#lanes.values()) {
      if (lane.cap === null) continue;
      const taken = held.get(`${lane.pipeline_id}/${lane.stage}`) ?? 0;
      if (taken > lane.cap)
        throw new Violation("capacity", `${taken} items in ${lane.stage_name}, which takes ${lane.cap}`);
      if (taken === lane.cap) this.#counts.add("checked: capacity");
    }
  }

  #checkItems(next: Snapshot): void {
    const live = new Set(next.runs.map((run) => run[0]));
    const stored = new Set<string>();
    for (const [id, , state] of next.items) {
      stored.add(id);
      if ((state === 0) !== live.has(id))
        throw new Violation(
          "nothing forgotten",
          `item ${id} has state ${state} and ${live.has(id) ? "a" : "no"} run row`,
        );
      if (this.#paths.get(id)?.ended !== state)
        throw new Violation(
          "legal path",
          `item ${id} has state ${state}; its history says ${this.#paths.get(id)?.ended}`,
        );
    }
    for (const id of this.acknowledged)
      if (!stored.has(id) && this.actions.removal?.mayBeGone(id) !== true)
        throw new Violation("acknowledged", `item ${id} was accepted and is not there`);
    this.#counts.add("checked: nothing forgotten", next.items.length);
    this.#counts.add("checked: acknowledged", this.acknowledged.size);
  }

  /** A key that is unique while its request lives stays taken for as long. */
  #checkKeys(next: Snapshot): void {
    for (const [key, request, scope] of next.keys) if (scope === "live") this.#liveKeys.set(request, key);
    const taken = new Set(next.keys.map(([key]) => key));
    for (const [id, , key, total, completed, failed, cancelled] of next.requests) {
      if (key === null || completed + failed + cancelled === total || this.#retried.has(id)) continue;
      if (this.actions.removal?.isAsked(id) === true) continue;
      if (this.#liveKeys.get(id) !== key) continue;
      if (!taken.has(key)) throw new Violation("keys", `request ${id} lives and its key ${key} is free`);
      this.#counts.add("checked: keys");
    }
  }
}
