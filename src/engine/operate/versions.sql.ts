// Versions of a pipeline as the database knows them: those that some process was ever started with.

import { InputError } from "../../kit/index.ts";
import type { Queryable, Statement } from "../db/database.ts";

export interface KnownVersion {
  readonly version: number;
  readonly stages: readonly string[];
}

const KNOWN: Statement = {
  name: "known-versions",
  text: `select version, stages from sluice.pipeline where name = $1 order by version`,
};

/** Never none: an unknown pipeline, or an unknown version of one where one is given, is an InputError. */
export async function knownVersions(db: Queryable, pipeline: string, version?: number): Promise<KnownVersion[]> {
  const known = await db.query<KnownVersion>(KNOWN, [pipeline]);
  if (known.length === 0) throw new InputError("pipeline", `no process was ever started with a pipeline ${pipeline}`);
  const wanted = known.filter((one) => version === undefined || one.version === version);
  if (wanted.length === 0) {
    const all = known.map((one) => one.version).join(", ");
    throw new InputError("version", `pipeline ${pipeline} has no version ${version}; known here: ${all}`);
  }
  return wanted;
}
