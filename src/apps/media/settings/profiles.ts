// Quality profiles as they are set. The standard one is always there, changed or not.

import { InputError, type Queryable, SluiceError } from "../../../engine/index.ts";
import { type QualityProfile, qualityProfileSchema, standardProfile } from "../releases/index.ts";
import { checkName, checkRoom, notThere } from "./check.ts";
import { dropProfile, listProfiles, setProfile } from "./settings.sql.ts";

const MOST = 100;
export const STANDARD = standardProfile.name;

export async function profiles(db: Queryable): Promise<QualityProfile[]> {
  const set = (await listProfiles(db)).map(({ profile }) => profile);
  return set.some(({ name }) => name === STANDARD) ? set : [standardProfile, ...set];
}

/** Undefined where there is none of that name. */
export async function profileNamed(db: Queryable, name = STANDARD): Promise<QualityProfile | undefined> {
  return (await profiles(db)).find((one) => one.name === name);
}

/** What is left out is as in the standard one; in that, as it came. */
export async function saveProfile(
  tx: Queryable,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<QualityProfile> {
  checkName(name);
  const base = name === STANDARD ? standardProfile : await profileNamed(tx);
  const profile = checkedProfile({ ...base, ...given, name });
  checkRoom(await listProfiles(tx), name, MOST, "profiles");
  await setProfile(tx, { name, profile });
  return profile;
}

export async function removeProfile(tx: Queryable, name: string): Promise<void> {
  if (name === STANDARD)
    throw new SluiceError("REFUSED", "the standard profile is always there; it can be changed, and not removed");
  if (!(await dropProfile(tx, name))) throw notThere("profile", name);
}

export function checkedProfile(given: unknown): QualityProfile {
  const read = qualityProfileSchema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join(".") || "profile";
  throw new InputError(field, `${field}: ${issue?.message ?? "not as it has to be"}`);
}
