import { useQuery } from "@tanstack/react-query";
import type { DocumentEvent } from "../../../../src/server/contract/wire.ts";
import { documentQueries } from "../../api/documents.ts";
import { words } from "../../text/words.ts";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { At } from "../../ui/time.tsx";

const texts = words.documents.events;

export function Events({ id }: { readonly id: string }) {
  const query = useQuery(documentQueries.events(id));
  return (
    <Panel title={texts.title}>
      <Loaded query={query} what={texts.title}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            <ol className="divide-y divide-line pb-2">
              {entries.map((event, index) => (
                // They are only ever added to, and never change.
                <Line key={`${event.at} ${event.type} ${String(index)}`} event={event} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Line({ event: { type, at, meta } }: { readonly event: DocumentEvent }) {
  const { attempt, by, tookMs, bytes, code, sentence, retryAfter } = meta;
  const facts = [
    attempt === undefined ? "" : texts.attempt(attempt),
    by === undefined ? "" : texts.by(by),
    tookMs === undefined ? "" : texts.took(tookMs),
    bytes === undefined ? "" : texts.bytes(bytes),
  ].filter((fact) => fact !== "");
  return (
    <li className="px-4 py-2">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <At at={at} className="text-sm text-soft tabular-nums" />
        <span className="font-medium first-letter:uppercase">{texts.types[type]}</span>
        <span className="text-sm text-soft" dir="auto">
          {facts.join(" · ")}
        </span>
        {code === undefined ? null : <span className="font-mono text-xs text-failed">{code}</span>}
      </p>
      {sentence === undefined ? null : (
        <p className="text-sm" dir="auto">
          {sentence}
        </p>
      )}
      {retryAfter === undefined ? null : (
        <p className="text-sm text-soft">
          {texts.after} <At at={retryAfter} />
        </p>
      )}
    </li>
  );
}
