// Encoding profiles as they are set. Those that come along are always there, changed or not.

import { type EncodingProfile, encodingProfile } from "../../../connectors/index.ts";
import { InputError, type Queryable, SluiceError } from "../../../engine/index.ts";
import { orElse } from "../../../kit/index.ts";
import { checkName, checkRoom, notThere } from "./check.ts";
import { dropEncoding, listEncodings, setEncoding } from "./encodings.sql.ts";

const MOST = 100;

/** For what nearly everything plays, for a smaller file, and for the smallest. */
const OWN: readonly EncodingProfile[] = (["h264", "hevc", "av1"] as const).map((codec) =>
  encodingProfile.parse({ name: codec, codec }),
);

/** The part of a film that goes as it was found; no profile is called so. */
export const ORIGINAL = "original";

export interface SetEncoding {
  readonly profile: EncodingProfile;
  /** One that came along, as it came. */
  readonly isAsItCame: boolean;
}

export async function encodings(db: Queryable): Promise<SetEncoding[]> {
  const set = (await listEncodings(db)).map(({ profile }) => ({ profile, isAsItCame: false }));
  const own = OWN.filter(({ name }) => !set.some(({ profile }) => profile.name === name));
  return [...own.map((profile) => ({ profile, isAsItCame: true })), ...set].sort((a, b) =>
    a.profile.name < b.profile.name ? -1 : 1,
  );
}

/** What is left out is as it usually is with that codec. */
export async function saveEncoding(
  tx: Queryable,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<SetEncoding> {
  checkName(name);
  if (name === ORIGINAL) throw new InputError("name", `name: ${ORIGINAL} is what is delivered as it was found`);
  const profile = checkedEncoding({ ...given, name });
  checkRoom(await listEncodings(tx), name, MOST, "encodings");
  await setEncoding(tx, { name, profile });
  return { profile, isAsItCame: false };
}

export async function removeEncoding(tx: Queryable, name: string): Promise<void> {
  if (await dropEncoding(tx, name)) return;
  if (OWN.some((one) => one.name === name))
    throw new SluiceError("REFUSED", `${name} is always there; it can be changed, and not removed`);
  throw notThere("encoding", name);
}

/** Those that targets name, each once and whole: what somebody asked for stays so, whatever is set later. */
export async function encodingsFor(
  db: Queryable,
  targets: readonly { readonly encoding: string | null }[],
): Promise<EncodingProfile[]> {
  const named = [...new Set(targets.flatMap(({ encoding }) => (encoding === null ? [] : [encoding])))];
  if (named.length === 0) return [];
  const known = (await encodings(db)).map(({ profile }) => profile);
  return named.map((name) => {
    const found = known.find((one) => one.name === name);
    if (found !== undefined) return found;
    const instead = orElse(
      name,
      known.map((one) => one.name),
    );
    throw new InputError("targets", `there is no encoding ${JSON.stringify(name)}; ${instead}`);
  });
}

function checkedEncoding(given: unknown): EncodingProfile {
  const read = encodingProfile.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join(".") || "encoding";
  throw new InputError(field, `${field}: ${issue?.message ?? "not as it has to be"}`);
}
