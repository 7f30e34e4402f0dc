// Trying failed parts anew. Their item stays as it is: completed, or on its way; only where it failed because none of its
// parts was done does it wait for them once more.

import type { Database } from "../db/database.ts";
import { ITEM_STATE } from "../items/codes.ts";
import { KEY_TAKEN } from "../items/key-taken.sql.ts";
import { PARTS_FAILED } from "../items/parts.ts";
import { NO_FAILED_PART } from "./plan.ts";
import { retryItem } from "./retry.ts";
import {
  awaitReopened,
  type FailedPartRow,
  type Generation,
  lockItem,
  parentOf,
  readGenerations,
  reopenParts,
} from "./retry-parts.sql.ts";

const NONE_FAILED = "no part of it has failed";

/** All failed parts of an item. Undefined when it was done, else why it was not. */
export async function retryParts(db: Database, item: string, actor: string): Promise<string | undefined> {
  const seen = (await readGenerations(db, item)).filter((one) => one.is_current && one.failed.length > 0);
  return await reopen(db, item, new Map(seen.map((one) => [one.request, failedOf(one)])), actor);
}

/** How many parts that would be; or why none. */
export async function wouldRetryParts(db: Database, item: string): Promise<number | string> {
  const seen = (await readGenerations(db, item)).filter((one) => one.is_current && one.failed.length > 0);
  if (seen.length === 0) return NONE_FAILED;
  return (
    seen.map(whyNot).find((reason) => reason !== undefined) ?? seen.reduce((sum, one) => sum + one.failed.length, 0)
  );
}

/** One part. What is none has no reason, and is retried as an item. */
export async function retryPart(
  db: Database,
  part: string,
  actor: string,
): Promise<{ readonly isPart: boolean; readonly reason: string | undefined }> {
  const parent = await parentOf(db, part);
  if (parent === undefined) return { isPart: false, reason: undefined };
  const generation = (await readGenerations(db, parent.item)).find((one) => one.request === parent.request);
  const failed = generation === undefined ? [] : failedOf(generation).filter((one) => one.id === part);
  const reason =
    failed.length === 0 ? NO_FAILED_PART : await reopen(db, parent.item, new Map([[parent.request, failed]]), actor);
  return { isPart: true, reason };
}

/** What speaks against it now; undefined where nothing does. */
export async function whyNotPart(db: Database, part: string): Promise<string | undefined> {
  const parent = await parentOf(db, part);
  const generations = parent === undefined ? [] : await readGenerations(db, parent.item);
  const own = generations.find((one) => one.request === parent?.request && one.failed.includes(part));
  return own === undefined ? NO_FAILED_PART : whyNot(own);
}

function failedOf({ failed, versions }: Generation): FailedPartRow[] {
  return failed.map((id, index) => ({ id, version: versions[index] ?? -1 }));
}

async function reopen(
  db: Database,
  item: string,
  failed: ReadonlyMap<string, readonly FailedPartRow[]>,
  actor: string,
): Promise<string | undefined> {
  if (failed.size === 0) return NONE_FAILED;
  return await db.transaction(async (tx) => {
    await lockItem(tx, item);
    const generations = (await readGenerations(tx, item)).filter((one) => failed.has(one.request));
    const refusal = generations.map(whyNot).find((reason) => reason !== undefined);
    if (refusal !== undefined) return refusal;
    let reopened = 0;
    for (const one of generations) {
      // Whoever else reopens parts of it waits for its lock, so what is failed now stays so.
      const still = (failed.get(one.request) ?? []).filter((part) => one.failed.includes(part.id));
      if (still.length === 0) continue;
      // The item's request before that of its parts, which is younger: everybody locks them by id.
      if (failedOfThem(one)) {
        await retryItem(tx, item, actor);
        await awaitReopened(tx, item, one.request);
      }
      reopened += await reopenParts(tx, still, actor);
    }
    return reopened > 0 ? undefined : NONE_FAILED;
  });
}

type GenerationFacts = Omit<Generation, "failed" | "versions">;

/** Undefined when nothing speaks against it. */
export function whyNot(generation: GenerationFacts): string | undefined {
  const { is_current, is_whole, is_judged, item_state, item_stage, stage } = generation;
  if (!is_current) return "its item has made new parts since";
  if (item_state === ITEM_STATE.cancelled) return "its item was cancelled";
  if (is_whole) return "its parts succeed all or not at all; retry the item";
  if (item_stage !== null && item_stage < stage) return "its item was sent back, and makes new parts when it returns";
  // It would fail all the same, and leave parts behind that live.
  if (is_judged) return "its item is just being visited, and none of its parts was done; try again in a moment";
  if (generation.key_taken && failedOfThem(generation)) return KEY_TAKEN;
  return undefined;
}

/** Whether the item failed because of these parts, and may yet succeed because of them. */
export function failedOfThem({ item_state, end_code, end_stage, stage }: GenerationFacts): boolean {
  return item_state === ITEM_STATE.failed && end_code === PARTS_FAILED && end_stage === stage;
}
