// What there is to be found in the media world, judged by what judges it there.

import { describe, expect, it } from "vitest";
import { rank, standardProfile } from "../../src/apps/media/releases/index.ts";
import { catalogue, FILMS_MOST } from "./catalogue.ts";
import { type PlannedRelease, planReleases } from "./releases.ts";

const GIGABYTE = 1_000_000_000;
const found = ({ name, gigabytes, place }: PlannedRelease) => ({
  ...{ title: name, guid: name, indexer: "one", indexerPriority: 1, bytes: gigabytes * GIGABYTE },
  ...{ categories: [2000], seeders: 20 - place },
});

describe("a catalogue", () => {
  it("has as many films as are asked for, all with another title, and says when there are no more", () => {
    const { films } = catalogue({ films: FILMS_MOST });
    expect(new Set(films.map(({ title }) => title)).size).toBe(FILMS_MOST);
    expect(new Set(films.map(({ imdb }) => imdb)).size).toBe(FILMS_MOST);
    expect(() => catalogue({ films: FILMS_MOST + 1 })).toThrow("films to be had");
  });

  it("has two seasons of every series, whose episodes have been on", () => {
    const { series } = catalogue({ series: 6, episodes: 4 });
    expect(series.map(({ seasons }) => seasons.map(({ episodes }) => episodes.length))).toEqual(
      Array.from({ length: 6 }, () => [4, 4]),
    );
    expect(new Set(series.map(({ title }) => title)).size).toBe(6);
  });
});

describe("the releases", () => {
  const all = catalogue({ films: 60 });

  it("of a film are liked in the order of their places, and the largest is refused", () => {
    const releases = planReleases(all).filter(({ isHidden }) => !isHidden);
    for (const { tmdb, title, year } of all.films) {
      const own = releases.filter(({ ids }) => ids.tmdb === tmdb);
      const wanted = {
        kind: "film" as const,
        titles: [title],
        ids: {},
        runtimeMinutes: 90,
        originalLanguage: "en",
        year,
      };
      const { ranked, rejected } = rank({ wanted, profile: standardProfile, found: own.map(found) });
      const inOrder = own.toSorted((a, b) => a.place - b.place).map(({ name }) => name);
      expect(ranked.map((one) => one.found.title)).toEqual(inOrder.slice(0, 3));
      expect(rejected.map((one) => one.found.title)).toEqual(inOrder.slice(3));
    }
  });

  it("that are wrong are liked best, and shown only where somebody wants that", () => {
    const releases = planReleases(all);
    const [film] = all.films;
    const own = releases.filter(({ ids }) => ids.tmdb === film?.tmdb);
    const wanted = {
      ...{ kind: "film" as const, titles: [film?.title ?? ""], ids: {}, runtimeMinutes: 90 },
      ...{ originalLanguage: "en", year: film?.year ?? null },
    };
    const { ranked } = rank({ wanted, profile: standardProfile, found: own.map(found) });
    expect(own.find(({ isHidden }) => isHidden)?.name).toBe(ranked[0]?.found.title);
    expect(planReleases(all, { hasOthers: false }).filter(({ isHidden }) => isHidden)).toEqual([]);
  });

  it.each(["cut", "other", "dead"] as const)(
    "of a film with trouble have one that is %s, and good ones after it",
    (trouble) => {
      const [first, second] = planReleases(all, { trouble: (film) => (film === 0 ? trouble : "none") });
      expect([first?.trouble, second?.trouble]).toEqual([trouble, "none"]);
      const [file] = first?.files ?? [];
      expect([file?.isCut, file?.holds === `film ${all.films[0]?.tmdb}`]).toEqual([
        trouble === "cut",
        trouble !== "other",
      ]);
    },
  );

  it("of a film that nobody has are none", () => {
    const releases = planReleases(all, { trouble: (film) => (film === 3 ? "unknown" : "none") });
    expect(releases.some(({ ids }) => ids.tmdb === all.films[3]?.tmdb)).toBe(false);
  });
});
