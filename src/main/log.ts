// The process's log on standard error: JSON lines for programs, short ones for whoever sits in front of it.

import { LOG_LEVELS, type LogLevel, type PinoLogger, pinoLogger } from "../server/log/pino-logger.ts";

export type Log = PinoLogger;

export interface LogOptions {
  readonly level?: string | undefined;
  /** "json" or "pretty"; unset, what suits where it is written to. */
  readonly format?: string | undefined;
  /** "all" or "failed"; unset, the failed ones for people and all for programs. */
  readonly requests?: string | undefined;
  /** Instead of standard error. */
  readonly to?: (line: string) => void;
}

export function makeLog({ level, format, requests, to }: LogOptions): Log {
  const isPretty = (format ?? (process.stderr.isTTY === true ? "pretty" : "json")) === "pretty";
  const log = pinoLogger({ level: toLevel(level), pretty: isPretty, to: to ?? 2 });
  return (requests ?? (isPretty ? "failed" : "all")) === "failed" ? withoutWell(log) : log;
}

/** Without the requests that went well: who sits in front of it would see little else. */
function withoutWell(log: Log): Log {
  const { info } = log;
  log.info = (event, facts) => {
    if (event !== "http.answered" || Number(facts?.status ?? 0) >= 400) info(event, facts);
  };
  return log;
}

export function toLevel(level: string | undefined): LogLevel {
  return LOG_LEVELS.find((known) => known === level) ?? "info";
}
