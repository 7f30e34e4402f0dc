// What is broken on the way with --once, each when it hurts, and mended when that was noticed.

import { setTimeout as sleep } from "node:timers/promises";
import type { MediaWorld } from "../media/world.ts";
import type { Screen } from "./screen.ts";

const LOOK_MS = 250;
/** Of the whole way: some of it is downloaded, and not all. */
const SOME_PERCENT = 10;

export async function breakThings(world: MediaWorld, screen: Screen, isOver: AbortSignal): Promise<void> {
  const { things } = world;
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(isOver.aborted || (await isSo()))) await sleep(LOOK_MS);
    return !isOver.aborted;
  };
  const lines = async () => (await world.sluice.items({ pipeline: world.app.media.name }, { limit: 100 })).entries;
  const broken = async (thing: string, fault: string, said: string, isNoticed: () => Promise<boolean>) => {
    await things.break(thing, fault);
    screen.say(said);
    await until(isNoticed);
    await things.mend(thing, fault);
  };
  const atOnce = async () => true;

  if (
    !(await until(async () => (await lines()).some((one) => one.stage === "download" && one.progress > SOME_PERCENT)))
  )
    return;
  await broken("client", "kill", "the download client is killed", atOnce);
  screen.say("it is started again, and goes on from what was on the disk");

  const busy = async () => (await world.app.encoders.list(world.sluice.tables)).find(({ jobs }) => jobs.length > 0);
  if (!(await until(async () => (await busy()) !== undefined))) return;
  const { name = "" } = (await busy()) ?? {};
  await broken("worker", "kill", "the worker is killed", atOnce);
  screen.say("it is started again, and goes on with what it had in hand");
  if (name !== "") {
    const isLost = async () =>
      (await world.app.encoders.list(world.sluice.tables)).some((one) => one.name === name && one.state !== "online");
    await broken(name, "kill", `the encoder ${name} is killed while it encodes`, isLost);
    screen.say(`${name} is known to be gone: the other one has what it had; it is started again`);
  }

  if (!(await until(async () => (await lines()).some((one) => one.stage === "deliver" && one.part === "attic"))))
    return;
  const isCut = async () => (await lines()).some(({ code }) => code === "CONNECTION_LOST");
  await broken("attic", "cut", "every line to the attic is cut in the middle of a film", isCut);
  screen.say("the lines hold again: what was cut goes on from what is there");
}
