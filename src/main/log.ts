// The process's log on standard error: JSON lines for programs, short ones for whoever sits in front of it.

import { LOG_LEVELS, type LogLevel, type PinoLogger, pinoLogger } from "../server/log/pino-logger.ts";

export type Log = PinoLogger;

export interface LogOptions {
  readonly level?: string | undefined;
  /** "json" or "pretty"; unset, what suits where it is written to. */
  readonly format?: string | undefined;
  /** Instead of standard error. */
  readonly to?: (line: string) => void;
}

export function makeLog({ level, format, to }: LogOptions): Log {
  const isPretty = (format ?? (process.stderr.isTTY === true ? "pretty" : "json")) === "pretty";
  return pinoLogger({ level: toLevel(level), pretty: isPretty, to: to ?? 2 });
}

export function toLevel(level: string | undefined): LogLevel {
  return LOG_LEVELS.find((known) => known === level) ?? "info";
}
