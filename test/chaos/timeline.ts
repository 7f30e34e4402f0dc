// What happened between a kill and the moment a handler was entered again for what the killed worker held: to the item,
// to the workers, to the database. Pure.

import { journalKindName } from "../../src/engine/items/codes.ts";
import { formatId } from "../../src/kit/index.ts";
import type { Evidence, Strike } from "./evidence.ts";
import type { Recovery } from "./recovery.ts";

type Facts = Pick<
  Evidence,
  "kills" | "lives" | "journal" | "visits" | "pauses" | "strikes" | "downtimes" | "absences" | "items"
>;

/** Long enough before the kill to see what it struck into. */
const BEFORE_MS = 1_000;

export function timeline(evidence: Facts, { item, kill, entry }: Recovery): Strike[] {
  const nameOf = new Map(evidence.lives.map((life) => [life.pid, life.name]));
  const worker = (pid: number) => `${nameOf.get(pid) ?? "process"}/${pid}`;
  const named = formatId("item", item);
  const pipeline = evidence.items.find((one) => one.id === item)?.pipeline;
  const epochs = new Map(evidence.lives.map((life) => [life.epoch, life.pid]));
  const all: (readonly [at: number | null, what: string])[] = [
    ...evidence.kills.map((one) => [one.at, `${worker(one.pid)} was killed`] as const),
    ...evidence.kills.map((one) => [one.readyAt, `the successor of ${worker(one.pid)} was up`] as const),
    ...evidence.lives.map((one) => [one.endedAt, `${worker(one.pid)} was marked dead, or left`] as const),
    ...evidence.pauses.flatMap((one) => [
      [one.from, `${worker(one.pid)} was stopped`] as const,
      [one.to, `${worker(one.pid)} went on`] as const,
    ]),
    ...evidence.downtimes.flatMap(({ from, to }) => [
      [from, "the database crashed"] as const,
      [to, "the database was back"] as const,
    ]),
    ...evidence.absences.flatMap(({ from, to }) => [
      [from, "no worker was up"] as const,
      [to, "a worker was up"] as const,
    ]),
    ...evidence.strikes.map(({ at, what }) => [at, what] as const),
    ...evidence.journal
      .filter((row) => row.item === item)
      .map(
        (row) =>
          [
            row.at,
            `  ${pipeline} ${journalKindName(row.kind)} v${row.version} of ${worker(epochs.get(row.epoch ?? "") ?? 0)}`,
          ] as const,
      ),
    ...evidence.visits
      .filter((one) => one.item === named)
      .map((one) => [one.at, `  ${one.what} ${one.stage} by ${one.pid} of ${worker(one.ppid)}`] as const),
    ...firstEntries(evidence, entry.ppid, worker),
  ];
  return all
    .flatMap(([at, what]) => (at !== null && at >= kill.at - BEFORE_MS && at <= entry.at ? [{ at, what }] : []))
    .sort((a, b) => a.at - b.at);
}

/** When each child of that worker, and the worker itself, entered anything first and how often it did. */
function firstEntries(evidence: Facts, parent: number, worker: (pid: number) => string): [number, string][] {
  const byPid = Map.groupBy(
    evidence.visits.filter((one) => one.what === "enter" && (one.ppid === parent || one.pid === parent)),
    (one) => one.pid,
  );
  return [...byPid].map(([pid, visits]) => [
    Math.min(...visits.map((one) => one.at)),
    `  ${pid} of ${worker(parent)} entered its first of ${visits.length}`,
  ]);
}
