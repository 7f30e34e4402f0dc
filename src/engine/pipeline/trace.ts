// The trace an item belongs to, in the form of the W3C's traceparent header. Only carried: nothing here makes spans.

import { InputError, safeText } from "../../kit/index.ts";

// Version 00 has exactly these four fields. Zeros mean "none" in the two ids.
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Null for none. Throws for what another tracer could not read. */
export function checkTrace(trace: unknown): string | null {
  if (trace === undefined || trace === null) return null;
  if (typeof trace === "string" && TRACEPARENT.test(trace)) return trace;
  throw new InputError(
    "trace",
    `trace is a W3C traceparent such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, got ${safeText(trace, 80)}`,
  );
}
