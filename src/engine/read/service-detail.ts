// One service, for whoever wants to know what is the matter with it.

import { formatId, type ItemId, orElse, SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { remainderOf } from "../explain/lengths.ts";
import { listServices } from "../services/service.sql.ts";
import type { Lengths } from "./figures.ts";
import { type ServiceState, serviceState } from "./service.ts";
import { serviceAffects, serviceCalls, serviceErrors, serviceTurns } from "./service-detail.sql.ts";

export interface ServiceDetail extends ServiceState {
  /** Faults that items met in stages which go through it, newest first; of the newest rows of the journal. */
  readonly errors: readonly ServiceError[];
  /** Within a week, newest first. */
  readonly turns: readonly ServiceTurn[];
  /** The stages whose work goes through it. */
  readonly affects: readonly Affected[];
  /** Of its calls since the installation began; null where there was none. */
  readonly calls: Lengths | null;
}

export interface ServiceError {
  readonly at: Date;
  readonly item: ItemId;
  readonly pipeline: string;
  readonly stage: string;
  readonly code: string;
  readonly message: string | null;
}

export interface ServiceTurn {
  readonly at: Date;
  readonly turned: "opened" | "closed";
  /** Why it opened. */
  readonly code: string | null;
  readonly message: string | null;
  /** Of one that closed: how long it was open, where that is known. */
  readonly openMs: number | null;
}

export interface Affected {
  readonly pipeline: string;
  readonly version: number;
  readonly stage: string;
  /** In line for it, due or not; counted up to 10,000 for each priority. */
  readonly waiting: number;
  readonly running: number;
}

export interface ServiceOptions {
  /** False leaves out the faults that items met, which are looked for among the newest rows of the journal. */
  readonly errors?: boolean | undefined;
}

const ERRORS_MOST = 20;
const TURNS_MOST = 50;

export async function readService(
  db: Queryable,
  name: string,
  { errors: readsErrors = true }: ServiceOptions = {},
): Promise<ServiceDetail> {
  const all = await listServices(db);
  const row = all.find((one) => one.name === name);
  if (row === undefined) {
    const known = all.map((one) => one.name);
    throw new SluiceError("NOT_FOUND", `there is no service ${name}; ${orElse(name, known)}`, { field: "service" });
  }
  const errors = readsErrors ? await serviceErrors(db, name, ERRORS_MOST) : [];
  const turns = await serviceTurns(db, name, TURNS_MOST);
  const lengths = await serviceCalls(db, name);
  const calls = remainderOf(new Map(lengths.map((one) => [one.length, one.times])));
  return {
    ...serviceState(row),
    errors: errors.map(({ item_id, ...error }) => ({ ...error, item: formatId("item", item_id) })),
    turns: turns.map((turn, index) => ({ ...told(turn), openMs: openMs(turn, turns[index + 1]) })),
    affects: await serviceAffects(db, name),
    calls:
      calls.samples === 0
        ? null
        : { p50Ms: calls.quantile(0.5), p90Ms: calls.quantile(0.9), samples: Math.round(calls.samples) },
  };
}

type Turn = Omit<ServiceTurn, "openMs">;

/** What it said when it opened is no news when it closes. */
function told({ at, turned, code, message }: Turn): Turn {
  return turned === "opened" ? { at, turned, code, message } : { at, turned, code: null, message: null };
}

function openMs(turn: Turn, before: Turn | undefined): number | null {
  if (turn.turned !== "closed" || before?.turned !== "opened") return null;
  return turn.at.getTime() - before.at.getTime();
}
