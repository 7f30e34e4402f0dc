// `sluice status`: how everything stands, in a few lines.

import type { Overview } from "../../server/contract/wire.ts";
import type { Output } from "../output.ts";
import type { Column } from "../render/table.ts";
import { clean } from "../render/text.ts";
import { relative } from "../render/when.ts";
import type { ClientCall, Ended } from "./call.ts";
import { serviceWords } from "./services.ts";

type Standing = Overview["pipelines"][number];

export async function status({ client, out }: ClientCall): Ended {
  const overview = await client.ask<Overview>("/api/v1/overview");
  if (out.isJson) out.json(overview);
  else {
    if (overview.pipelines.length === 0) for (const line of beginningLines(overview, out.paint)) out.text(line);
    else out.rows(COLUMNS, overview.pipelines, "");
    for (const line of overviewLines(overview, new Date(), out.paint)) out.text(line);
  }
  return undefined;
}

const many = ({ isMore }: Standing, count: number) => `${count}${isMore && count >= 10_000 ? "+" : ""}`;
const COLUMNS: readonly Column<Standing>[] = [
  { title: "pipeline", value: (one) => one.pipeline, least: 8 },
  { title: "queued", value: (one) => one.queued, shown: (one) => many(one, one.queued), isRight: true },
  {
    title: "running",
    value: (one) => one.running,
    isRight: true,
    colour: (one) => (one.running > 0 ? "cyan" : undefined),
  },
  { title: "waiting", value: (one) => one.waiting, shown: (one) => many(one, one.waiting), isRight: true },
  {
    title: "needs you",
    value: (one) => one.needsYou,
    isRight: true,
    colour: (one) => (one.needsYou > 0 ? "yellow" : undefined),
  },
  { title: "done 24 h", value: (one) => one.done, isRight: true },
  {
    title: "failures 24 h",
    value: (one) => one.failed,
    isRight: true,
    colour: (one) => (one.failed > 0 ? "red" : undefined),
  },
];

/** Of an installation that has seen no pipeline: what is there, and what to do next. */
export function beginningLines(
  { version, database }: Pick<Overview, "version" | "database">,
  paint: Output["paint"],
): string[] {
  return [
    `Sluice ${clean(version)} on PostgreSQL ${clean(database.version)}: there are no pipelines yet.`,
    "",
    `  ${paint("bold", "sluice up pipelines.ts")}      works on the pipelines that a module exports`,
    `  ${paint("bold", "docs/writing-a-stage.md")}     shows how one is written`,
  ];
}

export function overviewLines(
  {
    workers,
    services,
    closed,
    stuck,
    needsYou,
    pipelines,
  }: Pick<Overview, "workers" | "services" | "closed" | "stuck" | "needsYou" | "pipelines">,
  now: Date,
  paint: Output["paint"],
): string[] {
  const lines: string[] = [];
  const crew = [
    `${workers.alive} alive`,
    ...(workers.late > 0 ? [`${workers.late} late`] : []),
    ...(workers.dead > 0 ? [`${workers.dead} dead`] : []),
  ];
  if (workers.alive > 0) lines.push(`workers: ${crew.join(", ")}`);
  // Where nothing is to be done yet, nobody is missed.
  else if (pipelines.length > 0) lines.push(paint("red", "! no worker lives; start one: sluice up <module>"));
  for (const service of services) {
    const { name, state, until, behind } = service;
    const next = until === null ? "" : `, looked at ${relative(until, now)}`;
    const told = `${clean(name)} is ${serviceWords(service)}; ${behind} behind it${next}`;
    // One that comes back is of interest as long as somebody waits for it.
    if (state === "ramping") lines.push(...(behind > 0 ? [told] : []));
    else lines.push(paint(state === "down" ? "red" : "yellow", `! ${told}`));
  }
  for (const { kind, pipeline, version, stage, note } of closed) {
    const where = `${pipeline ?? "everything"}${version === null ? "" : `@${version}`}${stage === null ? "" : `/${stage}`}`;
    lines.push(
      paint(
        "yellow",
        `! ${clean(where)} is ${kind === "switch" ? "switched off" : "held"}${note === null ? "" : `: ${clean(note)}`}`,
      ),
    );
  }
  if (needsYou > 0)
    lines.push(
      paint(
        "yellow",
        `! ${needsYou} ${needsYou === 1 ? "item waits" : "items wait"} for an answer: sluice ls state:needs-you`,
      ),
    );
  const failures = pipelines.reduce((sum, one) => sum + one.failed, 0);
  // What was retried since is not failed any more, and what failed twice is one item.
  if (failures > 0) lines.push("failures: what of it is failed still, sluice ls state:failed 'age:<1d' shows");
  if (stuck > 0)
    lines.push(paint("red", `! ${stuck} stuck for an hour and more: sluice ls state:queued,waiting 'age:>1h'`));
  return lines;
}
