// What the world learns from the statements of others, and what it checks when something was committed.

import type { Statement } from "../../src/engine/db/database.ts";
import type { DueSchedule } from "../../src/engine/intake/schedule.sql.ts";
import type { AlikeAnswer } from "../../src/engine/items/settle-alike.sql.ts";
import type { Watcher } from "./faulty-database.ts";
import type { Party } from "./scheduler.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

export function watcherOf(world: World): Watcher {
  return {
    ran: (party, statement, values, rows) => learn(world, party, statement, values, rows),
    committed: () => world.guard(() => world.invariants.check(world.nowText())),
    notified: (from, letter) => wake(world, from, letter),
    dies: (party) => {
      if (party instanceof SimulatedProcess) world.kill(party);
    },
  };
}

function learn(
  world: World,
  party: Party,
  statement: Statement,
  values: readonly unknown[],
  rows: readonly unknown[],
): void {
  const { counts, outside } = world;
  switch (statement.name) {
    case "worker-enter":
      if (party instanceof SimulatedProcess) {
        party.epochs.push(String(values[4]));
        world.code.set(String(values[4]), party.code);
      }
      break;
    case "worker-beat":
      if (rows.length > 0) world.acknowledged.set(String(values[0]), BigInt(String(values[1])));
      break;
    case "claim-fair":
    case "claim-fair-probe":
      counts.add("claimed by turns", rows.length);
      for (const row of rows as { id: string }[]) outside.leased(row.id);
      break;
    case "claim-aged":
      counts.add("claimed by age", rows.length);
      for (const row of rows as { id: string }[]) outside.leased(row.id);
      break;
    case "claim":
    case "claim-probe":
    case "claim-manual":
      for (const row of rows as { id: string }[]) outside.leased(row.id);
      break;
    case "submit-few-at-hand":
    case "submit-one-at-hand":
      for (const { id, held } of rows as { id: string; held: boolean }[]) {
        counts.add(held ? "handed over" : "offered in vain");
        if (held) outside.leased(id);
      }
      break;
    case "submit-few-afar":
    case "submit-one-afar":
      for (const { id, epoch } of rows as { id: string; epoch: string | null }[]) {
        counts.add(epoch === null ? "nobody invited" : "handed over afar");
        if (epoch !== null) outside.leased(id);
      }
      break;
    case "settle":
    case "settle-plain":
      tellSettled(world, settledBy(values, rows as SettleAnswer[]));
      break;
    case "settle-on":
    case "settle-end":
      tellSettled(world, settledAlike(values, rows as AlikeAnswer[]));
      break;
    case "resolve":
      for (const row of rows as { committed: boolean }[])
        counts.add(row.committed ? "unknown commit: it had" : "unknown commit: it had not");
      break;
    case "worker-mark-dead":
      counts.add("marked dead", rows.length);
      break;
    case "owe-orphans":
      counts.add("orphans found", (values[0] as readonly string[]).length);
      break;
    case "write-intents":
      for (const { key } of rows as { key: string }[]) world.services.starts.intended(party, key);
      break;
    case "due-schedules":
      world.invariants.actions.schedules?.due(party, rows as DueSchedule[]);
      break;
    case "still-held":
      world.invariants.informs(party);
      break;
    case "begin":
    case "fail-schedule":
    case "pause-schedule":
    case "register-schedule":
      world.invariants.actions.schedules?.somethingElse();
      break;
    case "move-schedule":
      if (rows.length > 0) world.guard(() => world.invariants.actions.schedules?.moves(party, values));
      break;
    case "save-grants":
      world.services.calls.granted(party, String(values[0]), JSON.parse(String(values[1])));
      break;
    default:
  }
}

interface SettleAnswer {
  readonly refused: readonly string[];
  readonly queued: readonly string[];
}

interface SettledItem {
  readonly id: string;
  readonly held: boolean;
}

function tellSettled({ counts, outside }: World, items: readonly SettledItem[]): void {
  for (const { id, held } of items) {
    counts.add(held ? "handed on" : "queued");
    if (held) outside.leased(id);
  }
}

const numbers = (text: unknown): string[] => String(text).slice(1, -1).split(",");

/** What was written of a batch that is all alike: all of it goes the same way. */
function settledAlike(values: readonly unknown[], [answer]: readonly AlikeAnswer[]): SettledItem[] {
  if (answer === undefined) return [];
  return numbers(values[0])
    .filter((id) => !answer.refused.includes(id))
    .map((id) => ({ id, held: answer.held }));
}

/** What was written, and whether it is still held: as asked for, but for what the answer names. */
function settledBy(values: readonly unknown[], [answer]: readonly SettleAnswer[]): SettledItem[] {
  if (answer === undefined) return [];
  const shapes = numbers(values[2]);
  const [ended, handOff] = [values[7] as number[], values[10] as boolean[]];
  const asked = (shape: number) => handOff[shape] === true && ended[shape] === 0;
  return numbers(values[0])
    .map((id, index) => ({ id, held: asked(Number(shapes[index]) - 1) && !answer.queued.includes(id) }))
    .filter(({ id }) => !answer.refused.includes(id));
}

function wake(world: World, from: Party, letter: string): void {
  for (const process of world.processes) {
    for (const listener of process === from ? [] : world.database.listenersOf(process)) {
      if (!world.dice.chance(0.3) || world.isHealed)
        world.scheduler.park(process, "is woken", 1, () => listener.wake(letter));
      else world.counts.add(letter === "" ? "fault: lost wake-up" : "fault: lost letter");
    }
  }
}
