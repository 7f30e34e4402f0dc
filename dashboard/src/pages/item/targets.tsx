import { Link } from "@tanstack/react-router";
import type { Item } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StateMark } from "../../ui/state.tsx";
import { Ago, Countdown } from "../../ui/time.tsx";

/** Each part by itself: one that is down does not hide that the others are done. */
export function Targets({ item: { targets } }: { readonly item: Item }) {
  if (targets.length === 0) return null;
  return (
    <Panel title={words.item.targets}>
      <ul className="divide-y divide-line">
        {targets.map(({ id, name, state, progress, lastError, since, until }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <Link to="/items/$id" params={{ id }} className="font-medium underline-offset-4 hover:underline" dir="auto">
              {name}
            </Link>
            <StateMark state={state === "pending" ? "running" : state} />
            {state === "pending" && progress !== null ? (
              <Bar value={progress} label={`${name}: ${words.item.progress}`} />
            ) : null}
            <Ago at={since} className="text-sm text-soft" />
            {until === null ? null : (
              <span className="text-sm text-soft">
                {words.item.next} <Countdown until={until} />
              </span>
            )}
            {lastError === null ? null : (
              <span className="text-sm" dir="auto">
                <span className="font-mono text-failed">{lastError.code}</span> {lastError.message}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
