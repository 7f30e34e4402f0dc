// The test of an indexer: is it there, what is it, does it search.

import type { IndexerCaps, SearchAbility } from "../../../connectors/index.ts";
import { indexerOf, type Keyed } from "../clients/clients.ts";
import type { IndexerRow } from "../settings/settings.sql.ts";
import { type Tested, type TrialOptions, trial } from "./steps.ts";

export async function testIndexer(keyed: Keyed<IndexerRow>, options: TrialOptions): Promise<Tested> {
  const indexer = indexerOf(keyed, { pages: 1 });
  return await trial(options, async (steps) => {
    steps.hide(keyed.secret);
    const { signal } = steps;
    const asked = "asked what it can search";
    const caps = await steps.reach(
      keyed.row.url,
      () => asked,
      () => indexer.caps({ signal }),
    );
    if (caps.search === null && caps.film === null && caps.tv === null)
      return steps.bad(asked, `${title(caps)} searches for nothing that is wanted here`, "NO_SEARCH");
    steps.well(asked, `${title(caps)}: ${searches(caps)}`);
    // A word that is in many names; nothing found is an answer as well.
    await steps.take(
      caps.film === null && caps.search === null ? "searched for a series" : "searched for a film",
      () =>
        indexer.search(
          caps.film === null && caps.search === null
            ? { kind: "season", season: 1, title: "the" }
            : { kind: "film", year: null, title: "the" },
          { signal },
        ),
      ({ releases, isCut }) =>
        releases.length === 0 ? "nothing found, which is an answer" : `${isCut ? "more than " : ""}${count(releases)}`,
    );
  });
}

const count = ({ length }: readonly unknown[]): string => `${length} release${length === 1 ? "" : "s"}`;
const title = (caps: IndexerCaps): string => caps.title || "an indexer without a name";

/** As in "films by imdbid, q; series by q". */
export function searches({ film, tv, search }: Pick<IndexerCaps, "film" | "tv" | "search">): string {
  const one = (what: string, ability: SearchAbility | null) =>
    ability === null ? [] : [`${what} by ${ability.parameters.join(", ") || "nothing in particular"}`];
  return [...one("films", film), ...one("series", tv), ...one("anything", search)].join("; ");
}
