// `sluice logs <id> [-f]`: what an item's visits noted, also while they run.

import { systemClock } from "../../kit/index.ts";
import type { Item, NotesPage, VisitNotes } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import { patientAsk } from "../client/patient.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Output } from "../output.ts";
import { clean } from "../render/text.ts";
import { type ClientCall, type Ended, pathOf } from "./call.ts";

const LOOK_MS = 1_000;

export async function logs({ client, out, args: [id = ""], options }: ClientCall): Ended {
  const { id: item, completedAt } = await client.ask<Item>(pathOf(id));
  const told = new Told(out);
  told.tell(await client.ask<NotesPage>(told.pathOf(item)));
  const isOver = options.follow !== true || completedAt !== null;
  const exit = isOver ? undefined : await untilInterrupted((signal) => follow(client, out, item, told, signal));
  if (told.isEmpty && exit === undefined) out.note("nothing was noted; a stage does so with log.info(…)");
  return exit;
}

/** Until it has ended, and what was noted last is told. */
async function follow(client: Client, out: Output, item: string, told: Told, signal: AbortSignal): Promise<undefined> {
  const ask = patientAsk(client, out, signal);
  for (let isOver = false; !isOver && !signal.aborted; ) {
    await systemClock.sleep(LOOK_MS, signal);
    const now = await ask<Item>(pathOf(item));
    // A page at a time, until there is nothing new: what was noted before it ended is all there when it has.
    let page = await ask<NotesPage>(told.pathOf(item));
    for (; page !== undefined && told.tell(page); ) page = await ask<NotesPage>(told.pathOf(item));
    isOver = page !== undefined && now !== undefined && now.completedAt !== null;
  }
}

/** How far it has come. Only what is newer is asked for, so each line comes once, whoever answers. */
class Told {
  readonly #out: Output;
  #next: string | null = null;
  /** The visit and the number of the last line. */
  #visit = 0;
  #n = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  get isEmpty(): boolean {
    return this.#next === null;
  }

  pathOf(item: string): string {
    return `${pathOf(item)}/logs${this.#next === null ? "" : `?after=${this.#next}`}`;
  }

  /** False where there was nothing new. */
  tell({ visits, next }: NotesPage): boolean {
    for (const notes of visits) {
      const lines = this.#out.isJson ? jsonLines(notes) : noteLines(notes, this.#out.paint, this.#lastOf(notes));
      for (const line of lines) this.#out.text(line);
      this.#visit = notes.visit;
      this.#n = notes.lines.at(-1)?.n ?? 0;
    }
    this.#next = next;
    return visits.length > 0;
  }

  #lastOf({ visit }: VisitNotes): number {
    return visit === this.#visit ? this.#n : 0;
  }
}

/** Each line by itself, with what its visit is. */
export function jsonLines({ visit, stage, attempt, lines }: VisitNotes): string[] {
  return lines.map((line) => JSON.stringify({ visit, stage, attempt, ...line }));
}

/** `last`: the number of the line that was told before these. */
export function noteLines({ stage, attempt, lines }: VisitNotes, paint: Output["paint"], last = 0): string[] {
  const missing = (lines[0]?.n ?? 1) - last - 1;
  return lines.flatMap(({ at, level, text, facts }, index) => {
    const head = paint("dim", `${at.slice(11, 19)} ${clean(stage)}#${attempt}`);
    const words = [...(level === "info" ? [] : [level]), text, ...(facts === undefined ? [] : [JSON.stringify(facts)])];
    const line = `${head} ${clean(words.join(" "))}`;
    return index === 0 && missing > 0 ? [`${head} ${missing} older lines were dropped`, line] : [line];
  });
}
