// How an item stands: icon, word and colour, so that none of them is needed alone.

import { Ban, CircleCheck, CircleDashed, CirclePause, CirclePlay, CircleQuestionMark, CircleX } from "lucide-react";
import { type State, words } from "../text/words.ts";

export const STATE_COLOURS: Record<State, string> = {
  queued: "text-queued",
  running: "text-running",
  waiting: "text-waiting",
  "needs-you": "text-asking",
  done: "text-done",
  failed: "text-failed",
  cancelled: "text-cancelled",
};

const ICONS = {
  queued: CircleDashed,
  running: CirclePlay,
  waiting: CirclePause,
  "needs-you": CircleQuestionMark,
  done: CircleCheck,
  failed: CircleX,
  cancelled: Ban,
} satisfies Record<State, unknown>;

export function StateMark({ state, className = "" }: { readonly state: State; readonly className?: string }) {
  const Icon = ICONS[state];
  return (
    <span
      className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${STATE_COLOURS[state]} ${className}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {words.states[state]}
    </span>
  );
}
