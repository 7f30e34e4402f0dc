// What happened, what was noted, what went in and what came out.

import { Tabs } from "@base-ui/react/tabs";
import { getRouteApi } from "@tanstack/react-router";
import type { History, Item } from "../../../../src/server/contract/wire.ts";
import { length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { At } from "../../ui/time.tsx";
import { useHistory } from "./history.ts";
import { Notes } from "./notes.tsx";

const route = getRouteApi("/inside/items/$id");
const { tabs, events, data } = words.item;
const NAMES = ["events", "notes", "data"] as const;

export function Past({ item }: { readonly item: Item }) {
  const { tab = "events" } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (value: string) =>
    void navigate({
      search: ({ tab: _, ...rest }) => (value === "events" ? rest : { ...rest, tab: value }),
      replace: true,
    });
  return (
    <Tabs.Root
      value={NAMES.find((name) => name === tab) ?? "events"}
      onValueChange={choose}
      className="rounded-lg border border-line bg-panel"
    >
      <Tabs.List className="flex gap-1 border-b border-line px-2">
        {NAMES.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="-mb-px min-h-11 border-b-2 border-transparent px-3 text-sm font-medium text-soft data-active:border-accent data-active:text-ink"
          >
            {tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="events">
        <Events id={item.id} />
      </Tabs.Panel>
      <Tabs.Panel value="notes">
        <Notes id={item.id} />
      </Tabs.Panel>
      <Tabs.Panel value="data">
        <Data item={item} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function Events({ id }: { readonly id: string }) {
  const query = useHistory(id);
  return (
    <Loaded query={query} what={tabs.events}>
      {({ entries, pages }) => (
        <div className="py-2">
          {entries.length === 0 ? <Empty>{events.none}</Empty> : null}
          <ol className="divide-y divide-line text-sm">
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of a kind may fall on one moment; counted from the oldest on
              <EventLine key={`${entry.ended} ${entry.type} ${entries.length - index}`} entry={entry} />
            ))}
          </ol>
          <Older pages={query} />
          {pages.at(-1)?.isThinned === true ? <Empty>{events.thinned}</Empty> : null}
        </div>
      )}
    </Loaded>
  );
}

function EventLine({
  entry: { ended, type, from, to, tookMs, attempt, code, message, worker },
}: {
  readonly entry: History["entries"][number];
}) {
  const isBad = type === "item.fault" || type === "item.failed" || type === "item.crashed";
  const stages = from === to || to === null ? (from ?? "") : from === null ? to : `${from} → ${to}`;
  return (
    <li className="flex flex-wrap gap-x-3 px-4 py-1.5">
      <At at={ended} className="text-soft tabular-nums" />
      <span className="font-medium">{events.names[type] ?? type.replace("item.", "")}</span>
      <span>{stages}</span>
      {attempt === null ? null : <span className="text-soft">#{attempt}</span>}
      {tookMs === null ? null : <span className="text-soft">{length(tookMs)}</span>}
      {code === null ? null : <span className={`font-mono ${isBad ? "text-failed" : "text-soft"}`}>{code}</span>}
      {message === null ? null : <span dir="auto">{message}</span>}
      {worker === null ? null : <span className="ml-auto text-soft">{worker}</span>}
    </li>
  );
}

function Data({ item: { input, outputs } }: { readonly item: Item }) {
  const all = [[data.input, input] as const, ...Object.entries(outputs)];
  return (
    <div className="space-y-3 p-4">
      {all.map(([name, value]) => (
        <div key={name}>
          <h3 className="text-sm font-medium text-soft">{name}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-sunk p-3 text-sm" dir="auto">
            {JSON.stringify(value, null, 2)}
          </pre>
        </div>
      ))}
    </div>
  );
}
