// What is on its way through the demo: films that belong to everybody by now. Pure.

const FILMS: readonly (readonly [title: string, year: number])[] = [
  ["Metropolis", 1927],
  ["Nosferatu", 1922],
  ["The General", 1926],
  ["Sherlock Jr.", 1924],
  ["Safety Last!", 1923],
  ["The Kid", 1921],
  ["Faust", 1926],
  ["Sunrise", 1927],
  ["Wings", 1927],
  ["The Gold Rush", 1925],
  ["Le Voyage dans la Lune", 1902],
  ["Battleship Potemkin", 1925],
  ["The Cabinet of Dr. Caligari", 1920],
  ["Häxan", 1922],
  ["The Phantom of the Opera", 1925],
  ["Der müde Tod", 1921],
  ["The Lost World", 1925],
  ["Körkarlen", 1921],
  ["Orphans of the Storm", 1921],
  ["Seven Chances", 1925],
  ["The Thief of Bagdad", 1924],
  ["The Navigator", 1924],
  ["Die Abenteuer des Prinzen Achmed", 1926],
  ["Greed", 1924],
];

export interface Film {
  readonly title: string;
  readonly year: number;
  readonly megabytes: number;
  readonly asks: boolean;
}

const ASKS_EVERY = 10;

/** The `count`th that is handed in, from 0 on; they come round again. `asks`: whether now and then one is asked about. */
export function film(count: number, { asks }: { readonly asks: boolean }): Film {
  const [title, year] = FILMS[count % FILMS.length] ?? ["Untitled", 1900];
  return { title, year, megabytes: 300 + ((count * 170) % 800), asks: asks && count % ASKS_EVERY === ASKS_EVERY - 1 };
}

/** The same film twice at a time is once. */
export const filmKey = ({ title, year }: Film) => `${title} (${year})`;
