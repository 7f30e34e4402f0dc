/**
 * Where a unit reports what people who run it may want to see. `event` is a stable dotted name ("worker.started"),
 * facts hold the particulars; sentences are made by whoever prints. Only the outermost layer knows a console.
 */
export interface Logger {
  info(event: string, facts?: Record<string, unknown>): void;
  warn(event: string, facts?: Record<string, unknown>): void;
  error(event: string, facts?: Record<string, unknown>): void;
}

/** Says nothing; the default where nobody asked to hear. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
