// What a test tried, step by step, and what came back each time.

import { Check, X } from "lucide-react";
import type { MediaTested } from "../../../../../src/server/contract/wire.ts";
import { words } from "../../../text/words.ts";

const texts = words.settings.media;

export function Tested({
  tested,
  isPending,
}: {
  readonly tested: MediaTested | undefined;
  readonly isPending: boolean;
}) {
  return (
    <div role="status" className="text-sm">
      {isPending ? <p className="mt-2 text-soft">{texts.testing}</p> : null}
      {tested === undefined || isPending ? null : (
        <div className="mt-2 space-y-1 rounded-md bg-sunk px-3 py-2">
          <p className={`font-medium ${tested.ok ? "text-done" : "text-failed"}`}>
            {tested.ok ? texts.works : texts.worksNot}
          </p>
          <ol aria-label={texts.tested} className="space-y-1">
            {tested.steps.map((step, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are what they are, in the order in which they were tried
              <Step key={place} step={step} />
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

function Step({ step: { tried, ok, found, code } }: { readonly step: MediaTested["steps"][number] }) {
  const Icon = ok ? Check : X;
  return (
    <li className="flex gap-2">
      <Icon
        role="img"
        aria-label={ok ? texts.step.ok : texts.step.bad}
        className={`mt-0.5 size-4 shrink-0 ${ok ? "text-done" : "text-failed"}`}
      />
      <span className="min-w-0" dir="auto">
        {tried}
        {found === "" ? null : <span className="text-soft">: {found}</span>}
        {code === null ? null : <span className="ml-1.5 font-mono text-xs text-soft">{code}</span>}
      </span>
    </li>
  );
}
