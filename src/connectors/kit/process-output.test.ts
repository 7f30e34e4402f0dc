import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader, Tail } from "./process-output.ts";

function linesOf(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const reader = new LineReader((line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return lines;
}

describe("lines", () => {
  test("end with a line feed, a carriage return, both, or the output", () => {
    expect(linesOf([Buffer.from("a\nb\rc\r\n\n"), Buffer.from("d\r"), Buffer.from("\ne")])).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
  });

  test("are the same however the output is cut, also inside a letter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(200)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(linesOf(pieces)).toEqual(text.split(/[\r\n]+/).filter((line) => line !== ""));
      }),
    );
  });

  test("without an end are cut, and memory stays small", () => {
    const lines = linesOf([...Array.from({ length: 100 }, () => Buffer.alloc(10_000, "x")), Buffer.from("\nshort\n")]);
    expect(lines.map((line) => line.length)).toEqual([8_192, 5]);
  });
});

describe("the tail", () => {
  test("is the last of everything", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary-ascii", maxLength: 40 })), fc.nat(100), (pieces, limit) => {
        const tail = new Tail(limit);
        for (const piece of pieces) tail.push(Buffer.from(piece));
        const all = pieces.join("");
        expect(tail.text()).toBe(all.slice(Math.max(0, all.length - limit)));
      }),
    );
  });

  test("of a flood is the end of it", () => {
    const tail = new Tail(5);
    for (let i = 0; i < 1_000; i += 1) tail.push(Buffer.from("x".repeat(1_000)));
    tail.push(Buffer.from("ended"));
    expect(tail.text()).toBe("ended");
  });
});
