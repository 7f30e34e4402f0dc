// Parts that were made more than once, and what an item reads of them.

import { addWaiter } from "../../../src/engine/items/beside.sql.ts";
import type { ClaimedRow } from "../../../src/engine/items/claim.sql.ts";
import { JOURNAL_KIND } from "../../../src/engine/items/codes.ts";
import { makeParts, type PartRow, readParts } from "../../../src/engine/items/parts.sql.ts";
import { recordEnds } from "../../../src/engine/items/seen.sql.ts";
import { watchEpoch } from "../../../src/engine/items/watch.sql.ts";
import { readGenerations } from "../../../src/engine/operate/retry-parts.sql.ts";
import { retryParts } from "../../../src/engine/operate/retry-parts.ts";
import type { Arena } from "../arena.ts";
import { begin, endItem, endPart, partly, split, splitAgain } from "../parts-play.ts";
import {
  ANNA,
  advances,
  countOf,
  ends,
  enter,
  fails,
  must,
  refuseLater,
  settled,
  take,
  taken,
  waits,
} from "../play.ts";
import type { Scenario } from "../scenario.ts";

async function held(arena: Arena): Promise<ClaimedRow> {
  await enter(arena, ANNA);
  const [row] = await taken(arena, ANNA, [1]);
  if (row === undefined) throw new Error("nothing was claimed");
  return row;
}

const madeAnew: Scenario = {
  name: "of the parts that were made in a stage the newest count",
  async prepare(arena) {
    const older = await split(arena, ["a", "b"]);
    await retryParts(arena.db, older.item.id, "person");
    const [late] = await take(arena, arena.dictionary.line, ANNA);
    const { item } = await splitAgain(arena, older.item, ["c"]);
    return {
      sessions: {},
      async check() {
        await endItem(arena.db, item);
        must((await partly(arena, item.request_id)) === 0, "one of the older is missing, and none of the newer");
        await endPart(arena.db, late as ClaimedRow, item);
        must((await partly(arena, item.request_id)) === 0, "nothing was counted that could be mended");
      },
    };
  },
};

const twoStages: Scenario = {
  name: "an item with missing parts in two stages is partly done until the last of them is done",
  async prepare(arena) {
    const { line } = arena.dictionary;
    const first = await split(arena, ["a", "b"]);
    await settled(arena, [advances(first.item, line)], ANNA);
    const [ahead] = await take(arena, line, ANNA);
    const { item } = await splitAgain(arena, ahead as ClaimedRow, ["c", "d"]);
    return {
      sessions: {},
      async check() {
        await endItem(arena.db, item);
        must((await partly(arena, item.request_id)) === 1, "it is counted once");
        must((await retryParts(arena.db, item.id, "person")) === undefined, "both are tried again");
        const [b, d] = await take(arena, line, ANNA);
        await endPart(arena.db, b as ClaimedRow, item);
        must((await partly(arena, item.request_id)) === 1, "one is missing still");
        await endPart(arena.db, d as ClaimedRow, item);
        must((await partly(arena, item.request_id)) === 0, "then none");
      },
    };
  },
};

const readBack: Scenario = {
  name: "an item reads how each part ended, and nothing of one that lives again",
  async prepare(arena) {
    const { line } = arena.dictionary;
    const lane = line.lanes[0] as number;
    const item = await held(arena);
    const [a, b] = (await begin(arena, item, ["a", "b"])) as [ClaimedRow, ClaimedRow];
    return {
      sessions: {},
      async check() {
        const read = async () => (await readParts(arena, [a.request_id])) as [PartRow, PartRow];
        const watched = { ...waits(a, line, "outside"), kind: JOURNAL_KIND.started };
        await settled(arena, [{ ...watched, detail: { watch: watchEpoch(lane), ref: "x" } }], ANNA);
        const seen = { id: a.id, version: a.version + 1, code: "DONE", message: null, told: '{"service":"nas"}' };
        await recordEnds(arena, [seen], { watchedIn: lane, finishLane: lane, watcher: null });
        const [again] = await take(arena, line, ANNA);
        await settled(arena, [ends(again as ClaimedRow, { output: '{"bytes":1}' })], ANNA);
        // The second is refused, and stands in the journal under the same version.
        for (let times = 0; times < 2; times += 1) await settled(arena, [fails(b)], ANNA);
        const [done, failed] = await read();
        must(JSON.stringify(done.output) === '{"bytes":1}', "what one came to");
        must(done.service === "nas" && failed.service === null, "who did it, where that was seen");
        must(failed.code === "BROKEN" && failed.series === 1, "why another failed");
        must((await retryParts(arena.db, item.id, "person")) === undefined, "which is tried again");
        const [, living] = await read();
        must(living.state === 0 && living.code === null, "and has not failed any more");
      },
    };
  },
};

const howItEnded: Scenario = {
  name: "why an item with parts failed is read from its end, not from what was refused after it",
  async prepare(arena) {
    const { item } = await split(arena, ["a", "b"]);
    return {
      sessions: {},
      async check() {
        for (let times = 0; times < 2; times += 1) await settled(arena, [fails(item)], ANNA);
        await refuseLater(arena);
        const [read] = await readGenerations(arena, item.id);
        must(read?.end_code === "BROKEN" && read.end_stage === item.stage, `${read?.end_code} at ${read?.end_stage}`);
      },
    };
  },
};

const waitsForParts: Scenario = {
  name: "an item that makes parts waits for them, whatever it waited for before",
  async prepare(arena) {
    const item = await held(arena);
    const { line } = arena.dictionary;
    return {
      sessions: {},
      async check() {
        await settled(arena, [waits(item, line, "signal")], ANNA);
        await addWaiter(arena, item.id, "signal", "door");
        await makeParts(arena, item.id, [{ name: "a", input: "1", nonce: "1", lane: line.lanes[0] as number }], false);
        must((await countOf(arena, "from sluice.waiter where kind = 'children'")) === 1, "for its parts");
        must((await countOf(arena, "from sluice.waiter")) === 1, "and nothing else");
      },
    };
  },
};

export const generations: readonly Scenario[] = [madeAnew, twoStages, readBack, howItEnded, waitsForParts];
