// Which version a new request gets, from its place on a line of a hundred and the shares of the versions. Pure.
//
// The newest version has the beginning of the line, the oldest its end. So raising a version's share moves requests to it and
// never away from it, lowering it the other way round, and a request with the same key stands in the same place each time.

import { createHash } from "node:crypto";
import { InputError } from "../../kit/index.ts";
import type { Shares } from "../operate/rollout.sql.ts";

const WHOLE = 100;
/** Thirds do not add up to a hundred in floating point. */
const SLACK = 1e-6;

/** From 0 to 100, without 100. The same text always gives the same, and pipelines do not share their places. */
export function placeOf(pipeline: string, text: string): number {
  const digest = createHash("sha256")
    .update(JSON.stringify([pipeline, text]))
    .digest();
  return (digest.readUIntBE(0, 6) / 2 ** 48) * WHOLE;
}

/** The version at that place. */
export function versionAt(shares: Shares, place: number): number {
  const newestFirst = Object.entries(shares)
    .map(([version, percent]) => ({ version: Number(version), percent }))
    .filter(({ percent }) => percent > 0)
    .sort((a, b) => b.version - a.version);
  let end = 0;
  for (const { version, percent } of newestFirst) {
    end += percent;
    if (place < end) return version;
  }
  // Rounding left a gap at the very end of the line, which belongs to the last.
  return newestFirst.at(-1)?.version ?? 0;
}

export function checkShares(given: Readonly<Record<string, number>>): Shares {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new InputError("shares", "shares is an object of versions and percentages, such as { 1: 90, 2: 10 }");
  let sum = 0;
  for (const [version, percent] of Object.entries(given)) {
    if (!/^[1-9]\d{0,6}$/.test(version))
      throw new InputError("shares", `${JSON.stringify(version.slice(0, 80))} is no version`);
    if (typeof percent !== "number" || !(percent >= 0 && percent <= WHOLE))
      throw new InputError(`shares.${version}`, `a share is a percentage from 0 to 100, got ${String(percent)}`);
    sum += percent;
  }
  if (Math.abs(sum - WHOLE) > SLACK) throw new InputError("shares", `shares have to make 100 together, not ${sum}`);
  return { ...given };
}
