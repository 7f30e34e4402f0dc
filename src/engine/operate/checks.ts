// What people say when they act, before it is stored.

import { checkText, InputError } from "../../kit/index.ts";
import { KEY_BYTES, OWNER_BYTES } from "../intake/limits.ts";
import type { ValveScope } from "./valve.sql.ts";

const NOTE_BYTES = 2_000;

/** Who does it, for the audit. */
export function checkActor(by: string): string {
  return checkText(by, "by", OWNER_BYTES);
}

export function checkOwner(owner: string): string {
  return checkText(owner, "owner", OWNER_BYTES);
}

export function checkServiceName(name: string): string {
  return checkText(name, "service", OWNER_BYTES);
}

/** Of a finder or a schedule. */
export function checkName(name: string): string {
  return checkText(name, "name", OWNER_BYTES);
}

export function checkNote(note: string | undefined): string | null {
  return note === undefined ? null : checkText(note, "note", NOTE_BYTES);
}

/** A scope that is empty means everything; one with a wrong field in it must not come to mean that. */
export function checkScope(scope: ValveScope): ValveScope {
  if (typeof scope !== "object" || scope === null) {
    throw new InputError(
      "scope",
      "scope is an object with pipeline, version and stage, or an empty one for everything",
    );
  }
  const { pipeline, version, stage } = scope;
  for (const name of Object.keys(scope)) {
    if (!["pipeline", "version", "stage"].includes(name))
      throw new InputError("scope", `scope has no ${JSON.stringify(name)}`);
  }
  if (pipeline !== undefined) checkText(pipeline, "pipeline", OWNER_BYTES);
  if (stage !== undefined) checkText(stage, "stage", OWNER_BYTES);
  if (version !== undefined && !(Number.isInteger(version) && version > 0 && version <= 1_000_000)) {
    throw new InputError("version", `version must be a whole number from 1, got ${String(version)}`);
  }
  return { pipeline, version, stage };
}

export function checkSignalKey(key: string): void {
  checkText(key, "key", KEY_BYTES);
}
