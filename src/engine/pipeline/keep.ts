// How long what has ended is kept, by how it ended.

import { type Duration, InputError, toMilliseconds } from "../../kit/index.ts";

/** Counted from the end; `false` is for ever. */
export interface KeepOptions {
  readonly done?: Duration | false;
  readonly failed?: Duration | false;
  readonly cancelled?: Duration | false;
}

/** In milliseconds; null is for ever. */
export interface Keep {
  readonly done: number | null;
  readonly failed: number | null;
  readonly cancelled: number | null;
}

const DEFAULTS = { done: "90d", failed: "365d", cancelled: "30d" } as const;
const ENDS = ["done", "failed", "cancelled"] as const;

export function checkKeep(pipeline: string, keep: KeepOptions = {}): Keep {
  if (typeof keep !== "object" || keep === null)
    throw new InputError(`${pipeline}.keep`, `${pipeline}.keep is an object such as { done: "30d", failed: false }`);
  for (const name of Object.keys(keep)) {
    // A slip ("fail") would quietly mean the default.
    if (!ENDS.some((end) => end === name))
      throw new InputError(
        `${pipeline}.keep`,
        `${pipeline}.keep has no ${JSON.stringify(name)}, only ${ENDS.join(", ")}`,
      );
  }
  const [done, failed, cancelled] = ENDS.map((end) => {
    const given = keep[end] ?? DEFAULTS[end];
    return given === false ? null : toMilliseconds(given, `${pipeline}.keep.${end}`);
  });
  return { done: done ?? null, failed: failed ?? null, cancelled: cancelled ?? null };
}
