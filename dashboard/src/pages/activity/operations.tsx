// Operations on many items: each is a thing of its own, with a page that can be opened again.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { BulkMember, BulkOperation } from "../../../../src/server/contract/wire.ts";
import { enc } from "../../api/ask.ts";
import { useDeed } from "../../api/deed.ts";
import { usePages } from "../../api/pages.ts";
import { queries } from "../../api/queries.ts";
import { count } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";

const texts = words.activity.operation;
const nameOf = ({ type }: BulkOperation["action"]) => texts.actions[type];

export function Operations() {
  const query = usePages<BulkOperation>(["operations"], "/api/v1/bulk?limit=50");
  const mayAct = useQuery(queries.me()).data?.role !== "viewer";
  return (
    <Loaded query={query} what={words.activity.tabs.bulk}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty>{mayAct ? words.activity.none.bulk : words.activity.none.bulkOfOthers}</Empty>
        ) : (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
              {entries.map((operation) => (
                <li key={operation.id} className="px-4 py-3">
                  <Line operation={operation} />
                </li>
              ))}
            </ul>
            <Older pages={query} />
          </>
        )
      }
    </Loaded>
  );
}

function Line({ operation }: { readonly operation: BulkOperation }) {
  const { id, state, action, by, total, progress, since } = operation;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Link to="/activity" search={{ tab: "bulk", operation: id }} className="font-medium underline">
        {nameOf(action)}
      </Link>
      <span>{texts.states[state]}</span>
      <Bar value={progress} label={texts.progress} />
      <span className="text-sm">{texts.of(total - operation.counts.open, total)}</span>
      <span className="text-sm text-soft">
        {texts.by} {by} · <Ago at={since} />
      </span>
    </div>
  );
}

export function OneOperation({ id }: { readonly id: string }) {
  const query = useQuery(queries.operation(id));
  const stop = useDeed();
  const me = useQuery(queries.me());
  return (
    <Loaded query={query} what={words.activity.tabs.bulk}>
      {(operation) => (
        <div className="space-y-4">
          <Link to="/activity" search={{ tab: "bulk" }} className={buttonLook("quiet")}>
            {texts.close}
          </Link>
          <Panel
            title={`${nameOf(operation.action)} · ${operation.id}`}
            aside={
              operation.state === "running" && me.data?.role !== "viewer" ? (
                <Button disabled={stop.isPending} onClick={() => stop.mutate({ path: `/api/v1/bulk/${enc(id)}/stop` })}>
                  {texts.stop}
                </Button>
              ) : null
            }
          >
            <div className="space-y-3 px-4 pb-4">
              <Line operation={operation} />
              <Counts operation={operation} />
              <Wrong error={stop.error} />
            </div>
          </Panel>
          <Members id={id} />
        </div>
      )}
    </Loaded>
  );
}

function Counts({ operation: { counts } }: { readonly operation: BulkOperation }) {
  const names = ["done", "refused", "failed", "stopped", "open"] as const;
  return (
    <dl className="flex flex-wrap gap-x-6">
      {names.map((name) => (
        <div key={name} className="flex gap-1.5">
          <dd className="font-semibold tabular-nums">{count(counts[name])}</dd>
          <dt className="text-soft">{texts.counts[name]}</dt>
        </div>
      ))}
    </dl>
  );
}

function Members({ id }: { readonly id: string }) {
  const query = usePages<BulkMember>(["operations", id, "members"], `/api/v1/bulk/${enc(id)}/members?limit=100`);
  return (
    <Panel title={texts.members}>
      <Loaded query={query} what={texts.members}>
        {({ entries }) => (
          <>
            <ul className="divide-y divide-line pb-2 text-sm">
              {entries.map(({ item, outcome, reason }) => (
                <li key={item} className="flex flex-wrap gap-x-4 px-4 py-1.5">
                  <Link to="/items/$id" params={{ id: item }} className="font-mono underline">
                    {item}
                  </Link>
                  <span>{texts.counts[outcome]}</span>
                  <span className="text-soft">{reason}</span>
                </li>
              ))}
            </ul>
            <Older pages={query} label={words.more} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
