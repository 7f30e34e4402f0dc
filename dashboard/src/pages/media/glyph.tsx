// How a film or an episode stands, as a small square: each standing has a colour and a shape of its own.

import type { ReactNode } from "react";
import type { Standing } from "./standing.ts";

export const COLOURS: Record<Standing, string> = {
  ready: "text-done",
  working: "text-running",
  queued: "text-queued",
  "not-on": "text-soft",
  waiting: "text-waiting",
  asking: "text-asking",
  failed: "text-failed",
  cancelled: "text-cancelled",
};

const FULL = <rect x="0.5" y="0.5" width="15" height="15" rx="2.5" fill="currentColor" stroke="currentColor" />;
const FRAME = <rect x="1" y="1" width="14" height="14" rx="2.5" fill="none" stroke="currentColor" strokeWidth="2" />;
const DASHED = (
  <rect
    x="1"
    y="1"
    width="14"
    height="14"
    rx="2.5"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeDasharray="3 2.6"
  />
);

function Line({ d, isCut = false }: { readonly d: string; readonly isCut?: boolean }) {
  return (
    <path d={d} fill="none" stroke={isCut ? "var(--panel)" : "currentColor"} strokeWidth="2" strokeLinecap="round" />
  );
}

const SHAPES: Record<Standing, ReactNode> = {
  ready: (
    <>
      {FULL}
      <Line isCut d="M4 8.5 7 11.5 12 5" />
    </>
  ),
  working: (
    <>
      {FRAME}
      <rect x="1" y="8" width="14" height="7" rx="1" fill="currentColor" />
    </>
  ),
  queued: DASHED,
  "not-on": (
    <>
      <circle cx="8" cy="8" r="7" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <Line d="M8 4.5V8L10.5 9.5" />
    </>
  ),
  waiting: (
    <>
      {FRAME}
      <Line d="M6 5.5V10.5M10 5.5V10.5" />
    </>
  ),
  asking: (
    <>
      {FRAME}
      <Line d="M6 6C6 3.5 10 3.5 10 6 10 7.5 8 7.6 8 9.2M8 11.8V12" />
    </>
  ),
  failed: (
    <>
      {FULL}
      <Line isCut d="M5 5 11 11M11 5 5 11" />
    </>
  ),
  cancelled: (
    <>
      {FRAME}
      <Line d="M4.5 11.5 11.5 4.5" />
    </>
  ),
};

export function Glyph({
  standing,
  className = "size-3.5",
}: {
  readonly standing: Standing;
  readonly className?: string;
}) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`shrink-0 ${COLOURS[standing]} ${className}`}>
      {SHAPES[standing]}
    </svg>
  );
}
