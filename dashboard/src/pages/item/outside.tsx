import { Link } from "@tanstack/react-router";
import type { Item } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

/** What exists for it in services, by its name there: what one looks for when one goes there oneself. */
export function Outside({ item: { outside, checkpoint } }: { readonly item: Item }) {
  if (outside.length === 0 && checkpoint === null) return null;
  return (
    <Panel title={words.item.outside}>
      <ul className="space-y-1 px-4 pb-3 text-sm">
        {outside.map(({ service, stage, ref, since, leftBehind }) => (
          <li key={`${service} ${stage} ${ref}`}>
            <Link to="/services" search={{ service }} className="font-medium underline">
              {service}
            </Link>{" "}
            {stage} <code dir="auto">{ref}</code> <Ago at={since} className="text-soft" />
            {leftBehind ? ` · ${words.item.leftBehind}` : ""}
          </li>
        ))}
        {checkpoint === null ? null : (
          <li>
            {words.item.checkpoint(checkpoint.stage)} <Ago at={checkpoint.at} className="text-soft" />{" "}
            <code className="line-clamp-3" dir="auto">
              {JSON.stringify(checkpoint.value)}
            </code>
          </li>
        )}
      </ul>
    </Panel>
  );
}
