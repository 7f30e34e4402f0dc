// Where images are, and what is one. TMDB has them in a few widths, and other words for it than numbers. Pure.

import { transient } from "../../engine/index.ts";
import { InputError } from "../../kit/index.ts";
import type { Image, ImageKind } from "./metadata.ts";

const WIDTHS: Readonly<Record<ImageKind, readonly number[]>> = {
  poster: [92, 154, 185, 342, 500, 780],
  backdrop: [300, 780, 1280],
  still: [92, 185, 300],
};

export const IMAGES_URL = "https://image.tmdb.org/t/p/";

/** Larger than any that is asked for. */
export const IMAGE_BYTES = 2 * 1024 * 1024;

/** Below the address of images. */
export function imagePath(kind: ImageKind, path: string, width: number): string {
  if (!/^\/[A-Za-z0-9_-]+\.[a-z]{3,4}$/.test(path)) throw new InputError("path", "path must be like /abc.jpg");
  const wide = WIDTHS[kind].find((each) => each >= width);
  return `${wide === undefined ? "original" : `w${wide}`}${path}`;
}

/** By its bytes: what a browser is told it is has to be that, whoever sent it. */
export function asImage(bytes: Uint8Array, service: string): Image {
  const begins = (at: number, ...values: number[]) => values.every((value, index) => bytes[at + index] === value);
  if (begins(0, 0xff, 0xd8, 0xff)) return { type: "image/jpeg", bytes };
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a)) return { type: "image/png", bytes };
  // "RIFF", its length, "WEBP".
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return { type: "image/webp", bytes };
  throw transient("BAD_ANSWER", `${service} sent something that is no JPEG, PNG or WebP`, { service });
}
