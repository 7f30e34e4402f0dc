// `sluice operation [id]` and `sluice operation stop <id>`: actions on many items, that a worker does whether anybody looks or not.

import { systemClock } from "../../kit/index.ts";
import type { BulkMember, BulkOperation, Overview, Page } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import { type PatientAsk, patientAsk } from "../client/patient.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Output } from "../output.ts";
import { bar, percent } from "../render/bar.ts";
import { type Column, facts, type Sheet } from "../render/table.ts";
import { clean } from "../render/text.ts";
import { lasted, relative } from "../render/when.ts";
import type { ClientCall, Ended } from "./call.ts";

const LOOK_MS = 500;
const LISTED = 20;
const REFUSED_TOLD = 5;

const pathOf = (id: string) => `/api/v1/bulk/${encodeURIComponent(id)}`;

export async function operation({ client, out, args: [id], options }: ClientCall): Ended {
  if (id === undefined) return await list(client, out);
  const found = await client.ask<BulkOperation>(pathOf(id));
  const over = options.wait === true ? await follow(client, out, found) : found;
  if (over === undefined) return EXIT.interrupted;
  if (out.isJson) out.json(over);
  const exit = await tellOver(client, out, over);
  return options.wait === true ? exit : undefined;
}

export async function stopOperation({ client, out, args: [id = ""], options }: ClientCall): Ended {
  const query = { dryRun: options.dryRun === true || undefined };
  const stopped = await client.ask<BulkOperation>(`${pathOf(id)}/stop`, { method: "POST", query });
  if (out.isJson) out.json(stopped);
  else
    out.text(
      options.dryRun === true ? `would leave ${stopped.counts.open} alone` : operationText(stopped, new Date(), out),
    );
  return undefined;
}

async function list(client: Client, out: Output): Ended {
  const page = await client.ask<Page<BulkOperation>>("/api/v1/bulk", { query: { limit: LISTED } });
  const now = new Date();
  const columns: readonly Column<BulkOperation>[] = [
    { title: "operation", value: (one) => one.id },
    { title: "action", value: (one) => one.action.type },
    { title: "state", value: (one) => one.state },
    { title: "items", value: (one) => one.total, isRight: true },
    { title: "done", value: (one) => one.counts.done, isRight: true },
    { title: "refused", value: (one) => one.counts.refused, isRight: true },
    { title: "failed", value: (one) => one.counts.failed, isRight: true },
    { title: "since", value: (one) => one.since, shown: (one) => lasted(one.since, now) },
    { title: "by", value: (one) => one.by, least: 5 },
  ];
  if (out.isJson) out.json(page);
  else out.rows(columns, page.entries, "nothing was done to many at once yet: sluice retry --filter state:failed");
  return undefined;
}

/** Until it is over; undefined where whoever looks had enough of it before. */
export async function follow(client: Client, out: Output, begun: BulkOperation): Promise<BulkOperation | undefined> {
  const { id } = begun;
  let seen = begun;
  const exit = await untilInterrupted(async (signal) => {
    const ask = patientAsk(client, out, signal);
    if (!out.isJson && seen.state === "running") {
      out.note(`${id} is under way; Ctrl-C leaves it so`);
      await tellIfAlone(ask, out);
    }
    for (; seen.state === "running" && !signal.aborted; ) {
      paintBar(
        out,
        `${bar(seen.progress, 20)} ${percent(seen.progress)}  ${seen.total - seen.counts.open} of ${seen.total} `,
      );
      await systemClock.sleep(LOOK_MS, signal);
      seen = (await ask<BulkOperation>(pathOf(id))) ?? seen;
    }
    return undefined;
  });
  paintBar(out, "");
  if (exit !== EXIT.interrupted) return seen;
  out.note(`it goes on all the same: sluice operation ${id} --wait`);
  out.note(`  → to leave alone what has not begun: sluice operation stop ${id}`);
  return undefined;
}

/** Over itself, and gone with the next. */
function paintBar({ isJson }: Output, text: string): void {
  if (process.stderr.isTTY && !isJson) process.stderr.write(`\r${text}\u001b[K`);
}

/** Without a worker nothing would ever move, and nobody would know why. */
async function tellIfAlone(ask: PatientAsk, out: Output): Promise<void> {
  const workers = (await ask<Overview>("/api/v1/overview"))?.workers;
  if (workers?.alive === 0 && workers.late === 0)
    out.note("no worker lives; it is done when one starts: sluice up <module>");
}

/** How it stands, which ones were not done and why, and the code for whoever waited for it. */
export async function tellOver(client: Client, out: Output, one: BulkOperation): Promise<ExitCode | undefined> {
  if (!out.isJson) {
    out.text(operationText(one, new Date(), out));
    for (const outcome of ["failed", "refused"] as const) {
      if (one.counts[outcome] === 0) continue;
      const query = { outcome, limit: REFUSED_TOLD };
      const { entries } = await client.ask<Page<BulkMember>>(`${pathOf(one.id)}/members`, { query });
      for (const { item, reason } of entries) out.note(clean(`${item} ${outcome}: ${reason ?? "for no reason told"}`));
      const rest = one.counts[outcome] - entries.length;
      if (rest > 0) out.note(`and ${rest} more ${outcome}`);
    }
  }
  return exitOf(one);
}

export function exitOf({ total, counts }: Pick<BulkOperation, "total" | "counts">): ExitCode | undefined {
  if (counts.done === total) return undefined;
  if (counts.done > 0) return EXIT.partly;
  return counts.refused === total ? EXIT.refused : EXIT.failed;
}

export function operationText(one: BulkOperation, now: Date, sheet: Sheet): string {
  const { done, refused, failed, stopped, open } = one.counts;
  const ended = [
    `${done} done`,
    `${refused} refused`,
    `${failed} failed`,
    ...(stopped > 0 ? [`${stopped} left alone`] : []),
    ...(open > 0 ? [`${open} to come`] : []),
  ];
  const rows = [
    ["operation", one.id],
    ["action", clean(`${one.action.type}, by ${one.by}`)],
    ["state", one.state],
    ["progress", `${bar(one.progress, 20)} ${percent(one.progress)}`],
    ["items", `${one.total}: ${ended.join(", ")}`],
    ["since", `${one.since} (${relative(one.since, now)})`],
    ...(one.finishedAt === null ? [] : [["ended", `${one.finishedAt} (${relative(one.finishedAt, now)})`] as const]),
  ] as const;
  return facts(rows, sheet);
}
