// Log lines as JSON on standard error, one fact per field.

import type { Logger } from "../engine/index.ts";

export const stderrLogger: Logger = {
  info: (event, facts) => write("info", event, facts),
  warn: (event, facts) => write("warn", event, facts),
  error: (event, facts) => write("error", event, facts),
};

function write(level: string, event: string, facts: Record<string, unknown> = {}): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...facts })}\n`);
}
