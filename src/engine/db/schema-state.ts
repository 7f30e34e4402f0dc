// Which schema a database has, and whether this release can work on it.

import { SluiceError } from "../../kit/index.ts";

/** The number of the newest migration this release knows. */
export const SCHEMA_VERSION = 20;
/** The oldest release that can work on that schema, by the same number. Raised when a release contracts. */
export const SCHEMA_MINIMUM = 1;

export interface SchemaState {
  readonly version: number;
  readonly minimum: number;
}

/** Throws when this release is too old for it. */
export function isCurrent(stored: SchemaState | undefined): boolean {
  if (stored !== undefined && stored.minimum > SCHEMA_VERSION) throw tooOld(stored);
  return stored !== undefined && stored.version >= SCHEMA_VERSION;
}

function tooOld(stored: SchemaState): SluiceError {
  return new SluiceError(
    "RELEASE_TOO_OLD",
    `the database is at schema ${stored.version}, which needs a release that knows at least schema ${stored.minimum}; ` +
      `this one knows schema ${SCHEMA_VERSION}. Install a newer release of sluice`,
  );
}
