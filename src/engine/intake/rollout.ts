// Which version a request gets that names none: the rollout decides, read for every submission, so that a change holds for all
// processes at once.

import { SluiceError } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { rolloutOf } from "../operate/rollout.sql.ts";
import { versionAt } from "./shares.ts";

/** A request's place on the line of a hundred, and the version that had it when it was asked. */
export interface Chosen {
  readonly place: number;
  readonly version: number;
}

/** Without a rollout it is the given one. */
export async function choose(db: Queryable, pipeline: string, place: number, otherwise: number): Promise<Chosen> {
  const shares = await rolloutOf(db, pipeline);
  return { place, version: shares === undefined ? otherwise : versionAt(shares, place) };
}

/** Asked again where it is stored: between the two the schema looked at the inputs, which may take as long as it likes. */
export async function mustStillHold(tx: Queryable, pipeline: string, { place, version }: Chosen): Promise<void> {
  if ((await choose(tx, pipeline, place, version)).version !== version) throw new RolloutMoved(pipeline);
}

export class RolloutMoved extends SluiceError {
  constructor(pipeline: string) {
    super("ROLLOUT_MOVED", `the rollout of ${pipeline} changed at the same moment; submit again`, {
      field: "pipeline",
    });
  }
}
