// How long calls took and how often checkpoints were gone on from, as workers added it up.

import type { Queryable } from "../db/database.ts";
import { endOf, LENGTH_HIGHEST } from "../explain/lengths.ts";
import { type MeasureRow, measuresOf, type ServiceUserRow, serviceUsers } from "./measures.sql.ts";

/** Whose work it was; null where it was for no pipeline's. */
interface Whose {
  readonly pipeline: string | null;
  readonly version: number | null;
}

export interface CallLengths extends Whose {
  readonly service: string;
  readonly times: number;
  readonly totalMs: number;
  /** How many took less than so long, each step with its own count. Not sorted into anybody's buckets. */
  readonly steps: readonly { readonly belowMs: number; readonly times: number }[];
}

export interface Resumes extends Whose {
  readonly stage: string | null;
  readonly times: number;
}

export type ServiceUser = ServiceUserRow;

export async function readCallLengths(db: Queryable): Promise<CallLengths[]> {
  const groups = Map.groupBy(
    await measuresOf(db, "call"),
    ({ pipeline, version, service }) => `${pipeline} ${version} ${service}`,
  );
  return [...groups.values()].map(added);
}

function added(rows: readonly MeasureRow[]): CallLengths {
  const [{ pipeline, version, service }] = rows as [MeasureRow]; // a group has at least one
  const steps = rows.map(({ length, times }) => ({
    belowMs: length >= LENGTH_HIGHEST ? Number.POSITIVE_INFINITY : endOf(length),
    times: Number(times),
  }));
  const times = steps.reduce((sum, one) => sum + one.times, 0);
  return { pipeline, version, service, times, totalMs: rows.reduce((sum, { ms }) => sum + ms, 0), steps };
}

export async function readResumes(db: Queryable): Promise<Resumes[]> {
  const rows = await measuresOf(db, "resume");
  return rows.map(({ pipeline, version, stage, times }) => ({ pipeline, version, stage, times: Number(times) }));
}

export async function readServiceUsers(db: Queryable): Promise<ServiceUser[]> {
  return await serviceUsers(db);
}
