// How a document stands: icon, word and colour, so that none of them is needed alone.

import { Ban, CircleCheck, CircleDashed, CirclePlay, CircleX, ClockFading } from "lucide-react";
import type { DocumentStatus } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";

const LOOKS = {
  queued: { icon: CircleDashed, colour: "text-queued" },
  processing: { icon: CirclePlay, colour: "text-running" },
  complete: { icon: CircleCheck, colour: "text-done" },
  failed: { icon: CircleX, colour: "text-failed" },
  expired: { icon: ClockFading, colour: "text-waiting" },
  cancelled: { icon: Ban, colour: "text-cancelled" },
} satisfies Record<DocumentStatus, unknown>;

export function StatusMark({ status }: { readonly status: DocumentStatus }) {
  const { icon: Icon, colour } = LOOKS[status];
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${colour}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {words.documents.statuses[status]}
    </span>
  );
}
