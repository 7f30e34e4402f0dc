// How many requests stand how, by the pipeline of their first item.

import type { Queryable } from "../db/database.ts";
import { type RequestStatus, rollUp } from "../intake/rollup.ts";
import { requestFigures } from "./request-figures.sql.ts";

export interface RequestFigures {
  readonly pipeline: string;
  readonly version: number;
  readonly status: RequestStatus;
  readonly requests: number;
}

export async function readRequestFigures(db: Queryable): Promise<RequestFigures[]> {
  const sums = new Map<string, RequestFigures>();
  for (const row of await requestFigures(db)) {
    const { pipeline, version } = row;
    const status = rollUp(row, row.has_begun);
    const key = `${pipeline} ${version} ${status}`;
    sums.set(key, { pipeline, version, status, requests: (sums.get(key)?.requests ?? 0) + row.requests });
  }
  return [...sums.values()];
}
