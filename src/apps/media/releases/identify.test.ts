import { describe, expect, it } from "vitest";
import { episode, found, GB, season, why } from "../../../../test/support/releases.ts";
import type { WantedEpisode } from "./wanted.ts";

describe("an episode is refused", () => {
  it.each<[string, string, string[]]>([
    ["never, if it is the one", "The.Office.S03E05.1080p.WEB.x264-G", []],
    ["not with its country", "The.Office.US.S03E05.1080p.WEB.x264-G", []],
    ["not with its country in brackets", "The.Office.(US).S03E05.1080p.WEB.x264-G", []],
    ["with another country", "The.Office.UK.S03E05.1080p.WEB.x264-G", ["wrong_title"]],
    ["not with its year", "The.Office.2005.S03E05.1080p.WEB.x264-G", []],
    ["with another year", "The.Office.2001.S03E05.1080p.WEB.x264-G", ["wrong_year"]],
    ["of another season", "The.Office.S02E05.1080p.WEB.x264-G", ["wrong_season"]],
    ["with another number", "The.Office.S03E06.1080p.WEB.x264-G", ["wrong_episode"]],
    ["not with others beside it", "The.Office.S03E04E05.1080p.WEB.x264-G", []],
    ["not in its season", "The.Office.S03.1080p.WEB.x264-G", []],
    ["in another season", "The.Office.S04.1080p.WEB.x264-G", ["wrong_season"]],
    ["not in several seasons", "The.Office.S01-S09.1080p.BluRay.x264-G", []],
    ["in a part of its season", "The.Office.S03.Part.1.1080p.WEB.x264-G", ["wrong_episode"]],
    ["in the extras of its season", "The.Office.S03.Extras.1080p.WEB.x264-G", ["extra"]],
    ["not by its day", "The.Office.2006.10.19.1080p.WEB.x264-G", []],
    ["by another day", "The.Office.2006.10.20.1080p.WEB.x264-G", ["wrong_episode"]],
    ["without a number", "The.Office.1080p.WEB.x264-G", ["wrong_episode"]],
    ["counted without seasons", "[G] The Office - 05 [1080p]", ["wrong_episode"]],
  ])("%s", (_title, title, codes) => expect(why(episode, found(title))).toEqual(codes));

  it("by its number over all seasons, where somebody told it", () => {
    const anime: WantedEpisode = { ...episode, titles: ["One Piece"], season: 21, episode: 10, absolute: 1071 };
    expect(why(anime, found("[G] One Piece - 1071 [1080p]", { bytes: GB }))).toEqual([]);
    expect(why(anime, found("[G] One Piece - 1072 [1080p]", { bytes: GB }))).toEqual(["wrong_episode"]);
    expect(
      why({ ...anime, season: 1, episode: 3, absolute: null }, found("One.Piece.E03.1080p.WEB", { bytes: GB })),
    ).toEqual([]);
  });

  it("for the size of its season, of which the number of episodes is known", () => {
    const whole = (bytes: number) => found("The.Office.S03.1080p.WEB.x264-G", { bytes });
    expect(why(episode, whole(25 * GB))).toEqual([]);
    expect(why(episode, whole(GB))).toEqual(["too_small"]);
    expect(why(episode, whole(200 * GB))).toEqual(["too_large"]);
    expect(why({ ...episode, seasonEpisodes: null }, whole(200 * GB))).toEqual([]);
  });
});

describe("a season is refused", () => {
  it.each<[string, string, string[]]>([
    ["never, if it is the one", "The.Office.S03.1080p.WEB.x264-G", []],
    ["not among others", "The.Office.COMPLETE.SERIES.1080p.WEB.x264-G", []],
    ["not as the list of its episodes", "The.Office.S03E01-E04.1080p.WEB.x264-G", []],
    ["as some of its episodes", "The.Office.S03E01-E03.1080p.WEB.x264-G", ["wrong_episode"]],
    ["as a part", "The.Office.S03.Part.2.1080p.WEB.x264-G", ["wrong_episode"]],
    ["of another number", "The.Office.S02.1080p.WEB.x264-G", ["wrong_season"]],
    ["without a number", "The.Office.1080p.WEB.x264-G", ["wrong_episode"]],
  ])("%s", (_title, title, codes) => expect(why(season, found(title, { bytes: 5 * GB }))).toEqual(codes));
});
