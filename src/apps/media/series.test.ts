import { describe, expect, it } from "vitest";
import { MetadataWorld } from "../../connectors/index.ts";
import { standardProfile } from "./releases/index.ts";
import { checkPlan, EPISODES_MOST, planEpisodes, seasonsAsked } from "./series.ts";
import { seriesAsked } from "./wanted.ts";

const season = (number: number, episodes: number) => ({
  season: number,
  episodes: Array.from({ length: episodes }, (_, index) => ({ episode: index + 1, name: `Part ${index + 1}` })),
});
const world = new MetadataWorld({
  series: [{ id: 7, title: "The Sluice Keepers", seasons: [season(0, 2), season(1, 3), season(2, 4)] }],
});
const series = world.series(7) ?? expect.unreachable();
const asked = (more: object) => seriesAsked.parse({ tmdb: 7, profile: standardProfile, ...more });

function plan(more: object) {
  const what = asked(more);
  const seasons = seasonsAsked(what, series).flatMap((number) => world.season(7, number) ?? []);
  const { episodes, unknown } = planEpisodes(what, series, seasons);
  return { episodes: episodes.map((one) => `${one.season}x${one.episode} of ${one.ofSeason}`), unknown };
}

describe("whoever asks for", () => {
  it("a series gets all its seasons, and no specials", () => {
    expect(plan({}).episodes).toEqual([
      ...["1x1 of 3", "1x2 of 3", "1x3 of 3"],
      ...["2x1 of 4", "2x2 of 4", "2x3 of 4", "2x4 of 4"],
    ]);
  });

  it("seasons gets those, specials too where they are named", () => {
    expect(plan({ seasons: [0, 1] }).episodes).toEqual(["0x1 of 2", "0x2 of 2", "1x1 of 3", "1x2 of 3", "1x3 of 3"]);
  });

  it("some episodes gets those, and each says how many of its season are wanted", () => {
    const episodes = [
      { season: 2, episode: 4 },
      { season: 1, episode: 2 },
      { season: 2, episode: 1 },
    ];
    expect(plan({ episodes }).episodes).toEqual(["1x2 of 1", "2x1 of 2", "2x4 of 2"]);
  });

  it("a season and an episode of another gets both, each once", () => {
    const episodes = [
      { season: 1, episode: 1 },
      { season: 2, episode: 1 },
    ];
    expect(plan({ seasons: [1], episodes }).episodes).toEqual(["1x1 of 3", "1x2 of 3", "1x3 of 3", "2x1 of 1"]);
  });

  it("what is not known is told, and the rest goes on", () => {
    expect(plan({ seasons: [1, 2], episodes: [{ season: 1, episode: 40 }] }).unknown).toEqual(["season 1 episode 40"]);
  });
});

describe("a plan", () => {
  it("of nothing but what is not known is refused in words", () => {
    expect(() => checkPlan({ episodes: [], unknown: ["season 9"] })).toThrow("there is no season 9");
  });

  it("has a limit", () => {
    const [one] = planEpisodes(asked({ seasons: [1] }), series, [world.season(7, 1) ?? expect.unreachable()]).episodes;
    const episodes = Array.from({ length: EPISODES_MOST + 1 }, () => one ?? expect.unreachable());
    expect(() => checkPlan({ episodes, unknown: [] })).toThrow("ask for at most 2000 at once");
  });
});
