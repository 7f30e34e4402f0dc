import type { Item } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.item.gates;
const COLOURS = { passed: "text-done", refused: "text-failed", "sent-back": "text-waiting" } as const;

/** What has to hold between stages, and what each gate last said. */
export function Gates({ item: { gates } }: { readonly item: Item }) {
  if (gates.length === 0) return null;
  return (
    <Panel title={texts.title}>
      <ul className="space-y-1 px-4 pb-3 text-sm">
        {gates.map(({ stage, gate, on, verdict, at, message, refusals }) => (
          <li key={`${stage} ${on} ${gate}`} className="flex flex-wrap gap-x-3">
            <span className="font-medium">{texts.on[on](stage)}</span>
            <span>{gate}</span>
            {verdict === null ? (
              <span className="text-soft">{texts.notYet}</span>
            ) : (
              <span className={`font-medium ${COLOURS[verdict]}`}>{texts.verdicts[verdict]}</span>
            )}
            {message === null ? null : <span dir="auto">{message}</span>}
            {refusals > 0 ? <span className="text-soft">{texts.refusals(refusals)}</span> : null}
            {at === null ? null : <Ago at={at} className="text-soft" />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
