// `sluice watch [filter…]`: what lives, as it moves. A table that repaints itself on a terminal; a line of JSON for each event with
// --jsonl. The live feed says when to look; besides that, it looks every two seconds.

import type { Client } from "../client/client.ts";
import { followEvents, pause } from "../client/events.ts";
import type { ItemLine, Page } from "../client/shapes.ts";
import { EXIT } from "../exit.ts";
import type { Output } from "../output.ts";
import { itemColumns } from "../render/items.ts";
import { table } from "../render/table.ts";
import { type ClientCall, type Ended, textOption } from "./call.ts";

const POLL_MS = 2_000;
/** However much happens, a terminal is repainted no more often. */
const REPAINT_MS = 250;
const LIVE = "state:queued,running,waiting,needs-you";
const ROWS_MOST = 200;

export async function watch({ client, out, args, options }: ClientCall): Ended {
  const over = new AbortController();
  const stop = () => over.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const filter = args.join(" ") || undefined;
  try {
    const isForPrograms = options.jsonl === true || out.isJson;
    if (isForPrograms && filter === undefined) await tellEvents(client, out, textOption(options, "after"), over.signal);
    else if (isForPrograms && filter !== undefined) await tellChanges(client, out, filter, over.signal);
    else await repaint(client, out, filter ?? LIVE, over.signal);
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    process.removeListener("SIGINT", stop);
    process.removeListener("SIGTERM", stop);
  }
  return over.signal.aborted ? EXIT.interrupted : undefined;
}

async function repaint(client: Client, out: Output, filter: string, signal: AbortSignal): Promise<void> {
  const bell = new Bell();
  void ringOnEvents(client, bell, signal);
  let isFirst = true;
  for (; !signal.aborted; ) {
    const rows = Math.min(ROWS_MOST, Math.max(5, (process.stdout.rows ?? 24) - 4));
    const page = await client.ask<Page<ItemLine>>("/api/v1/items", { query: { filter, limit: rows } });
    if (signal.aborted) return;
    const text = screen(page, filter, new Date(), out);
    // Home, each line cleared to its end, then everything below: no flicker, and no scrolling.
    if (out.isTerminal)
      process.stdout.write(
        `${isFirst ? "\u001b[2J" : ""}\u001b[H${text.replaceAll("\n", "\u001b[K\n")}\u001b[K\n\u001b[J`,
      );
    else out.text(text);
    isFirst = false;
    await bell.wait(POLL_MS, signal);
    await pause(REPAINT_MS, signal);
  }
}

export function screen(
  page: Page<ItemLine>,
  filter: string,
  now: Date,
  out: Pick<Output, "isTerminal" | "width" | "paint">,
): string {
  const { entries, next } = page;
  const running = entries.filter((item) => item.state === "running").length;
  const head = `${now.toTimeString().slice(0, 8)}  ${entries.length}${next == null ? "" : "+"} items, ${running} running`;
  const lines = [
    `${head}  ${out.paint("dim", filter)}`.trimEnd(),
    "",
    entries.length === 0
      ? out.paint("dim", "nothing right now; it appears here when something is handed in")
      : table(itemColumns(now, out.width), entries, out),
  ];
  return out.isTerminal ? lines.join("\n") : (lines[2] ?? "");
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
  for (; !signal.aborted; ) {
    const page = await client.ask<Page<ItemLine>>("/api/v1/items", { query: { filter, limit: ROWS_MOST } });
    const now = new Map(page.entries.map((item) => [item.id, JSON.stringify(item)]));
    for (const [id, line] of now) if (known.get(id) !== line) out.text(line);
    known = now;
    await pause(POLL_MS, signal);
  }
}

/** Rung by whoever has news; waited for by one. */
class Bell {
  #ringing = false;
  #wake = () => {};

  ring(): void {
    this.#ringing = true;
    this.#wake();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#ringing) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, pause(ms, signal)]);
    }
    this.#ringing = false;
  }
}
