// Times as people say them, the exact one behind them.

import { ago, exact, length, time } from "../text/format.ts";
import { words } from "../text/words.ts";
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

/** What is left until then: "in 41 s", and "now" once it has come. */
export function Countdown({ until }: { readonly until: string }) {
  const left = Date.parse(until) - useNow();
  return (
    <time dateTime={until} title={exact(until)} className="tabular-nums">
      {left <= 0 ? words.now : words.within(length(Math.max(1_000, left)))}
    </time>
  );
}

/** How long something has been so by now. */
export function Lasting({ since }: { readonly since: string }) {
  return (
    <time dateTime={since} title={exact(since)} className="tabular-nums">
      {length(Math.max(1_000, useNow() - Date.parse(since)))}
    </time>
  );
}
