// What a service did wrong while somebody waited for an answer, as a problem.

import type { Context } from "hono";
import { Fault, SluiceError } from "../../../engine/index.ts";
import type { Env } from "../../http/env.ts";
import { TellingError } from "../../http/problem.ts";
import { ownerFor } from "../ownership.ts";

const NOT_THERE: ReadonlySet<string> = new Set(["TMDB_NOT_FOUND", "IMAGE_NOT_FOUND"]);

export async function tellingFaults<T>(c: Context<Env>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (NOT_THERE.has(error.code)) throw new SluiceError("NOT_FOUND", error.message, { cause: error });
    const wait = error.retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(error.retryAfterMs / 1_000) };
    // A service's own words may tell of addresses and keys: they are for those who run it.
    const words =
      ownerFor(c) === undefined ? `${error.code}: ${error.message}` : "the metadata service does not answer";
    throw new TellingError("SERVICE_AWAY", words, wait);
  }
}
