// A secret of a client, opened when it is needed.

import { type Queryable, SluiceError, unavailable } from "../../../engine/index.ts";
import type { SecretKeeper } from "../secrets.ts";

/** A key that this process does not have is nobody's attempt: it is given to it, or the secret is set again. */
export async function opened(secrets: Pick<SecretKeeper, "get">, name: string, tables: Queryable): Promise<string> {
  try {
    return await secrets.get(name, tables);
  } catch (error) {
    if (error instanceof SluiceError) throw notSet("SECRET_KEY", error.message);
    throw error;
  }
}

/** Somebody has to set it; until then nothing is lost, and no other service is blamed. */
export const notSet = (code: string, why: string) => unavailable(code, why, { breaker: "none" });
