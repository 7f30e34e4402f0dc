// What an explanation is made from. Pure data.

import { type EndState, endStateName, RUN_STATE, WORKER_STATE } from "../items/codes.ts";
import { hasMoved, type Job, stallsAt, watchedState } from "../items/stall.ts";
import { roomIn, waitMs } from "../services/rate.ts";
import type { FactsRow } from "./explain.sql.ts";
import type { LaneFactsRow } from "./lane-facts.sql.ts";
import type { StageFacts } from "./state.ts";

/** What keeps an item that is due, of its lane and of nothing else. */
export interface LaneStanding {
  /** Whose lane it is in; null where that is nobody's. */
  readonly service: ServiceFacts | null;
  /** The oldest closed valve over its lane, and how many there are. */
  readonly valve: Valve | null;
  readonly lane: Lane;
}

export interface Facts extends LaneStanding {
  /** By the database's clock. */
  readonly now: Date;
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  readonly attemptsMax: number | null;
  /** How it ended; null while it lives. */
  readonly end: Ending | null;
  /** Null when it has ended; anything else would be a bug. */
  readonly run: Run | null;
  /** What goes on outside while it is watched; null while nothing is. */
  readonly outside: OutsideFacts | null;
  readonly waiter: Waiter | null;
  readonly question: Question | null;
  /** What the stage said of its wait, in place of the reason's own words. */
  readonly note: string | null;
  readonly fault: { readonly code: string | null; readonly message: string | null } | null;
  readonly holder: { readonly name: string; readonly isAlive: boolean } | null;
}

export interface Ending {
  readonly state: EndState;
  readonly at: Date;
  readonly attempt: number | null;
  readonly code: string | null;
  readonly message: string | null;
  /** Of one that failed: another request has its unique key now. */
  readonly isKeyTaken: boolean;
}

export interface Run {
  readonly state: number;
  readonly reason: string | null;
  readonly since: Date;
  /** Null: only something else can end its wait. */
  readonly readyAt: Date | null;
  /** By the database: a Date has lost the microseconds that decide it. */
  readonly isDue: boolean;
  /** When it fails unless it has ended; null where it has all the time in the world. */
  readonly deadline: Date | null;
  readonly attempts: number;
}

export interface Valve {
  readonly kind: string;
  readonly service: string | null;
  readonly note: string | null;
  readonly changedAt: Date;
  readonly until: Date | null;
  readonly count: number;
  /** No breaker is among them: a person may let an item through. */
  readonly isPassable: boolean;
}

export interface OutsideFacts {
  readonly ref: string;
  readonly state: Job["state"];
  readonly progress: number | null;
  /** When it last moved, was started or was let go on. */
  readonly activeAt: Date;
  readonly hasMoved: boolean;
  /** Somebody is there who asks how it stands. */
  readonly isLookedAfter: boolean;
  /** What is told while it stands in line, where the stage has words for that. */
  readonly inLine?: string | undefined;
  /** When it counts as stalled if nothing moves before; null while no clock or nobody runs, or its limits are not known here. */
  readonly stallsAt: Date | null;
}

/** What of a service may keep an item in its lane. */
export interface ServiceFacts {
  readonly name: string;
  readonly isOpen: boolean;
  readonly changedAt: Date;
  readonly probeAt: Date | null;
  /** Null where nobody has to wait for it. */
  readonly busyUntil: Date | null;
  readonly code: string | null;
  readonly message: string | null;
  /** Null where there is room. */
  readonly capacity: number | null;
  readonly ramp: number | null;
  /** When there is room again in its rate, and what that is; null where there is room. */
  readonly rate: { readonly count: number; readonly perMs: number; readonly until: Date } | null;
}

export interface Lane {
  readonly cap: number | null;
  /** How many of its places are taken. */
  readonly inside: number;
  /** How many items of one key may be in it; null where there is no limit, or its key has places left. */
  readonly perKey: number | null;
  /** How many due items the claim meets first. */
  readonly ahead: number;
  /** How many live workers have the code for this pipeline version. */
  readonly liveWorkers: number;
}

export interface Waiter {
  readonly kind: "signal" | "item" | "children";
  readonly key: string;
  readonly children: { readonly total: number; readonly ended: number } | null;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly options: readonly string[] | null;
  readonly fallbackAt: Date | null;
}

export function toFacts(row: FactsRow, stages: readonly StageFacts[] | undefined): Facts {
  const index = row.stage ?? 0;
  return {
    now: row.now,
    pipeline: row.pipeline,
    version: row.pipeline_version,
    stage: row.stages[index] ?? `stage ${index}`,
    attemptsMax: stages?.[index]?.attemptsMax ?? null,
    end: endingOf(row),
    run: runOf(row),
    outside: outsideOf(row, stages?.[index]),
    ...(row.lane === null ? NO_LANE : standingOf(row, { keyIsFull: row.key_is_full, ahead: row.ahead })),
    waiter: waiterOf(row),
    question: questionOf(row),
    note: row.note,
    fault: row.fault_code === null ? null : { code: row.fault_code, message: row.fault_message },
    holder:
      row.holder_name === null ? null : { name: row.holder_name, isAlive: row.holder_state === WORKER_STATE.alive },
  };
}

