import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparable, isCloseTitle, isSameTitle, safeFileName, shown } from "./names.ts";

describe("titles are compared", () => {
  it.each([
    ["Amélie", "Amelie"],
    ["The Matrix", "Matrix"],
    ["Matrix, The", "The Matrix"],
    ["Fast & Furious", "Fast and Furious"],
    ["Romeo + Juliet", "Romeo & Juliet"],
    ["Marvel's Agents of S.H.I.E.L.D.", "Marvels Agents of SHIELD"],
    ["Spider-Man: No Way Home", "Spider Man No Way Home"],
    ["WALL·E", "WALL-E"],
    ["Rocky II", "Rocky 2"],
    ["The Godfather Part III", "The Godfather Part 3"],
    ["Dune: Part Two", "Dune Part 2"],
    ["Star Wars: Episode IV - A New Hope", "Star Wars Episode 4 A New Hope"],
    ["Kraków", "Krakow"],
    ["Straße", "STRASSE"],
    ["Łódź", "Lodz"],
    ["A.I. Artificial Intelligence", "AI Artificial Intelligence"],
    ["9-1-1", "9 1 1"],
    ["Ёлки", "Елки"],
    ["Amélie", "Ame\u0301lie"],
  ])("%s is %s", (a, b) => expect(comparable(a)).toBe(comparable(b)));

  it.each([
    ["Dune", "Dune Part Two"],
    ["Alien", "Aliens"],
    ["Rocky", "Rocky II"],
    ["Die Hard", "Hard"],
    ["V", "5"],
    ["X", "10"],
    ["か", "が"],
    ["The Office US", "The Office"],
    ["???", "!!!"],
    ["2012", "2012 Ice Age"],
  ])("%s is not %s", (a, b) => expect(isSameTitle(a, b)).toBe(false));

  it("leaves something of every title that has anything in it", () => {
    expect(["The", "A", "The The", "A.I.", "???"].map(comparable)).toEqual(["the", "a", "the", "ai", "???"]);
  });

  it("finds titles near that an id says are one", () => {
    expect(isCloseTitle("Birds of Prey", "Birds of Prey And the Fantabulous Emancipation")).toBe(true);
    expect(isCloseTitle("The Office", "The Office US")).toBe(true);
    expect(isCloseTitle("Матрица", "The Matrix")).toBe(true);
    expect(isCloseTitle("Harry Potter and the Sorcerers Stone", "Harry Potter and the Philosophers Stone")).toBe(true);
    expect(isCloseTitle("The Matrix", "Finding Nemo")).toBe(false);
    expect(isCloseTitle("Up", "It")).toBe(false);
  });
});

describe("a safe file name", () => {
  it.each([
    ["Mission: Impossible", "Mission - Impossible"],
    ["Face/Off", "FaceOff"],
    ['What? "Why" <1|2>*\\', "What Why 12"],
    ["../../etc/passwd", "etcpasswd"],
    ["..", "unnamed"],
    ["", "unnamed"],
    ["nul\0byte", "nulbyte"],
    ["...And Justice for All...", "And Justice for All"],
    ["CON", "CON_"],
    ["con.tricks", "con_.tricks"],
    ["Aux (2017)", "Aux (2017)"],
    ["LPT1", "LPT1_"],
    ["Ame\u0301lie", "Amélie"],
    ["a\u202egpj.exe", "agpj.exe"],
    ["two\nlines\tand  spaces", "twolinesand spaces"],
    ["lone \ud800 half", "lone half"],
  ])("%j is %j", (text, name) => expect(safeFileName(text)).toBe(name));

  it("keeps the extension whole when it is cut, between characters as people see them", () => {
    const family = "👨‍👩‍👧‍👦";
    const name = safeFileName(family.repeat(40), ".mkv");
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    // A joiner has no width, and goes: what is left is whole.
    expect(name).toMatch(/^[👨👩👧👦]+\.mkv$/u);
    expect(safeFileName("é".repeat(300), ".mkv")).toBe(`${"é".repeat(125)}.mkv`);
  });

  it("is one for anything, and the same as its own result", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const name = safeFileName(text);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\?*"<>|:\p{Cc}]/u);
        expect(name).not.toMatch(/^[\s.]|[\s.]$/);
        expect(name).not.toBe("");
        expect(safeFileName(name)).toBe(name);
      }),
      { numRuns: 100 },
    );
  });
});

it("shows what somebody else wrote on one line of bounded length", () => {
  expect(shown("a\0b\u202ec")).toBe("a�b�c");
  expect([...shown("x".repeat(10_000))]).toHaveLength(120);
});
