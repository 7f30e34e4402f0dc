// What is started with us, or again after a crash, is there in a moment: waiting for it is better than turning everybody away.

import type { Clock } from "../../../kit/index.ts";

const LOOK_MS = 250;

/** Undefined where it did not come in that time. */
export async function soon<Found>(
  find: () => Promise<Found | undefined>,
  withinMs: number,
  clock: Clock,
): Promise<Found | undefined> {
  let found = await find();
  for (let waited = 0; found === undefined && waited < withinMs; waited += LOOK_MS) {
    await clock.sleep(LOOK_MS);
    found = await find();
  }
  return found;
}
