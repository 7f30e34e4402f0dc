// A secret as a setting changes it: sealed, forgotten, or left as it was.

import type { Queryable } from "../../../engine/index.ts";
import type { SecretKeeper } from "../secrets.ts";
import type { SecretChange } from "./check.ts";

/** Whether there is one now. */
export async function keepSecret(
  tx: Queryable,
  secrets: SecretKeeper,
  name: string,
  change: SecretChange,
): Promise<boolean> {
  if (typeof change === "object") await secrets.put(tx, name, change.put);
  else if (change === "forget") await secrets.forget(tx, name);
  return typeof change === "object" || change === "keep";
}

/** The one that would be used, without anything being changed. */
export async function secretNow(
  db: Queryable,
  secrets: Pick<SecretKeeper, "get">,
  name: string,
  change: SecretChange,
): Promise<string | undefined> {
  if (typeof change === "object") return change.put;
  return change === "keep" ? await secrets.get(name, db) : undefined;
}
