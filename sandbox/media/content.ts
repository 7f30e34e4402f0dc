// The bytes of every file in the demo world: one of a few patterns with the file's own mark in it. Nothing is encoded for a file, and
// nobody has to keep it: who knows the mark can make it again.

import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { makePattern } from "./films.ts";

export interface Content {
  /** What the file holds, and of which release it is: another mark is another file. */
  readonly mark: string;
  readonly isCut: boolean;
}

export interface PatternShape {
  readonly seconds: number;
  readonly kilobytes: number;
}

const PICTURES = ["testsrc2", "smptehdbars", "mandelbrot"] as const;
const MARK_BYTES = 80;
const PLACE = `sluice${"~".repeat(MARK_BYTES - "sluice".length)}`;
/** What is left of a film that ends in the middle. */
const CUT_SHARE = 0.55;

const patternFile = (folder: string, picture: string) => join(folder, `${picture}.mkv`);

/** Those that are there stay: no two that are made are the same, byte for byte. */
export async function makePatterns(folder: string, shape: PatternShape): Promise<void> {
  await mkdir(folder, { recursive: true });
  const part = join(folder, "part.mkv");
  for (const picture of PICTURES.filter((one) => !existsSync(patternFile(folder, one)))) {
    await makePattern(part, { ...shape, picture, title: PLACE });
    await rename(part, patternFile(folder, picture));
  }
}

export class Contents {
  readonly #patterns: readonly { readonly bytes: Buffer; readonly at: number }[];

  /** Of a folder that `makePatterns` has filled. */
  constructor(folder: string) {
    this.#patterns = PICTURES.map((picture) => {
      const file = patternFile(folder, picture);
      const bytes = readFileSync(file);
      const at = bytes.indexOf(PLACE);
      if (at === -1 || bytes.includes(PLACE, at + 1)) throw new Error(`${file} has no one place for a mark`);
      return { bytes, at };
    });
  }

  of({ mark, isCut }: Content): Buffer {
    const pattern = this.#patterns[Buffer.from(mark).reduce((sum, byte) => sum + byte, 0) % this.#patterns.length];
    if (pattern === undefined) throw new Error("there are no patterns");
    const bytes = Buffer.from(pattern.bytes);
    bytes.fill(" ", pattern.at, pattern.at + MARK_BYTES);
    bytes.write(mark.slice(0, MARK_BYTES), pattern.at, MARK_BYTES, "latin1");
    return isCut ? bytes.subarray(0, Math.floor(bytes.length * CUT_SHARE)) : bytes;
  }
}
