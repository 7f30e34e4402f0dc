// Waiting for programs of others, which tell nobody when they are done.

import { setTimeout as sleep } from "node:timers/promises";
import type { SeenTorrents, Torrents } from "../../src/connectors/index.ts";

const NEVER_MS = 60_000;
const LOOK_MS = 50;

/** Until it is so. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => string),
  ms = NEVER_MS,
): Promise<void> {
  const late = AbortSignal.timeout(ms);
  while (!(await isSo())) {
    if (late.aborted) throw new Error(`it never came to that: ${typeof what === "string" ? what : what()}`);
    await sleep(LOOK_MS);
  }
}

/** Looks until it is so. */
export async function seenUntil(client: Torrents, isSo: (seen: SeenTorrents) => boolean): Promise<SeenTorrents> {
  let seen: SeenTorrents = new Map();
  await until(
    async () => {
      seen = await client.look();
      return isSo(seen);
    },
    () => `a look that shows it; seen last: ${JSON.stringify([...seen.values()])}`,
  );
  return seen;
}
