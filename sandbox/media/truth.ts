// Whether what was downloaded is what was asked for: by the sum of its bytes, and by nothing that anybody says about it.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { wanted } from "../../src/apps/media/index.ts";
import type { ItemView } from "../../src/engine/index.ts";
import { episodeKey, filmKey } from "./releases.ts";
import type { Stock, StockFile } from "./stock.ts";

export interface Judged {
  /** As the stock calls it. */
  readonly asked: string;
  readonly infohash: string;
  readonly path: string;
  readonly sha256: string;
  /** In words; null where nothing is wrong. */
  readonly wrong: string | null;
}

const downloaded = z.object({ infohash: z.string(), path: z.string() });

/** Of an item of the media pipeline that is done. */
export async function judge(stock: Stock, item: Pick<ItemView, "input" | "outputs">): Promise<Judged> {
  const asked = askedOf(item);
  const { infohash, path } = downloaded.parse(item.outputs.download);
  const sha256 = await sumOf(path);
  if (sha256 === null) return { asked, infohash, path, sha256: "", wrong: `${asked}: ${path} is not there` };
  return { asked, infohash, path, sha256, wrong: wrongWith(stock.fileOf(sha256), asked, path) };
}

/** In words; null where it is what was asked for. */
export function wrongWith(file: StockFile | undefined, asked: string, path: string): string | null {
  if (file?.holds === asked && !file.isCut) return null;
  const found =
    file === undefined ? "something that nobody here has made" : `${file.isCut ? "half of " : ""}${file.holds}`;
  return `${asked} was asked for, and ${path} is ${found}`;
}

export function askedOf({ input }: Pick<ItemView, "input">): string {
  const one = wanted.parse(input);
  return one.kind === "film" ? filmKey(one.tmdb) : episodeKey(one.tmdb, one.season, one.episode);
}

/** Of its bytes; null where there is no such file. */
export async function sumOf(path: string): Promise<string | null> {
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