const NO_LANE: LaneStanding = {
  service: null,
  valve: null,
  lane: { cap: null, inside: 0, perKey: null, ahead: 0, liveWorkers: 0 },
};

/** How a lane stands to one of its items. */
export function standingOf(
  row: LaneFactsRow,
  { keyIsFull, ahead }: { readonly keyIsFull: boolean; readonly ahead: number },
): LaneStanding {
  const { cap, inside, per_key: perKey, live_workers: liveWorkers } = row;
  return {
    service: serviceOf(row),
    valve: valveOf(row),
    lane: { cap, inside, perKey: keyIsFull ? perKey : null, ahead, liveWorkers },
  };
}

function endingOf(row: FactsRow): Ending | null {
  const state = endStateName(row.item_state);
  if (state === undefined) return null;
  const at = row.finished_at ?? row.created_at;
  const { end_attempt: attempt, end_code: code, end_message: message, key_taken: isKeyTaken } = row;
  return { state, at, attempt, code, message, isKeyTaken };
}

function runOf(row: FactsRow): Run | null {
  if (row.run_state === null || row.since === null) return null;
  const { run_state: state, reason, since, ready_at: readyAt, is_due: isDue } = row;
  return { state, reason, since, readyAt, isDue, deadline: row.deadline_at, attempts: row.attempts ?? 0 };
}

function valveOf(row: LaneFactsRow): Valve | null {
  const { valve_kind: kind, valve_changed_at: changedAt } = row;
  if (kind === null || changedAt === null) return null;
  const { valve_service: service, valve_note: note, valve_until: until, valves: count } = row;
  return { kind, service, note, changedAt, until, count, isPassable: !row.valve_has_breaker };
}

function outsideOf(row: FactsRow, stage: StageFacts | undefined): OutsideFacts | null {
  const { ref, active_ms: activeMs, reason, progress } = row;
  if (row.run_state !== RUN_STATE.watched || ref === null || activeMs === null) return null;
  const inLine = stage?.outside?.inLine;
  const state = watchedState(reason, inLine !== undefined && row.marks === null);
  const job: Job = { state, marks: row.marks ?? {}, progress, activeAt: activeMs };
  const service = { isDown: row.service_open === true, resumedAt: row.resumed_ms ?? 0 };
  const isLookedAfter = row.live_workers !== null && row.live_workers > 0;
  const rules = isLookedAfter ? stage?.outside?.stall : undefined;
  const at = rules === undefined ? null : stallsAt(job, rules, service);
  return {
    ref,
    state,
    progress,
    activeAt: new Date(activeMs),
    hasMoved: hasMoved(job.marks),
    isLookedAfter,
    inLine,
    stallsAt: at === null ? null : new Date(at),
  };
}

function serviceOf(row: LaneFactsRow): ServiceFacts | null {
  const { service: name, service_changed_at: changedAt, service_capacity: capacity, service_ramp: ramp } = row;
  if (name === null || changedAt === null) return null;
  const isFull = capacity !== null && row.takes_capacity === true && row.service_inside >= capacity;
  return {
    name,
    isOpen: row.service_open,
    changedAt,
    probeAt: row.service_probe_at,
    busyUntil: row.service_is_busy ? row.service_busy_until : null,
    code: row.service_code,
    message: row.service_message,
    capacity: isFull ? capacity : null,
    ramp: ramp !== null && row.service_leased >= ramp ? ramp : null,
    rate: rateOf(row),
  };
}

function rateOf(row: LaneFactsRow): ServiceFacts["rate"] {
  const { service_limit_count: count, service_limit_ms: perMs, service_grants: grants, now_ms: nowMs } = row;
  if (count === null || perMs === null || grants === null) return null;
  const limit = { count, perMs };
  if (roomIn(grants, limit, nowMs) > 0) return null;
  return { ...limit, until: new Date(nowMs + waitMs(grants, limit, nowMs)) };
}

function waiterOf(row: FactsRow): Waiter | null {
  const { waiter_kind: kind, waiter_key: key, children_total: total, children_ended: ended } = row;
  if (kind === null || key === null) return null;
  return { kind, key, children: total === null || ended === null ? null : { total, ended } };
}

function questionOf(row: FactsRow): Question | null {
  const { question_id: id, question_text: text, question_options: options, question_fallback_at: fallbackAt } = row;
  return id === null || text === null ? null : { id, text, options, fallbackAt };
}
