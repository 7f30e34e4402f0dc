// Where images are. TMDB has them in a few widths, and other words for it than numbers. Pure.

import { InputError } from "../../kit/index.ts";
import type { ImageKind } from "./metadata.ts";

const WIDTHS: Readonly<Record<ImageKind, readonly number[]>> = {
  poster: [92, 154, 185, 342, 500, 780],
  backdrop: [300, 780, 1280],
  still: [92, 185, 300],
};

export const IMAGES_URL = "https://image.tmdb.org/t/p/";

export function imageAddress(base: string, kind: ImageKind, path: string, width: number): string {
  if (!/^\/[A-Za-z0-9_-]+\.[a-z]{3,4}$/.test(path)) throw new InputError("path", "path must be like /abc.jpg");
  const wide = WIDTHS[kind].find((each) => each >= width);
  return `${base}${wide === undefined ? "original" : `w${wide}`}${path}`;
}
