// One encode: how it stands, how far it is, how fast, and what became of the size. Where nothing was made, why.

import { CircleCheck, CircleDashed, CirclePlay, CircleX, Equal } from "lucide-react";
import type { ReactNode } from "react";
import type { EncodeJobView } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { factsOf } from "./encode-facts.ts";

const texts = words.media.encodes;

const LOOKS = {
  waiting: { Icon: CircleDashed, colour: "text-waiting" },
  running: { Icon: CirclePlay, colour: "text-running" },
  done: { Icon: CircleCheck, colour: "text-done" },
  failed: { Icon: CircleX, colour: "text-failed" },
  as: { Icon: Equal, colour: "text-soft" },
} as const;

function lookOf({ state, result }: EncodeJobView) {
  return LOOKS[state === "done" && result !== "made" && result !== null ? "as" : state];
}

/** What it is called, and by whom it is done, is told differently by who shows it. */
export function EncodeJob({ job, children }: { readonly job: EncodeJobView; readonly children: ReactNode }) {
  const { state, phase, progress, encoding, turn, result, reason } = job;
  const { Icon, colour } = lookOf(job);
  const word = result === null ? texts.states[state] : texts.results[result];
  return (
    <li className="space-y-0.5 px-4 py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {children}
        <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
          <Icon aria-hidden className="size-4 shrink-0" /> {word}
        </span>
        {state === "running" && phase !== null && phase !== "encoding" ? (
          <span className="text-sm text-soft">{texts.phases[phase]}</span>
        ) : null}
        {state === "running" && progress !== null ? <Bar value={progress} label={texts.progress(encoding)} /> : null}
      </p>
      <p className="text-sm text-soft tabular-nums">
        {[...factsOf(job), ...(turn > 1 ? [texts.turn(turn)] : [])].join(" · ")}
      </p>
      <Reason state={state} result={result} reason={reason} />
    </li>
  );
}

function Reason({ state, result, reason }: Pick<EncodeJobView, "state" | "result" | "reason">) {
  const said = reason ?? (state === "waiting" ? texts.noEncoder : null);
  if (said === null) return null;
  return (
    <p className="text-sm" dir="auto">
      <span className="inline-block first-letter:uppercase">{said}</span>
      {result === "same" || result === "larger" ? `: ${texts.delivered}` : null}
    </p>
  );
}
