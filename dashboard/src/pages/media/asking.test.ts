import { expect, it } from "vitest";
import { askingFor, isMeant, usualOf } from "./asking.ts";

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

it("servers are named with what they get, where it is not the usual; what becomes of the others is said of several", () => {
  const film = { kind: "film", tmdb: 19 } as const;
  const choices = { profile: "", seasons: null };
  const one = { chosen: new Map([["nas", undefined]]), policy: "all-or-nothing" } as const;
  expect(askingFor(film, { ...choices, to: one })).toEqual({ ...film, targets: [{ name: "nas" }] });
  const chosen = new Map([
    ["nas", null],
    ["attic", "hevc"],
  ]);
  expect(askingFor(film, { ...choices, to: { chosen, policy: "all-or-nothing" } })).toEqual({
    ...film,
    ...{ policy: "all-or-nothing", targets: [...chosen].map(([name, encoding]) => ({ name, encoding })) },
  });
  expect(askingFor(film, { ...choices, to: { chosen: new Map(), policy: "best-effort" } })).toEqual(film);
});

it("where something goes by itself, it cannot be asked for to nowhere", () => {
  const nas = { name: "nas", encoding: null, isDefault: true };
  const attic = { ...nas, name: "attic", isDefault: false };
  expect([...usualOf([nas, attic]).keys()]).toEqual(["nas"]);
  expect(isMeant(new Map(), [nas, attic])).toBe(false);
  expect(isMeant(new Map(), [attic])).toBe(true);
  expect(isMeant(new Map([["attic", undefined]]), [nas, attic])).toBe(true);
});
