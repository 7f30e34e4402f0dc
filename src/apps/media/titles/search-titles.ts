// Films and series that somebody looks for, each with the newest request for it that they may see.

import type { FoundTitle } from "../../../connectors/index.ts";
import type { RequestId, RequestStatus, Sluice } from "../../../engine/index.ts";
import { formatId } from "../../../kit/index.ts";
import { findStandings } from "../requests/card-items.sql.ts";
import { findOfTitles } from "../requests/cards.sql.ts";
import { inTime, type KnownPorts, knownSeries } from "../requests/known-title.ts";
import { standingOf } from "../requests/standing.ts";
import { yearOf } from "./fresh.ts";
import type { TitleKind } from "./look-ups.sql.ts";

export interface SeenTitle {
  readonly kind: TitleKind;
  readonly tmdb: number;
  readonly title: string;
  readonly year: number | null;
  readonly overview: string | null;
  readonly poster: string | null;
  readonly request: { readonly id: RequestId; readonly status: RequestStatus } | null;
}

export interface SeenSeries extends SeenTitle {
  readonly seasons: readonly { readonly season: number; readonly episodes: number; readonly airs: string | null }[];
}

export interface TitlePorts extends KnownPorts {
  readonly sluice: Sluice;
}

export async function searchTitles(
  ports: TitlePorts,
  { query, kind }: { readonly query: string; readonly kind: TitleKind },
  owner: string | null,
): Promise<SeenTitle[]> {
  const { metadata } = ports.services;
  const found =
    kind === "film"
      ? await metadata.searchFilms(query, null, inTime())
      : await metadata.searchSeries(query, null, inTime());
  return await seen(ports, kind, found, owner);
}

export async function seriesSeasons(ports: TitlePorts, tmdb: number, owner: string | null): Promise<SeenSeries> {
  const series = await knownSeries(ports, tmdb);
  const [title] = await seen(ports, "series", [series], owner);
  if (title === undefined) throw new Error("one title was asked for");
  const seasons = series.seasons.map(({ season, episodeCount, airDate }) => ({
    ...{ season, episodes: episodeCount ?? 0, airs: airDate },
  }));
  return { ...title, seasons };
}

async function seen(
  { sluice }: TitlePorts,
  kind: TitleKind,
  titles: readonly FoundTitle[],
  owner: string | null,
): Promise<SeenTitle[]> {
  const { tables } = sluice;
  const newest = await findOfTitles(
    tables,
    kind,
    titles.map(({ id }) => id),
    owner,
  );
  const standings = Map.groupBy(
    await findStandings(
      tables,
      newest.map(({ id }) => id),
    ),
    (row) => row.request_id,
  );
  const requests = new Map(
    newest.map(({ tmdb, id }) => {
      const { status } = standingOf(standings.get(id) ?? [], 0, (pipeline) => sluice.stagesOf(pipeline));
      return [tmdb, { id: formatId("request", id), status }];
    }),
  );
  return titles.map(({ id, title, date, overview, posterPath }) => ({
    ...{ kind, tmdb: id, title, year: yearOf(date), overview, poster: posterPath },
    request: requests.get(id) ?? null,
  }));
}
