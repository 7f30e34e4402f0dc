// `sluice show <id>`: an item or a request, all that is known of it.

import type { Item, ItemLine, List, Page, Pipeline, Request } from "../../server/contract/wire.ts";
import type { Client } from "../client/client.ts";
import type { Output } from "../output.ts";
import { bar, percent } from "../render/bar.ts";
import { stateColour } from "../render/paint.ts";
import { facts, type Sheet } from "../render/table.ts";
import { clean } from "../render/text.ts";
import { relative } from "../render/when.ts";
import { type ClientCall, type Ended, pathOf } from "./call.ts";

export async function show({ client, out, args: [id = ""] }: ClientCall): Ended {
  const found = await client.ask<Item | Request>(pathOf(id));
  if (out.isJson) out.json(found);
  else if ("counts" in found) {
    out.text(requestText(found, new Date(), out));
    await tellFailed(client, out, found);
    await tellWaiting(client, out, found);
  } else {
    const { entries } = await client.ask<List<Pipeline>>("/api/v1/pipelines");
    out.text(itemText(found, stagesOf(found, entries), new Date(), out));
    out.note(`\nsluice why ${found.id} · sluice logs ${found.id}`);
  }
  return undefined;
}

function stagesOf({ pipeline, version }: Item, all: readonly Pipeline[]): string[] {
  const versions = all.find(({ name }) => name === pipeline)?.versions ?? [];
  return versions.find((one) => one.version === version)?.stages.map(({ name }) => name) ?? [];
}

export function itemText(item: Item, stages: readonly string[], now: Date, sheet: Sheet): string {
  const { paint } = sheet;
  const { lastError, wait, checkpoint } = item;
  const handedIn = item.createdAt;
  const rows: (readonly [string, string])[] = [
    ["item", item.id],
    ...(item.title === null ? [] : [["title", clean(item.title)] as const]),
    ...(item.part === null ? [] : [["part", clean(`${item.part} of ${item.partOf ?? "an item"}`)] as const]),
    ["request", item.request],
    ["pipeline", clean(`${item.pipeline} ${item.version}${stages.length === 0 ? "" : `: ${stages.join(", ")}`}`)],
    ["stage", `${clean(item.stage)}, ${paint(stateColour(item.state), item.state)} (${clean(item.status)})`],
    ["why", clean(wait.sentence)],
    ["progress", `${bar(item.progress, 20)} ${percent(item.progress)}`],
    ["attempts", `${item.attempts} of ${item.maxAttempts ?? "any number"}`],
    ["since", `${handedIn} (${relative(handedIn, now)})`],
  ];
  if (item.completedAt !== null) rows.push(["ended", `${item.completedAt} (${relative(item.completedAt, now)})`]);
  if (item.key !== null) rows.push(["key", clean(item.key)]);
  if (item.owner !== null) rows.push(["owner", clean(item.owner)]);
  if (lastError !== null)
    rows.push(["error", paint("red", clean(`${lastError.code} ${lastError.message ?? ""}`.trim()))]);
  for (const { id, name, state, stage, lastError: fault } of item.targets) {
    const why = fault === null ? "" : `, ${fault.code} ${fault.message ?? ""}`.trimEnd();
    rows.push(["part", clean(`${name} (${id}): ${state} in ${stage}${why}`)]);
  }
  for (const { service, ref, stage } of item.outside)
    rows.push(["outside", clean(`${ref ?? "not named yet"} at ${service}, for ${stage}`)]);
  if (checkpoint !== null)
    rows.push([
      "checkpoint",
      clean(`${JSON.stringify(checkpoint.value)} in ${checkpoint.stage}, ${relative(checkpoint.at, now)}`),
    ]);
  rows.push(["input", clean(JSON.stringify(item.input))]);
  for (const [stage, output] of Object.entries(item.outputs))
    rows.push([`out ${clean(stage)}`, clean(JSON.stringify(output))]);
  return facts(rows, sheet);
}

const FAILED_TOLD = 5;

/** Which ones failed and why, and where to look. */
export async function tellFailed(client: Client, out: Output, { id, counts }: Request): Promise<void> {
  if (counts.failed === 0) return;
  const filter = `request:${id} state:failed`;
  const { entries } = await client.ask<Page<ItemLine>>("/api/v1/items", { query: { filter, limit: FAILED_TOLD } });
  for (const item of entries) {
    const why = item.lastError === null ? "" : `: ${item.lastError.code} ${item.lastError.message ?? ""}`;
    out.note(clean(`${item.id} failed in ${item.stage}${why}`.trimEnd()));
    out.note(`  → sluice why ${item.id}`);
  }
  if (counts.failed > entries.length) out.note(`and more: sluice ls ${filter}`);
}

const WAITING_TOLD = 5;

/** What of it waits, and why. */
async function tellWaiting(client: Client, out: Output, { id, counts }: Request): Promise<void> {
  if (counts.completed + counts.failed + counts.cancelled >= counts.total) return;
  const filter = `request:${id} state:queued,waiting,needs-you`;
  const { entries, next } = await client.ask<Page<ItemLine>>("/api/v1/items", {
    query: { filter, limit: WAITING_TOLD },
  });
  for (const item of entries) out.note(clean(`${item.id} in ${item.stage}: ${item.wait?.sentence ?? item.state}`));
  if (next !== null && entries.length > 0) out.note(`and more: sluice ls ${filter}`);
}

export function requestText(request: Request, now: Date, sheet: Sheet): string {
  const { total, completed, partly, failed, cancelled } = request.counts;
  const ended = [
    `${completed} done${partly > 0 ? ` (${partly} of them partly)` : ""}`,
    `${failed} failed`,
    `${cancelled} cancelled`,
  ];
  const rows = [
    ["request", request.id],
    ...(request.parent === null ? [] : [["made by", request.parent] as const]),
    ["status", request.status],
    ["progress", `${bar(request.progress, 20)} ${percent(request.progress)}`],
    ["items", `${total}: ${ended.join(", ")}`],
    ["since", `${request.createdAt} (${relative(request.createdAt, now)})`],
    ...(request.key === null ? [] : [["key", clean(request.key)] as const]),
    ...(request.owners.length === 0 ? [] : [["owners", request.owners.map(clean).join(", ")] as const]),
  ] as const;
  return facts(rows, sheet);
}
