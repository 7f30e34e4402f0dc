// `sluice logs <id> [-f]`: what an item's visits noted.

import { systemClock } from "../../kit/index.ts";
import type { Item, VisitNotes } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import { patientAsk } from "../client/patient.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Output } from "../output.ts";
import { clean } from "../render/text.ts";
import { type ClientCall, type Ended, pathOf } from "./call.ts";

const LOOK_MS = 1_000;

export async function logs({ client, out, args: [id = ""], options }: ClientCall): Ended {
  const seen = new Set<string>();
  const { id: item, completedAt } = await client.ask<Item>(pathOf(id));
  tellNew(out, await client.ask<Told>(`${pathOf(item)}/logs`), seen);
  const isOver = options.follow !== true || completedAt !== null;
  const exit = isOver ? undefined : await untilInterrupted((signal) => follow(client, out, item, seen, signal));
  if (seen.size === 0 && exit === undefined) out.note("nothing was noted; a stage does so with log.info(…)");
  return exit;
}

/** Until it has ended, and what was noted last is told. */
async function follow(
  client: Client,
  out: Output,
  item: string,
  seen: Set<string>,
  signal: AbortSignal,
): Promise<undefined> {
  const ask = patientAsk(client, out, signal);
  for (let isOver = false; !isOver && !signal.aborted; ) {
    await systemClock.sleep(LOOK_MS, signal);
    const now = await ask<Item>(pathOf(item));
    const told = await ask<Told>(`${pathOf(item)}/logs`);
    if (told !== undefined) tellNew(out, told, seen);
    isOver = told !== undefined && now !== undefined && now.completedAt !== null;
  }
}

interface Told {
  readonly visits: readonly VisitNotes[];
}

/** What was noted is written when a visit ends: a visit's lines come together. */
function tellNew(out: Output, { visits }: Told, seen: Set<string>): void {
  for (const notes of visits) {
    const key = `${notes.at} ${notes.stage} ${notes.attempt}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (out.isJson) out.text(JSON.stringify(notes));
    else for (const line of noteLines(notes, out.paint)) out.text(line);
  }
}

export function noteLines({ stage, attempt, at, dropped, lines }: VisitNotes, paint: Output["paint"]): string[] {
  const head = paint("dim", `${at.slice(11, 19)} ${clean(stage)}#${attempt}`);
  const texts = lines.map(({ level, text, facts }) =>
    [...(level === "info" ? [] : [level]), text, ...(facts === undefined ? [] : [JSON.stringify(facts)])].join(" "),
  );
  return [...(dropped > 0 ? [`${dropped} older lines were dropped`] : []), ...texts].map(
    (text) => `${head} ${clean(text)}`,
  );
}
