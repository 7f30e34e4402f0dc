// The sentence, the countdown, and what can be done about it.

import { useQuery } from "@tanstack/react-query";
import type { Item } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { StateMark } from "../../ui/state.tsx";
import { Ago, Countdown } from "../../ui/time.tsx";
import { Actions } from "./actions.tsx";

const texts = words.item;

export function Why({ item }: { readonly item: Item }) {
  const { state, stage, status, wait, progress, attempts, maxAttempts, lastError } = item;
  const hasEnded = state === "done" || state === "failed" || state === "cancelled";
  return (
    <section aria-label={texts.why} className="rounded-lg border border-line bg-panel p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateMark state={state} className="text-lg" />
        <span className="font-medium">{stage}</span>
        <span className="font-mono text-xs text-soft">{status}</span>
        {wait.since === null ? null : (
          <span className="text-sm text-soft">
            <Ago at={wait.since} />
          </span>
        )}
        {hasEnded ? null : (
          <span className="inline-flex items-center gap-1.5 text-sm text-soft">
            <span aria-hidden>{texts.wholeProgress}</span> <Bar value={progress} label={texts.wholeProgress} />
          </span>
        )}
      </p>
      <p className="mt-2 text-lg" aria-live="polite">
        {wait.sentence}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-soft">
        {wait.until === null ? null : (
          <span>
            {texts.next} <Countdown until={wait.until} />
          </span>
        )}
        {maxAttempts === null || hasEnded ? null : <span>{texts.attemptsOf(attempts, maxAttempts)}</span>}
        {hasEnded ? null : <Ready id={item.id} />}
      </p>
      {lastError === null || state === "done" ? null : (
        <p className="mt-2 rounded-md bg-sunk px-3 py-2 text-sm" dir="auto">
          <span className="font-mono text-failed">{lastError.code}</span> {lastError.message}
        </p>
      )}
      <Actions item={item} />
    </section>
  );
}

function Ready({ id }: { readonly id: string }) {
  const { data } = useQuery(queries.estimate(id));
  return data === undefined ? null : <span>{data.sentence}</span>;
}
