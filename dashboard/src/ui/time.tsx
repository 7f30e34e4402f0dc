// Times as people say them, the exact one behind them.

import { ago, exact, length, time } from "../text/format.ts";
import { useNow } from "./now.ts";

export function Ago({ at, className }: { readonly at: string; readonly className?: string }) {
  return (
    <time dateTime={at} title={exact(at)} className={className}>
      {ago(at, useNow())}
    </time>
  );
}

export function At({ at, className }: { readonly at: string; readonly className?: string }) {
  return (
    <time dateTime={at} title={exact(at)} className={className}>
      {time(at, useNow())}
    </time>
  );
}

/** What is left until then; nothing once it has come. */
export function Countdown({ until, prefix = "in " }: { readonly until: string; readonly prefix?: string }) {
  const left = Date.parse(until) - useNow();
  if (left <= 0) return null;
  return (
    <time dateTime={until} title={exact(until)} className="tabular-nums">
      {prefix}
      {length(Math.max(1_000, left))}
    </time>
  );
}
