// What the demo world knows of films and series, which exist nowhere else. Pure: the same number always means the same title.

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
  readonly minutes: number;
  readonly seasons: readonly CatalogueSeason[];
}

export interface CatalogueSeason {
  readonly season: number;
  readonly episodes: readonly CatalogueEpisode[];
}

export interface CatalogueEpisode {
  readonly episode: number;
  readonly name: string;
  readonly airs: string;
}

export interface Catalogue {
  readonly films: readonly CatalogueFilm[];
  readonly series: readonly CatalogueSeries[];
}

export interface CatalogueSize {
  readonly films?: number;
  readonly series?: number;
  /** In each of the two seasons of a series. */
  readonly episodes?: number;
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

const SERIES = ["The Sluice Keepers", "Lock and Level", "The Estuary", "Night Ferry"] as const;

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

const FIRST_WORDS = [
  ...["Amber", "Bitter", "Copper", "Distant", "Eastern", "Falling", "Golden", "Hidden", "Idle", "Jagged"],
  ...["Kindled", "Lonely", "Marble", "Northern", "Opal", "Paper", "Quiet", "Restless", "Scarlet", "Tidal"],
  ...["Umber", "Velvet", "Western", "Young", "Brazen", "Crooked", "Dusty", "Electric", "Frozen", "Gentle"],
] as const;

const SECOND_WORDS = [
  ...["Anchor", "Bridge", "Canal", "Delta", "Engine", "Ferry", "Garden", "Horizon", "Island", "Jetty"],
  ...["Kettle", "Ladder", "Meadow", "Needle", "Orchard", "Pilot", "Quarry", "River", "Station", "Tower"],
  ...["Umbrella", "Valley", "Window", "Yard", "Ballad", "Compass", "Dynamo", "Echo", "Furnace", "Gallery"],
] as const;

/** More would be told the same titles again. */
export const FILMS_MOST = TITLES.length + FIRST_WORDS.length * SECOND_WORDS.length;

export function catalogue({ films = TITLES.length, series = 1, episodes = 10 }: CatalogueSize = {}): Catalogue {
  if (films > FILMS_MOST) throw new Error(`there are ${FILMS_MOST} films to be had, and ${films} were asked for`);
  return {
    films: Array.from({ length: films }, (_, index) => film(index)),
    series: Array.from({ length: series }, (_, index) => seriesAt(index, Math.min(episodes, EPISODES.length))),
  };
}

function film(index: number): CatalogueFilm {
  const title = TITLES[index] ?? twoWords(index - TITLES.length);
  return { tmdb: 900_001 + index, imdb: `tt${9_000_001 + index}`, title, year: 1990 + (index % 35), minutes: 90 };
}

/** Neighbours have neither word in common. */
function twoWords(index: number): string {
  const [first, second] = [index % FIRST_WORDS.length, Math.floor(index / FIRST_WORDS.length)];
  return `${FIRST_WORDS[first]} ${SECOND_WORDS[(second + first) % SECOND_WORDS.length]}`;
}

function seriesAt(index: number, count: number): CatalogueSeries {
  const title = SERIES[index] ?? `The ${twoWords(index)} Mysteries`;
  return {
    ...{ tmdb: 800_001 + index, imdb: `tt${8_000_001 + index}`, tvdb: 700_001 + index, title, year: 2019, minutes: 45 },
    seasons: [1, 2].map((season) => ({ season, episodes: episodesOf(season, count) })),
  };
}

function episodesOf(season: number, count: number): CatalogueEpisode[] {
  return EPISODES.slice(0, count).map((name, index) => ({
    ...{ episode: index + 1, name: season === 1 ? name : `${name} Again` },
    airs: `${2018 + season}-03-${String(1 + 2 * index).padStart(2, "0")}`,
  }));
}
