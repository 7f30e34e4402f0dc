import { expect, it } from "vitest";
import { askingFor } from "./asking.ts";

it("a film is asked for by its id, and by a profile where one was chosen", () => {
  const film = { kind: "film" as const, tmdb: 603 };
  expect(askingFor(film, { profile: "", seasons: null })).toEqual(film);
  expect(askingFor(film, { profile: "small", seasons: [1] })).toEqual({ ...film, profile: "small" });
});

it("a series is asked for whole, or by its seasons in their order", () => {
  const series = { kind: "series" as const, tmdb: 95_396 };
  expect(askingFor(series, { profile: "", seasons: null })).toEqual(series);
  expect(askingFor(series, { profile: "", seasons: [10, 2, 0] })).toEqual({ ...series, seasons: [0, 2, 10] });
});
