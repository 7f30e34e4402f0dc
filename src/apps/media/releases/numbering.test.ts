import { describe, expect, it } from "vitest";
import { findNumbering, type NameKind, type Numbering } from "./numbering.ts";

/** Short enough for a table: S1E1,2 · S1-5 · S2 part 1 · series · #28 · 2024-03-12 · none. */
function told(numbering: Numbering): string {
  const list = (numbers: readonly number[]) =>
    numbers.length > 3 ? `${numbers[0]}-${numbers.at(-1)}` : numbers.join(",");
  switch (numbering.kind) {
    case "episodes":
      return `S${numbering.season}E${list(numbering.episodes)}`;
    case "seasons":
      return `S${list(numbering.seasons)}${numbering.part === null ? "" : ` part ${numbering.part}`}`;
    case "absolute":
      return `#${list(numbering.numbers)}`;
    case "date":
      return numbering.date;
    default:
      return numbering.kind;
  }
}

const read = (name: string, kind: NameKind = "tv") => told(findNumbering(name, kind)?.numbering ?? { kind: "none" });

describe("a name of a series says", () => {
  it.each([
    ["Show.S01E05.720p", "S1E5"],
    ["Show.s1e5", "S1E5"],
    ["Show S01 E05", "S1E5"],
    ["Show.S01.Ep.05", "S1E5"],
    ["Show S01 - E05", "S1E5"],
    ["Show.1x05", "S1E5"],
    ["Show - 12x113 - Name", "S12E113"],
    ["Show.S2016E05", "S2016E5"],
    ["Show Season 1 Episode 3", "S1E3"],
    ["ShowS01E05.720p", "S1E5"],
    ["S01E05", "S1E5"],
    ["Show.S01E100.720p", "S1E100"],
    ["Show.S00E01.Special", "S0E1"],
  ])("one episode: %s", (name, numbers) => expect(read(name)).toBe(numbers));

  it.each([
    ["Show.S01E01E02.1080p", "S1E1,2"],
    ["Show.S01E01.E02.1080p", "S1E1,2"],
    ["Show.S01E01-E03.1080p", "S1E1,2,3"],
    ["Show.S01E01-03.1080p", "S1E1,2,3"],
    ["Show.S01E01.S01E02", "S1E1,2"],
    ["Show.S01E01-S01E04", "S1E1-4"],
    ["Show.2x03-04", "S2E3,4"],
    ["Show.2x03x04", "S2E3,4"],
    ["Show.S01E01E03.1080p", "S1E1,3"],
    ["Show.S02E01-E10.1080p", "S2E1-10"],
  ])("several episodes: %s", (name, numbers) => expect(read(name)).toBe(numbers));

  it.each([
    ["Show.S01E07-720p", "S1E7"],
    ["Show.S01E07-10bit", "S1E7"],
    ["Show.S01E07.x264", "S1E7"],
    ["Show S01E05 - 24 Hours", "S1E5"],
    ["Show.S01E05.E4.Studio", "S1E5"],
    ["Show.S01E10-02.x264", "S1E10"],
  ])("no more than it says: %s", (name, numbers) => expect(read(name)).toBe(numbers));

  it.each([
    ["Show.S02.1080p", "S2"],
    ["Show.Season.2.Complete", "S2"],
    ["Show Saison 2", "S2"],
    ["Show.Staffel.2.German", "S2"],
    ["Show.S01-S05.1080p", "S1-5"],
    ["Show S01 - S05", "S1-5"],
    ["Show.S01-05.1080p", "S1-5"],
    ["Show.Seasons.1-5.COMPLETE", "S1-5"],
    ["Show Seasons 1 to 3", "S1,2,3"],
    ["Show.S02.Part.1.1080p", "S2 part 1"],
    ["Show Season 4 Part 2", "S4 part 2"],
    ["Show 2nd Season", "S2"],
    ["Show.COMPLETE.SERIES.1080p", "series"],
  ])("seasons: %s", (name, numbers) => expect(read(name)).toBe(numbers));

  it.each([
    ["The.Daily.Show.2024.03.12.720p", "2024-03-12"],
    ["Show 2024-03-12", "2024-03-12"],
    ["Show.12.03.2024.720p", "2024-03-12"],
    ["Show.2099.12.31", "2099-12-31"],
    ["Show.2023.02.30.720p", "none"],
    ["Show.2023.13.01.720p", "none"],
  ])("a day: %s", (name, numbers) => expect(read(name)).toBe(numbers));

  it.each([
    ["[Group] Show - 28 (1080p) [8A3B5C2D]", "#28"],
    ["[Group] One Piece - 1071 [1080p]", "#1071"],
    ["[Group] Show - 28v2 [1080p]", "#28"],
    ["[Group] Show 28 [1080p]", "#28"],
    ["[Group] Show (01-28) (1080p) [Batch]", "#1-28"],
    ["Naruto Shippuden - 001-500 [720p]", "#1-500"],
    ["[Group] Show S2 - 05 [1080p]", "S2E5"],
    ["[Group] Show 2nd Season - 05 [1080p]", "S2E5"],
    ["Show.E05.1080p", "#5"],
    ["Show Episode 5", "#5"],
    ["Chernobyl.Part.3.1080p", "#3"],
    ["Planet.Earth.1of5.720p", "#1"],
    ["[Group] Film - 2019 [1080p]", "none"],
  ])("numbers without seasons: %s", (name, numbers) => expect(read(name)).toBe(numbers));

  it("nothing it does not know: from one season into the next", () =>
    expect(read("Show.S01E10-S02E03.1080p")).not.toMatch(/E/));
});

describe("the name of a film", () => {
  it.each([
    ["Open.Season.2.2008.1080p", "none"],
    ["Dune.Part.2.2024", "none"],
    ["Film.2012.12.21.1080p", "none"],
    ["Apollo.13.1995", "none"],
    ["Dune.Prophecy.S01E01.1080p", "S1E1"],
    ["Show.S01.1080p", "S1"],
  ])("is only a series' where no film is called so: %s", (name, numbers) => expect(read(name, "film")).toBe(numbers));
});
