// What a service did wrong while somebody waited for an answer, as a problem.

import { Fault, SluiceError } from "../../../engine/index.ts";
import { TellingError } from "../../http/problem.ts";

const NOT_THERE: ReadonlySet<string> = new Set(["TMDB_NOT_FOUND", "IMAGE_NOT_FOUND"]);

export async function tellingFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (NOT_THERE.has(error.code)) throw new SluiceError("NOT_FOUND", error.message, { cause: error });
    const wait = error.retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(error.retryAfterMs / 1_000) };
    throw new TellingError("SERVICE_AWAY", `${error.code}: ${error.message}`, wait);
  }
}
