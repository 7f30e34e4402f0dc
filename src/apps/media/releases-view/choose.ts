// A person chooses a release, or wants another search. What they want is stored first; then the item begins its search anew, wherever
// it is, and finds it. What it had outside is let go of by the engine, as with every replay.

import { type ActionOptions, type ActionResult, type ItemId, parseId, type Sluice } from "../../../engine/index.ts";
import { type Choice, isSame } from "../found.ts";
import { dropChoice, keepChoice } from "./listing.sql.ts";
import { chosenOf, releasesOf } from "./releases.ts";

export async function chooseRelease(
  sluice: Sluice,
  item: ItemId,
  release: string,
  options: ActionOptions,
): Promise<ActionResult> {
  const releases = await releasesOf(sluice.tables, item);
  const offered = chosenOf(releases, release);
  const { state, stage } = await sluice.item(item);
  const isIn = stage !== "search" && state !== "failed" && state !== "cancelled";
  if (isIn && releases.taken !== null && isSame(releases.taken, offered))
    return { ok: false, reason: state === "done" ? "it is the one that was downloaded" : "it is being downloaded" };
  // What was taken before is good enough to be tried again after it.
  const before = [...(releases.taken === null ? [] : [releases.taken]), ...releases.next];
  return await wish(sluice, item, { offered, next: before.filter((one) => !isSame(one, offered)) }, options);
}

/** What indexers said a short while ago does not count. */
export async function searchAgain(sluice: Sluice, item: ItemId, options: ActionOptions): Promise<ActionResult> {
  return await wish(sluice, item, { offered: null, next: [] }, options);
}

async function wish(sluice: Sluice, item: ItemId, choice: Choice, options: ActionOptions): Promise<ActionResult> {
  const replay = () => sluice.replay(item, { ...options, from: "search" });
  const id = parseId("item", item);
  if (options.dryRun === true) return await orAhead(sluice, item, await replay(), WOULD_SEARCH);
  await keepChoice(sluice.tables, id, choice);
  const result = await orAhead(sluice, item, await replay(), { ok: true });
  if (!result.ok) await dropChoice(sluice.tables, id);
  return result;
}

const WOULD_SEARCH: ActionResult = { ok: true, would: { items: 1, stage: "search", keeps: [], redoes: [] } };

/** One that has not begun its search yet cannot be replayed, and need not: it finds what is wanted when it begins. */
async function orAhead(sluice: Sluice, item: ItemId, result: ActionResult, ahead: ActionResult): Promise<ActionResult> {
  if (result.ok) return result;
  const { state, stage } = await sluice.item(item);
  const isAhead = stage === "search" && (state === "queued" || state === "waiting" || state === "running");
  return isAhead ? ahead : result;
}
