import { describe, expect, it } from "vitest";
import { askSentence, isMeant, isSameAsk, keyOf, wouldSentence } from "./asked.ts";

it("a film and a series of one number have two keys", () => {
  expect([keyOf({ kind: "film", tmdb: 7 }), keyOf({ kind: "series", tmdb: 7 })]).toEqual(["film:7", "series:7"]);
});

describe("an episode is meant by", () => {
  const one = { season: 2, episode: 3 };
  it.each([
    [{}, one, true],
    [{}, { season: 0, episode: 1 }, false],
    [{ seasons: [0] }, { season: 0, episode: 1 }, true],
    [{ seasons: [1] }, one, false],
    [{ seasons: [1, 2] }, one, true],
    [{ episodes: [one] }, one, true],
    [{ episodes: [{ season: 2, episode: 4 }] }, one, false],
    [{ seasons: [1], episodes: [one] }, one, true],
    [{}, { season: null, episode: null }, false],
  ])("%j: %j %s", (asked, place, isSo) => {
    expect(isMeant(asked, place)).toBe(isSo);
  });
});

describe("the same is asked for", () => {
  const [a, b] = [
    { season: 1, episode: 1 },
    { season: 1, episode: 2 },
  ];
  it.each([
    [{}, {}, true],
    [{ seasons: [2, 1, 1] }, { seasons: [1, 2] }, true],
    [{ seasons: [1] }, {}, false],
    [{ seasons: [] }, {}, false],
    [{ episodes: [a, b] }, { episodes: [b, a] }, true],
    [{ seasons: [1] }, { episodes: [a] }, false],
  ])("%j and %j: %s", (one, other, isSo) => {
    expect(isSameAsk(one, other)).toBe(isSo);
  });
});

it("everything that may come of it has a sentence", () => {
  const name = "Faust (1926)";
  const of = (outcome: "new" | "joined" | "there", isOwners: boolean, isMore: boolean) => {
    const facts = { outcome, name, isOwners, isMore };
    return [askSentence(facts), wouldSentence(facts)];
  };
  expect([of("new", false, false), of("there", false, false)]).toEqual([
    ["Faust (1926) is asked for.", "Would ask for Faust (1926)."],
    ["Faust (1926) is there already. Replay it to have it anew.", "Nothing: Faust (1926) is there already."],
  ]);
  const joined = [of("joined", true, false), of("joined", false, false), of("joined", true, true)];
  expect(new Set(joined.flat()).size).toBe(6);
});
