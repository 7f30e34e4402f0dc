// Log lines on standard error: JSON for programs, one short line for people.

import type { Logger } from "../engine/index.ts";

export const LEVELS = ["info", "warn", "error", "silent"] as const;
export type Level = (typeof LEVELS)[number];

export interface Log extends Logger {
  /** May change while it runs: what is set in the database is known only once that is open. */
  level: Level;
}

export interface LogOptions {
  readonly level?: string | undefined;
  readonly format?: string | undefined;
}

/** Unset, the format is what suits where it is written to. */
export function makeLog(
  { level, format }: LogOptions,
  stream: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): Log {
  const isPretty = (format ?? (stream.isTTY === true ? "pretty" : "json")) === "pretty";
  const log: Log = {
    level: toLevel(level),
    info: (event, facts) => write("info", event, facts),
    warn: (event, facts) => write("warn", event, facts),
    error: (event, facts) => write("error", event, facts),
  };
  const write = (which: Level, event: string, facts: Record<string, unknown> = {}) => {
    if (LEVELS.indexOf(which) < LEVELS.indexOf(log.level)) return;
    const at = new Date().toISOString();
    stream.write(
      `${isPretty ? prettyLine(at, which, event, facts) : JSON.stringify({ at, level: which, event, ...facts })}\n`,
    );
  };
  return log;
}

export function toLevel(level: string | undefined): Level {
  return LEVELS.find((known) => known === level) ?? "info";
}

function prettyLine(at: string, level: string, event: string, facts: Record<string, unknown>): string {
  const told = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  // A line stays a line, whatever is in it.
  return [at.slice(11, 19), level.padEnd(5), event, ...told].join(" ").replaceAll(/\p{Cc}/gu, " ");
}
