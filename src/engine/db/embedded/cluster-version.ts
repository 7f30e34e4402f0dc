// A data folder belongs to one major version of PostgreSQL; another one cannot read it, and says so only in its log.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedDatabaseError, hasCode } from "./error.ts";
import type { Binaries, Place } from "./site.ts";

export function majorOf(version: string): string {
  return version.split(".")[0] ?? version;
}

/** The major version the folder was made by; undefined when there is no database in it yet. */
export async function clusterMajor(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

export function refuseOtherMajor(place: Place, found: string, binaries: Binaries): void {
  const ours = majorOf(binaries.version);
  if (found === ours) return;
  throw new EmbeddedDatabaseError(
    "WRONG_MAJOR",
    `The database in ${place.cluster} was made by PostgreSQL ${found}; this version of Sluice brings PostgreSQL ${ours}, which cannot read it. ` +
      `Either go on with the version of Sluice that made it, or dump it with the pg_dump of PostgreSQL ${found}, move the folder ${place.home} away, start again and restore the dump.`,
  );
}
