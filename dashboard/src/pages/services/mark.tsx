// How a service stands: icon, word and colour, so that none of them is needed alone.

import { CircleCheck, CloudAlert, Hourglass, Sunrise } from "lucide-react";
import type { ReactNode } from "react";
import type { Service } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";

const LOOKS = {
  well: { icon: CircleCheck, colour: "text-done" },
  down: { icon: CloudAlert, colour: "text-failed" },
  ramping: { icon: Sunrise, colour: "text-waiting" },
  busy: { icon: Hourglass, colour: "text-waiting" },
} as const;

export function ServiceMark({ state, children }: { readonly state: Service["state"]; readonly children?: ReactNode }) {
  const { icon: Icon, colour } = LOOKS[state];
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
      <Icon aria-hidden className="size-4" /> {words.services.states[state]}
      {children}
    </span>
  );
}
