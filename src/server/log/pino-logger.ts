// The one logger of a process: every line is JSON with time, level, event and msg, or a short line for people on a terminal.

import { destination, type Level, pino } from "pino";
import type { Logger } from "../../engine/index.ts";
import { lineFacts, visible } from "./facts.ts";
import { prettyLine } from "./pretty-line.ts";

export const LOG_LEVELS = ["info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface PinoLoggerOptions {
  /** What is less is left out. Default info. */
  readonly level?: LogLevel;
  /** 1 for standard output, 2 for standard error; or whatever takes a line. Default 2. */
  readonly to?: 1 | 2 | ((line: string) => void);
  /** For people instead of programs. */
  readonly pretty?: boolean;
}

export interface PinoLogger extends Logger {
  /** May change while it runs: what is set in the database is known only once that is open. */
  level: LogLevel;
}

/** Written when the call returns: what was logged is not lost with the process. */
export function pinoLogger({ level = "info", to = 2, pretty = false }: PinoLoggerOptions = {}): PinoLogger {
  const write = typeof to === "function" ? to : writeTo(to);
  const stream = { write: pretty ? (line: string) => write(prettyLine(line)) : write };
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  const at =
    (which: Level) =>
    (event: string, facts: Record<string, unknown> = {}) => {
      if (!log.isLevelEnabled(which)) return;
      const { msg, time, level: told, event: other, ...rest } = lineFacts(facts);
      // Names that every line has; a second one of them would be anybody's guess.
      const renamed = { ...named("factTime", time), ...named("factLevel", told), ...named("factEvent", other) };
      const text = typeof msg === "string" ? msg : wordsOf(event);
      log[which]({ event: visible(event.slice(0, 200)), ...rest, ...renamed }, text);
    };
  return {
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    get level() {
      return LOG_LEVELS.find((known) => known === log.level) ?? "info";
    },
    set level(given) {
      log.level = given;
    },
  };
}

function writeTo(fd: 1 | 2): (line: string) => void {
  const sink = destination({ fd, sync: true });
  return (line) => void sink.write(line);
}

function named(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}

/** "worker.presumed-dead" → "worker presumed dead". */
function wordsOf(event: string): string {
  return visible(event.slice(0, 200)).replaceAll(/[.-]/g, " ");
}
