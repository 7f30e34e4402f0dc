// `npm run demo -- --once`: a batch of films to their end, with a service and the worker broken and mended on the way, and then what
// happened. Answers with the words for what was lost; none when nothing was.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ItemId, Sluice } from "../../src/engine/index.ts";
import { plain } from "../../src/main/render/paint.ts";
import { table } from "../../src/main/render/table.ts";
import { films, RESUMED, TARGETS } from "../pipeline.ts";
import type { World } from "../world.ts";
import { histories } from "./histories.ts";
import { lost, type Shelves } from "./lost.ts";
import { makeScreen, type Screen, type Shown } from "./screen.ts";
import { TALLY_COLUMNS, tally } from "./tally.ts";
import { type Film, film } from "./titles.ts";

export interface OnceOptions {
  readonly items: number;
  readonly folder: string;
  readonly over: AbortSignal;
}

const LOOK_MS = 250;
/** Short ones: nobody watches for long. */
const MEGABYTES = 400;
const LONGEST_MS = 120_000;

export async function once(world: World, { items, folder, over }: OnceOptions): Promise<readonly string[]> {
  const { sluice } = world;
  const screen = makeScreen(process.stdout, () => performance.now());
  const batch = Array.from({ length: items }, (_, index) => ({
    ...film(index, { asks: false }),
    megabytes: MEGABYTES,
  }));
  const before = filesAt(folder);
  const request = await sluice.submit(films, batch, { owner: "demo" });
  const late = AbortSignal.any([over, AbortSignal.timeout(LONGEST_MS)]);
  const ended = new AbortController();
  const [result] = await Promise.all([
    request.result({ signal: late }).finally(() => ended.abort()),
    show(sluice, request.items, batch, screen, ended.signal),
    breakThings(world, request.items, screen, AbortSignal.any([late, ended.signal])).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    }),
  ]).catch((error: unknown) => {
    if (late.aborted) return [undefined];
    throw error;
  });
  if (result === undefined) return over.aborted ? [] : await standstill(sluice, request.items);
  const rows = tally(
    await histories(sluice, request.items),
    films.stages.map(({ name }) => name),
  );
  const resumed = (await Promise.all(request.items.map((id) => sluice.logs(id)))).filter((notes) =>
    notes.some(({ lines }) => lines.some(({ text }) => text === RESUMED)),
  );
  console.log(`\n${table(TALLY_COLUMNS, rows, { isTerminal: true, width: 120, paint: plain })}\n`);
  console.log(`${resumed.length} of them went on from a checkpoint after the worker was killed.`);
  return lost(batch.length, before, filesAt(folder), result.items);
}

/** The worker in the middle of a film, and the converter when somebody depends on it, mended once that was noticed. */
async function breakThings(world: World, ids: readonly ItemId[], screen: Screen, over: AbortSignal): Promise<void> {
  const { sluice, things } = world;
  const until = async (isSo: () => Promise<boolean>) => {
    while (!over.aborted && !(await isSo())) await sleep(LOOK_MS);
    over.throwIfAborted();
  };
  const some = async (isIt: (item: Awaited<ReturnType<Sluice["item"]>>) => boolean) =>
    (await Promise.all(ids.map((id) => sluice.item(id)))).some(isIt);
  await until(() => some(({ stage, checkpoint }) => stage === "fetch" && checkpoint !== null));
  await things.break("worker", "kill");
  screen.say("the worker is killed");
  await things.mend("worker", "kill");
  screen.say("the worker is started again, and goes on with what it had in hand");
  await until(() => some(({ stage }) => stage === "convert"));
  await things.break("converter", "stop");
  screen.say("the converter is stopped");
  await until(async () =>
    (await sluice.services()).some(({ name, state }) => name === "converter" && state === "down"),
  );
  screen.say("it is known to be down: its items wait, and spend no attempts");
  await things.mend("converter", "stop");
  screen.say("the converter is started again");
}

async function show(sluice: Sluice, ids: readonly ItemId[], batch: readonly Film[], screen: Screen, over: AbortSignal) {
  const look = async () => {
    const all = await Promise.all(ids.map((id) => sluice.item(id)));
    screen.draw(
      all.map(({ stage, state, progress }, at): Shown => {
        const title = `${batch[at]?.title ?? ""} (${batch[at]?.year ?? ""})`;
        return { title, stage, state, progress };
      }),
    );
  };
  while (!over.aborted) {
    await look();
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => undefined);
  }
  await look();
}

async function standstill(sluice: Sluice, ids: readonly ItemId[]): Promise<readonly string[]> {
  const all = await Promise.all(ids.map(async (id) => `${id}: ${(await sluice.explain(id)).sentence}`));
  return [`after ${LONGEST_MS / 1_000} seconds not everything is over:`, ...all];
}

function filesAt(folder: string): Shelves {
  return new Map(TARGETS.map((target) => [target, readdirSync(join(folder, target, "files"))]));
}
