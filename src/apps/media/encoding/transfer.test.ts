import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodingProfile } from "../../../connectors/index.ts";
import { readBlock, sha256Of } from "./board-files.ts";
import type { EncodeTask, Speaker } from "./conversation.ts";
import { fetchSource, type Transfer } from "./transfer.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-transfer-"));
  writeFileSync(source(), film);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** 128 pieces are compared at once: there are three such stretches in it, the last of them shorter. */
const PIECE = 10;
const STRETCH = 128 * PIECE;
const film = Buffer.from(Array.from({ length: 2 * STRETCH + 505 }, (_, at) => (at * 7) % 251));
const source = () => join(root, "source");
const here = () => join(root, "here");
const task = (): EncodeTask => ({
  ...{ key: "k", turn: 1, profile: encodingProfile.parse({ name: "small", codec: "hevc" }) },
  source: { path: source(), bytes: film.length, at: 0, length: 1, sha256: "0".repeat(64) },
  output: { path: "/x/1.mkv", markerPath: "/x/.sluice-marker", marker: "m" },
});

function fetching(change: (speaker: Pick<Speaker, "read" | "hash">) => Partial<Speaker> = () => ({})) {
  const reads: number[] = [];
  const plain = {
    read: async (_: unknown, from: number, length: number) => readBlock(source(), from, length),
    hash: async (_: unknown, from: number, length: number) => sha256Of(source(), from, length),
  };
  const speaker = { ...plain, ...change(plain) };
  const read: Speaker["read"] = (job, from, length) => {
    reads.push(from);
    return speaker.read(job, from, length);
  };
  const transfer: Transfer = {
    speaker: { ...speaker, read } as Speaker, // nothing else is asked of it
    ...{ signal: new AbortController().signal, pieceBytes: PIECE, moved: () => undefined },
  };
  return { reads, go: () => fetchSource(task(), here(), transfer) };
}

describe("a source that is fetched", () => {
  it("is the source, and none of its bytes came twice", async () => {
    const { go, reads } = fetching();
    await go();
    expect(readFileSync(here()).equals(film)).toBe(true);
    expect([reads.length, new Set(reads).size]).toEqual([Math.ceil(film.length / PIECE), reads.length]);
  });

  it("goes on where it was cut off, also amid a piece", async () => {
    writeFileSync(here(), film.subarray(0, STRETCH + 123));
    const { go, reads } = fetching();
    await go();
    expect(readFileSync(here()).equals(film)).toBe(true);
    expect(reads[0]).toBe(STRETCH + 123);
  });

  it.each([
    ["at its beginning", 0, 0],
    ["in its middle", STRETCH + 60, STRETCH],
  ])("is not built upon what is wrong %s, and what is right before it stays", async (_, at, again) => {
    const wrong = Buffer.from(film.subarray(0, STRETCH + 123));
    wrong[at] = (wrong[at] ?? 0) ^ 1;
    writeFileSync(here(), wrong);
    const { go, reads } = fetching();
    // A whole stretch that is wrong is told: the next try has the rest.
    await go().catch(() => go());
    expect(readFileSync(here()).equals(film)).toBe(true);
    expect(reads[0]).toBe(again);
  });

  it("that was of a longer file is cut to its length", async () => {
    writeFileSync(here(), Buffer.concat([film, Buffer.from("more")]));
    const { go, reads } = fetching();
    await go();
    expect([readFileSync(here()).equals(film), reads]).toEqual([true, []]);
  });

  it("of which one bit came wrong is refused, and only that stretch comes again", async () => {
    let isFirst = true;
    const { go, reads } = fetching(({ read }) => ({
      async read(job, from, length) {
        const piece = Buffer.from(await read(job, from, length));
        if (from === STRETCH + 50 && isFirst) {
          isFirst = false;
          piece[3] = (piece[3] ?? 0) ^ 1;
        }
        return piece;
      },
    }));
    await expect(go()).rejects.toMatchObject({ kind: "transient", code: "BAD_TRANSFER" });
    expect(readFileSync(here()).equals(film.subarray(0, STRETCH))).toBe(true);
    await go();
    expect(readFileSync(here()).equals(film)).toBe(true);
    expect(reads.filter((from) => from < STRETCH)).toHaveLength(128);
  });

  it("that ends too soon, or for which there is no place here, is a fault with its name", async () => {
    const short = fetching(() => ({ read: async () => new Uint8Array() }));
    await expect(short.go()).rejects.toMatchObject({ kind: "transient", code: "BAD_TRANSFER" });
    rmSync(root, { recursive: true });
    const { go } = fetching(() => ({ read: async (_, __, length) => new Uint8Array(length) }));
    await expect(go()).rejects.toMatchObject({ kind: "permanent", code: "ENOENT", service: "encoder" });
  });
});
