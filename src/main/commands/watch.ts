// `sluice watch [filter…]`: what lives, as it moves. A table that repaints itself on a terminal; a line of JSON for each event with
// --jsonl. The live feed says when to look; besides that, it looks every two seconds.

import { systemClock } from "../../kit/index.ts";
import type { ItemLine, Overview, Page } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import { followEvents } from "../client/events.ts";
import { patientAsk } from "../client/patient.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Output } from "../output.ts";
import { itemColumns } from "../render/items.ts";
import { table } from "../render/table.ts";
import { clean, cutTo, textWidth } from "../render/text.ts";
import { type Counts, countsText, liveCounts, pageCounts } from "../render/watched.ts";
import { type ClientCall, type Ended, textOption } from "./call.ts";

const POLL_MS = 2_000;
/** However much happens, a terminal is repainted no more often. */
const REPAINT_MS = 250;
const LIVE = "state:queued,running,waiting,needs-you";
const ROWS_MOST = 200;
const ESC = "\u001b";

export async function watch({ client, out, args, options }: ClientCall): Ended {
  const filter = args.join(" ") || undefined;
  const isForPrograms = options.jsonl === true || out.isJson;
  return await untilInterrupted(async (signal) => {
    if (isForPrograms && filter === undefined) await tellEvents(client, out, textOption(options, "after"), signal);
    else if (isForPrograms && filter !== undefined) await tellChanges(client, out, filter, signal);
    else if (out.isTerminal) await onScreen(process.stdout, (write) => repaint(client, out, { filter, write, signal }));
    else await repaint(client, out, { filter, write: out.text, signal });
    return undefined;
  });
}

/** Home, each line cleared to its end, then everything below: no flicker, and no scrolling. Left as it was found. */
export async function onScreen(
  terminal: { write(text: string): unknown },
  paint: (write: (text: string) => void) => Promise<void>,
): Promise<void> {
  terminal.write(`${ESC}[?25l${ESC}[2J`);
  try {
    await paint((text) => void terminal.write(`${ESC}[H${text.replaceAll("\n", `${ESC}[K\n`)}${ESC}[K\n${ESC}[J`));
  } finally {
    terminal.write(`${ESC}[0m${ESC}[?25h`);
  }
}

interface Painting {
  /** Undefined: whatever lives. */
  readonly filter: string | undefined;
  readonly signal: AbortSignal;
  write(text: string): void;
}

async function repaint(client: Client, out: Output, { filter, signal, write }: Painting): Promise<void> {
  const bell = new Bell();
  void ringOnEvents(client, bell, signal);
  const overview = patientAsk(client, out, signal);
  const rows = () => Math.max(5, (process.stdout.rows ?? 24) - 5);
  // What a filter finds is counted as far as a page goes; of what lives, others keep count.
  const limit = () => (filter === undefined ? Math.min(ROWS_MOST, rows()) : ROWS_MOST);
  for await (const page of looks(client, out, { filter: filter ?? LIVE, limit }, signal)) {
    const all = filter === undefined ? await overview<Overview>("/api/v1/overview") : undefined;
    const counts = all === undefined ? pageCounts(page) : liveCounts(all);
    // A terminal may be made wider or narrower meanwhile.
    const sheet = { ...out, width: process.stdout.columns ?? out.width };
    write(screen(page.entries, { filter: filter ?? "", counts, rows: rows() }, new Date(), sheet));
    await bell.wait(POLL_MS, signal);
    await systemClock.sleep(REPAINT_MS, signal);
  }
}

interface Look {
  readonly filter: string;
  limit(): number;
}

/** The same page again and again. Who was never there is told of; who is gone for a while is asked again. */
async function* looks(
  client: Client,
  out: Output,
  { filter, limit }: Look,
  signal: AbortSignal,
): AsyncGenerator<Page<ItemLine>> {
  const asked = () => ({ query: { filter, limit: limit() }, signal });
  yield await client.ask<Page<ItemLine>>("/api/v1/items", asked());
  const ask = patientAsk(client, out, signal);
  for (; !signal.aborted; ) {
    const page = await ask<Page<ItemLine>>("/api/v1/items", asked());
    if (page === undefined) await systemClock.sleep(POLL_MS, signal);
    else if (!signal.aborted) yield page;
  }
}

export interface Screen {
  readonly filter: string;
  readonly counts: Counts;
  /** How many items fit. */
  readonly rows: number;
}

export function screen(
  entries: readonly ItemLine[],
  { filter, counts, rows }: Screen,
  now: Date,
  out: Pick<Output, "isTerminal" | "width" | "paint">,
): string {
  const shown = out.isTerminal ? entries.slice(0, rows) : entries;
  const body =
    shown.length === 0
      ? out.paint("dim", "nothing right now; it appears here when something is handed in")
      : table(itemColumns(now, out.width), shown, out);
  if (!out.isTerminal) return body;
  const rest = Math.max(0, counts.total - shown.length);
  const head = cutTo(`${now.toTimeString().slice(0, 8)}  ${countsText(counts)}`, out.width);
  const room = out.width - textWidth(head) - 2;
  return [
    `${head}  ${out.paint("dim", cutTo(clean(filter), room))}`.trimEnd(),
    "",
    body,
    ...(rest === 0 ? [] : [out.paint("dim", `and ${counts.isMore ? "more than " : ""}${rest} more`)]),
  ].join("\n");
}

async function ringOnEvents(client: Client, bell: Bell, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of followEvents(client, { signal })) bell.ring();
  } catch {
    // The poll goes on without it.
  }
}

async function tellEvents(client: Client, out: Output, after: string | undefined, signal: AbortSignal): Promise<void> {
  const onLost = () => out.note("sluice: the feed was cut off; trying again from where it was");
  for await (const event of followEvents(client, { after, signal, onLost })) out.text(event);
}

/** For a filter, which the feed does not know: a line for each item that changed since the last look. */
async function tellChanges(client: Client, out: Output, filter: string, signal: AbortSignal): Promise<void> {
  let known = new Map<string, string>();
  for await (const page of looks(client, out, { filter, limit: () => ROWS_MOST }, signal)) {
    const now = new Map(page.entries.map((item) => [item.id, JSON.stringify(item)]));
    for (const [id, line] of now) if (known.get(id) !== line) out.text(line);
    known = now;
    await systemClock.sleep(POLL_MS, signal);
  }
}

/** Rung by whoever has news; waited for by one. */
export class Bell {
  #ringing = false;
  #wake = () => {};

  ring(): void {
    this.#ringing = true;
    this.#wake();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#ringing) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      signal.addEventListener("abort", this.#wake);
      if (!signal.aborted) await systemClock.sleep(ms, woken.signal);
      // Nothing of it may outlive it: a signal lasts as long as its process.
      signal.removeEventListener("abort", this.#wake);
    }
    this.#ringing = false;
  }
}
