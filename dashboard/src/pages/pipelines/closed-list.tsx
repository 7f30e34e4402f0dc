import type { Valve } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Lasting } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { keyOf, openingOf, openingWord, placeOf } from "./closed.ts";

const texts = words.pipelines;

/** Everything that was stopped, each with what lets it go on. */
export function ClosedList({ closed, isAdmin }: { readonly closed: readonly Valve[]; readonly isAdmin: boolean }) {
  if (closed.length === 0) return null;
  return (
    <ul aria-label={texts.closed.title} className="border-y border-line bg-waiting-soft">
      {closed.map((valve) => (
        <Line key={keyOf(valve)} valve={valve} isAdmin={isAdmin} />
      ))}
    </ul>
  );
}

function Line({ valve, isAdmin }: { readonly valve: Valve; readonly isAdmin: boolean }) {
  const deed = useDeed();
  const { kind, state, since, note } = valve;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-sm">
      <p className="grow">
        <strong className="font-medium">{placeOf(valve)}</strong> {texts.closed[kind]} <Lasting since={since} />
        {state === "closing" ? ` · ${texts.flows.closing}` : ""}
        {note === null ? null : <span dir="auto"> · {note}</span>}
      </p>
      {isAdmin ? (
        <Button
          disabled={deed.isPending}
          aria-label={texts.closed.open(openingWord(valve), placeOf(valve))}
          onClick={() => deed.mutate(openingOf(valve))}
        >
          {openingWord(valve)}
        </Button>
      ) : null}
      <Wrong error={deed.error} />
    </li>
  );
}
