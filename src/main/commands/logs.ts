// `sluice logs <id> [-f]`: what an item's visits noted.

import type { Client } from "../client/client.ts";
import type { ItemView } from "../client/shapes.ts";
import type { Output } from "../output.ts";
import { clean } from "../render/text.ts";
import { type ClientCall, type Ended, pathOf } from "./call.ts";

interface LogLine {
  readonly level: string;
  readonly text: string;
  readonly facts?: unknown;
}

interface Notes {
  readonly stage: string;
  readonly attempt: number;
  readonly at: string;
  readonly dropped: number;
  readonly lines: readonly LogLine[];
}

const LOOK_MS = 1_000;

export async function logs({ client, out, args: [id = ""], options }: ClientCall): Ended {
  const seen = new Set<string>();
  let item = await client.ask<ItemView>(pathOf(id));
  await tellNew(client, out, item.id, seen);
  for (; options.follow === true && item.completedAt === null; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    item = await client.ask<ItemView>(pathOf(item.id));
    await tellNew(client, out, item.id, seen);
  }
  if (seen.size === 0) out.note("nothing was noted; a stage does so with visit.log(…)");
  return undefined;
}

/** What was noted is written when a visit ends: a visit's lines come together. */
async function tellNew(client: Client, out: Output, item: string, seen: Set<string>): Promise<void> {
  const told = await client.ask<{ readonly visits: readonly Notes[] }>(`${pathOf(item)}/logs`);
  for (const notes of told.visits) {
    const key = `${notes.at} ${notes.stage} ${notes.attempt}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (out.isJson) out.text(JSON.stringify(notes));
    else for (const line of noteLines(notes, out.paint)) out.text(line);
  }
}

export function noteLines({ stage, attempt, at, dropped, lines }: Notes, paint: Output["paint"]): string[] {
  const head = paint("dim", `${at.slice(11, 19)} ${clean(stage)}#${attempt}`);
  const texts = lines.map(({ level, text, facts }) =>
    [...(level === "info" ? [] : [level]), text, ...(facts === undefined ? [] : [JSON.stringify(facts)])].join(" "),
  );
  return [...(dropped > 0 ? [`${dropped} older lines were dropped`] : []), ...texts].map(
    (text) => `${head} ${clean(text)}`,
  );
}
