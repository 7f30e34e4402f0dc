// Tables for the terminal, and docs/performance.md: what stands between two marks there is generated, the rest is prose.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { judge } from "./bars.ts";
import * as journal from "./contenders/raw-journal.ts";
import * as queue from "./contenders/raw-queue.ts";
import { type Measured, number, tableOf } from "./figures.ts";
import type { Machine } from "./machine.ts";
import type { Workload } from "./workload.ts";
import { workloads } from "./workloads/index.ts";

/** One workload as it was last measured in full. */
export interface Run {
  readonly machine: Machine;
  readonly measured: readonly Measured[];
}

const NUMBERS = new URL("../docs/performance.json", import.meta.url);
const PAGE = new URL("../docs/performance.md", import.meta.url);

export function asText(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  return table
    .map((row) => row.map((cell, column) => cell[column === 0 ? "padEnd" : "padStart"](widths[column] ?? 0)).join("  "))
    .join("\n");
}

export function asMarkdown(table: readonly (readonly string[])[]): string {
  const [head = [], ...rows] = table.map((row) => `| ${row.join(" | ")} |`);
  const rule = `|${(table[0] ?? []).map((_, column) => (column === 0 ? "---" : "---:")).join("|")}|`;
  return [head, rule, ...rows].join("\n");
}

export function section(name: string, workload: Workload, { machine, measured }: Run): string {
  const { packages, ...one } = machine;
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  const verdicts = judge(name, measured).map(
    ({ word, sentence }) => `- ${word === "missed" ? "**missed**" : word}: ${sentence}`,
  );
  return [
    `${workload.about} Ratios (×) are to “${workload.limit}” of the same round.`,
    asMarkdown(tableOf(workload, measured)),
    verdicts.join("\n"),
    `${one.day}: ${one.processor}, ${one.memoryGb} GB, ${one.system}, Node ${one.node}, PostgreSQL ${one.postgres}, ` +
      `Redis ${one.redis}, load ${number(one.load, 1)}; ${versions.join(", ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Replaces what stands between the marks of `name`, and says so where there are none. */
export function fillIn(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no marks for ${name}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

/** As it is run, so that anybody can judge whether it is a limit. */
function rawSql(): string {
  const chain = [journal.TABLES, journal.CLAIM, journal.FINISH].map((sql) => `${sql.trim()};`);
  const oneStage = [queue.TABLE, queue.INDEX, queue.FINISH_AND_CLAIM].map((sql) => `${sql.trim()};`);
  return ["```sql", "-- raw journal", ...chain, "\n-- raw queue", ...oneStage, "```"].join("\n");
}

/** Keeps the raw numbers and shows them. Other workloads stay as they were measured last. */
export function regenerate(name: string, run: Run): void {
  const workload = workloads[name];
  if (workload === undefined) throw new Error(`no workload is called ${name}`);
  // Written by this function alone.
  const before = existsSync(NUMBERS) ? (JSON.parse(readFileSync(NUMBERS, "utf8")) as Record<string, Run>) : {};
  writeFileSync(NUMBERS, `${JSON.stringify({ ...before, [name]: run }, rounded)}\n`);
  const page = fillIn(readFileSync(PAGE, "utf8"), name, section(name, workload, run));
  writeFileSync(PAGE, fillIn(page, "sql", rawSql()));
}

/** No figure is good to more than five digits. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
