// What the demo world really has: every release with its torrent, and of every file whose it is. Made once, kept in a folder, and read by
// the processes that list it, seed it and judge by it.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Catalogue, type CatalogueSize, catalogue } from "./catalogue.ts";
import { type Content, Contents, makePatterns, type PatternShape } from "./content.ts";
import { makeTorrent, PIECE_BYTES } from "./make-torrent.ts";
import { type PlannedRelease, type PlanOptions, planReleases } from "./releases.ts";

export interface StockFile extends Content {
  readonly path: string;
  readonly holds: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface StockRelease extends Omit<PlannedRelease, "files"> {
  readonly infohash: string;
  /** The .torrent, in base 64. */
  readonly torrent: string;
  readonly files: readonly StockFile[];
}

export interface StockOptions extends PlanOptions {
  readonly size?: CatalogueSize;
  readonly shape: PatternShape;
  /** The tracker's address. */
  readonly announce: string;
}

interface Stored {
  readonly catalogue: Catalogue;
  readonly releases: readonly StockRelease[];
}

const stockFile = (folder: string) => join(folder, "stock.json");

export async function makeStock(folder: string, { size, shape, announce, ...plan }: StockOptions): Promise<Stock> {
  await mkdir(folder, { recursive: true });
  await makePatterns(folder, shape);
  const contents = new Contents(folder);
  const all = catalogue(size);
  const releases = planReleases(all, plan).map((planned) => stocked(planned, contents, announce));
  await writeFile(stockFile(folder), JSON.stringify({ catalogue: all, releases } satisfies Stored));
  return new Stock(folder);
}

function stocked(planned: PlannedRelease, contents: Contents, announce: string): StockRelease {
  const { name } = planned;
  const made = planned.files.map(({ path, holds, isCut }) => {
    const mark = markOf(holds, `${name}/${path}`);
    const content = contents.of({ mark, isCut });
    return { content, file: { path, holds, isCut, mark, bytes: content.length, sha256: hash("sha256", content) } };
  });
  const files = made.map(({ content, file: { path } }) => ({ path, content }));
  const { infohash, file } = makeTorrent({ name, files, announce });
  const torrent = Buffer.from(file).toString("base64");
  return { ...planned, infohash, torrent, files: made.map((one) => one.file) };
}

const hash = (algorithm: string, bytes: string | Buffer): string => createHash(algorithm).update(bytes).digest("hex");

/** Readable in any player, and another for every file. */
const markOf = (holds: string, file: string): string => `${holds} ${hash("sha1", file).slice(0, 16)}`;

export class Stock {
  readonly catalogue: Catalogue;
  readonly releases: readonly StockRelease[];
  readonly #contents: Contents;
  readonly #byInfohash: ReadonlyMap<string, StockRelease>;
  readonly #bySum: ReadonlyMap<string, StockFile>;
  readonly #byMark: ReadonlyMap<string, StockFile>;

  /** Of a folder that `makeStock` has filled. */
  constructor(folder: string) {
    // Written by makeStock.
    const stored = JSON.parse(readFileSync(stockFile(folder), "utf8")) as Stored;
    this.catalogue = stored.catalogue;
    this.releases = stored.releases;
    this.#contents = new Contents(folder);
    this.#byInfohash = new Map(stored.releases.map((one) => [one.infohash, one]));
    const files = stored.releases.flatMap((one) => one.files);
    this.#bySum = new Map(files.map((file) => [file.sha256, file]));
    this.#byMark = new Map(files.map((file) => [file.mark, file]));
  }

  release(infohash: string): StockRelease | undefined {
    return this.#byInfohash.get(infohash);
  }

  /** Whose bytes these are; undefined for bytes that nobody here has made. */
  fileOf(sha256: string): StockFile | undefined {
    return this.#bySum.get(sha256);
  }

  /** Whose pictures these are: what is encoded keeps the mark of what it was made of. */
  markedFile(mark: string): StockFile | undefined {
    return this.#byMark.get(mark);
  }

  /** Of all its files, as they stand in its torrent. */
  bytesOf({ files }: StockRelease): Buffer {
    return Buffer.concat(files.map((file) => this.#contents.of(file)));
  }

  piecesOf({ files }: StockRelease): number {
    return Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / PIECE_BYTES);
  }
}
