// The test of the metadata service: is it there, does it take the key, does it know a film.

import { type Keyed, metadataOf } from "../clients/clients.ts";
import type { MetadataRow } from "../settings/settings.sql.ts";
import { type Tested, type TrialOptions, trial } from "./steps.ts";

/** One that every catalogue of films has. */
const FILM = "Metropolis";
const OWN = "TMDB";

export async function testMetadata(keyed: Keyed<MetadataRow>, options: TrialOptions): Promise<Tested> {
  const { row, secret } = keyed;
  return await trial(options, async (steps) => {
    steps.hide(secret);
    if (secret === undefined) return steps.bad("looked for a key", "no key of TMDB is set", "METADATA_NOT_SET");
    const metadata = metadataOf(keyed);
    const asked = "used the key";
    const [first] = await steps.reach(
      row.url ?? OWN,
      () => asked,
      () => metadata.searchFilms(FILM, null, { signal: steps.signal }),
    );
    steps.well(asked, "it is accepted");
    const year = first?.date?.slice(0, 4);
    steps.well(
      `searched for ${FILM}`,
      first === undefined ? "no film of that name, which is an answer" : `${first.title}${year ? ` (${year})` : ""}`,
    );
  });
}
