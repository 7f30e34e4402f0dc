// What the demo world knows of films: a few that exist nowhere else, and a series.

export interface CatalogueFilm {
  readonly tmdb: number;
  readonly imdb: string;
  readonly title: string;
  readonly year: number;
  readonly minutes: number;
}

export interface CatalogueSeries {
  readonly tmdb: number;
  readonly imdb: string;
  readonly tvdb: number;
  readonly title: string;
  readonly year: number;
  readonly seasons: readonly CatalogueSeason[];
}

export interface CatalogueSeason {
  readonly season: number;
  readonly episodes: readonly { readonly episode: number; readonly name: string; readonly airs: string }[];
}

export interface Catalogue {
  readonly films: readonly CatalogueFilm[];
  readonly series: readonly CatalogueSeries[];
}

const TITLES = [
  "The Lighthouse Keeper",
  "Winter Harbour",
  "A Map of the Tides",
  "Nine Lanterns",
  "The Clockmaker's Daughter",
  "Salt and Iron",
  "Beneath the Weir",
  "The Long Portage",
] as const;

const EPISODES = [
  "Low Water",
  "The Gatekeeper",
  "Silt",
  "Both Banks",
  "An Honest Gauge",
  "Spillway",
  "The Night Shift",
  "Upstream",
  "Flood Mark",
  "Open the Gates",
] as const;

/** As many films as are asked for; the same number always means the same film. */
export function catalogue(films = TITLES.length): Catalogue {
  return { films: Array.from({ length: films }, (_, index) => film(index)), series: [series()] };
}

function film(index: number): CatalogueFilm {
  const volume = Math.floor(index / TITLES.length);
  const title = TITLES[index % TITLES.length] ?? "Untitled";
  return {
    tmdb: 900_001 + index,
    imdb: `tt${9_000_001 + index}`,
    title: volume === 0 ? title : `${title} ${volume + 1}`,
    year: 1990 + (index % 35),
    minutes: 1,
  };
}

function series(): CatalogueSeries {
  const episodes = EPISODES.map((name, index) => ({ episode: index + 1, name, airs: `2019-03-${dayOf(index)}` }));
  const identity = { tmdb: 800_001, imdb: "tt8000001", tvdb: 700_001, title: "The Sluice Keepers", year: 2019 };
  return { ...identity, seasons: [{ season: 1, episodes }] };
}

const dayOf = (index: number): string => String(1 + 2 * index).padStart(2, "0");
