import { describe, expect, it } from "vitest";
import { libraryPath, type MediaServerWords, type NamedEpisode, type NamedFilm } from "./names.ts";

const film = (title: string, more: Partial<NamedFilm> = {}) =>
  libraryPath({ kind: "film", title, year: 1927, tmdb: 19, ...more }, "/d/x.MKV", null);
const episode = (more: Partial<NamedEpisode> = {}, words: MediaServerWords = null) =>
  libraryPath(
    {
      ...{ kind: "episode", title: "The Sluice Keepers", year: 2019, tmdb: 7, season: 1, episodes: [2] },
      ...{ name: "High Water", ...more },
    },
    "/d/x.mp4",
    words,
  );

describe("a film", () => {
  it("has a folder of its own, and the year and the id in both names", () => {
    expect(film("Metropolis")).toBe("Metropolis (1927) {tmdb-19}/Metropolis (1927) {tmdb-19}.mkv");
    expect(film("Metropolis", { year: null })).toBe("Metropolis {tmdb-19}/Metropolis {tmdb-19}.mkv");
  });

  it.each([
    ["jellyfin", "[tmdbid-19]"],
    ["emby", "[tmdbid=19]"],
    ["plex", "{tmdb-19}"],
  ] as const)("has its id as %s writes it", (words, id) => {
    const path = libraryPath({ kind: "film", title: "M", year: 1931, tmdb: 19 }, "m.mkv", words);
    expect(path).toBe(`M (1931) ${id}/M (1931) ${id}.mkv`);
  });
});

describe("an episode", () => {
  it("has the folders of its series and season, and its number and name", () => {
    expect(episode()).toBe("The Sluice Keepers (2019)/Season 01/The Sluice Keepers (2019) - S01E02 - High Water.mp4");
    expect(episode({ name: null, year: null })).toBe("The Sluice Keepers/Season 01/The Sluice Keepers - S01E02.mp4");
    expect(episode({ season: 0, episodes: [100] })).toContain("/Season 00/The Sluice Keepers (2019) - S00E100 - ");
  });

  it("that shares its file with others has all their numbers", () => {
    expect(episode({ episodes: [2, 3, 4], name: null })).toContain(" - S01E02-E03-E04.mp4");
  });
});

describe("whatever stands in a title", () => {
  const hostile = [
    "../../etc/passwd",
    "..",
    ".hidden",
    "a/b\\c",
    "nul\0byte\n\t",
    'What? *All* <of> it|: "this"',
    "con",
    "AUX.film",
    "trailing dots...   ",
    "\u202Egnp.exe",
    "\ud800 lone",
    "   ",
    "",
    "x".repeat(400),
    "ü".repeat(400),
    "👩‍👩‍👧‍👦".repeat(60),
  ];
  it.each(hostile)("%j makes names that lead nowhere else and fit every disk", (title) => {
    for (const path of [
      film(title),
      film(title, { year: null }),
      episode({ title, name: title }),
      episode({ title, name: title, year: null, episodes: [1, 2] }),
    ]) {
      const parts = path.split("/");
      expect(parts.length).toBe(path.includes("/Season 01/") ? 3 : 2);
      for (const part of parts) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(200);
        expect(part).toMatch(/^[^\s.]/);
        expect(part).not.toMatch(/[\s.]$/);
        expect(part).not.toMatch(/[\\:*?"<>|\p{Cc}\p{Cf}\ufffd]/u);
        expect(part).not.toMatch(/^(con|aux|nul|prn)(\.|$)/i);
        expect(part.isWellFormed()).toBe(true);
      }
    }
  });

  it("is kept as far as it can be", () => {
    expect(film("Alien: Covenant")).toContain("Alien - Covenant (1927)");
    expect(film("Amélie".normalize("NFD"))).toContain("Amélie".normalize("NFC"));
    expect(film("AC/DC: Live")).toContain("AC DC - Live");
    expect(film("...And Justice for All")).toContain("And Justice for All");
    expect(film("???")).toBe("Film 19 (1927) {tmdb-19}/Film 19 (1927) {tmdb-19}.mkv");
    expect(episode({ title: "Aux", year: null }).split("/")[0]).toBe("_Aux");
    expect(film("x".repeat(400))).toMatch(/x \(1927\) \{tmdb-19\}\.mkv$/);
    expect(episode({ name: "y".repeat(400) })).toMatch(/S01E02 - y+\.mp4$/);
  });

  it("an ending that is none becomes one", () => {
    for (const file of ["film", "film.", "film.torrentfile", "film.m/v", "film.é"])
      expect(libraryPath({ kind: "film", title: "M", year: null, tmdb: 1 }, file, null)).toMatch(/\.mkv$/);
  });
});
