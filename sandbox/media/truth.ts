// Whether what was downloaded is what was asked for: by the sum of its bytes, and by nothing that anybody says about it.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { wanted } from "../../src/apps/media/index.ts";
import type { ItemView } from "../../src/engine/index.ts";
import { episodeKey, filmKey } from "./releases.ts";
import type { Stock } from "./stock.ts";

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
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (bytes === null) return { asked, infohash, path, sha256: "", wrong: `${asked}: ${path} is not there` };
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = stock.fileOf(sha256);
  const isIt = file?.holds === asked && !file.isCut;
  const found =
    file === undefined ? "something that nobody here has made" : `${file.isCut ? "half of " : ""}${file.holds}`;
  return { asked, infohash, path, sha256, wrong: isIt ? null : `${asked} was asked for, and ${path} is ${found}` };
}

export function askedOf({ input }: Pick<ItemView, "input">): string {
  const one = wanted.parse(input);
  return one.kind === "film" ? filmKey(one.tmdb) : episodeKey(one.tmdb, one.season, one.episode);
}
