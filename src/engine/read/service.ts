// A service as others see it.

import { limitOf } from "../services/grants.sql.ts";
import type { ServiceRow } from "../services/service.sql.ts";

export interface ServiceState {
  readonly name: string;
  /** `down`: nothing of it is called but a probe. `ramping`: it has just come back. `busy`: it asked us to wait. */
  readonly state: "well" | "down" | "ramping" | "busy";
  /** Since when it is down, or is not any more. */
  readonly since: Date;
  /** When it is looked at again, or may be called again. */
  readonly until: Date | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly capacity: number | null;
  /** While it ramps: how many at a time. */
  readonly ramp: number | null;
  readonly limit: { readonly count: number; readonly perMs: number } | null;
}

export function serviceState(row: ServiceRow): ServiceState {
  const { name, code, message, capacity } = row;
  const isBusy = row.busy_until !== null && row.busy_until > row.now;
  const until = row.is_open ? row.probe_at : isBusy ? row.busy_until : null;
  return {
    name,
    state: row.is_open ? "down" : isBusy ? "busy" : row.ramp === null ? "well" : "ramping",
    since: new Date(row.changed_at),
    until: until === null ? null : new Date(until),
    code,
    message,
    capacity,
    ramp: row.ramp,
    limit: limitOf(row),
  };
}
