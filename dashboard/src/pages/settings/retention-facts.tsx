// What is stored, what would go, and what should have gone.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Retention as Kept, RetentionPreview } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { bytes, length, short } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago, At } from "../../ui/time.tsx";

const texts = words.settings.retention;
const TABLES = 6;

const kept = (ms: number | null) => (ms === null ? texts.requests.forEver : length(ms));

export function OfRequests({ kept: { pipelines } }: { readonly kept: Kept }) {
  const { columns } = texts.requests;
  return (
    <Panel title={texts.requests.title}>
      {pipelines.length === 0 ? (
        <Empty>{texts.requests.none}</Empty>
      ) : (
        <>
          <p className="px-4 text-sm text-soft">{texts.requests.about}</p>
          <Table
            rows={pipelines}
            keyOf={({ name, version }) => `${name} ${version}`}
            columns={[
              { label: columns.pipeline, cell: ({ name }) => name },
              { label: columns.version, isNumber: true, cell: ({ version }) => version },
              { label: columns.done, isNumber: true, cell: ({ done }) => kept(done) },
              { label: columns.failed, isNumber: true, cell: ({ failed }) => kept(failed) },
              { label: columns.cancelled, isNumber: true, cell: ({ cancelled }) => kept(cancelled) },
            ]}
          />
        </>
      )}
    </Panel>
  );
}

/** Every request is looked at for it, so it is asked for by whoever wants to know, and not with the page. */
export function Preview() {
  const query = useQuery({ ...queries.retentionPreview(), enabled: false });
  return (
    <Panel
      title={texts.preview.title}
      aside={
        <Button disabled={query.isFetching} onClick={() => void query.refetch()}>
          {texts.preview.look}
        </Button>
      }
    >
      <p className="px-4 pb-3 text-sm text-soft">{texts.preview.about}</p>
      <Loaded query={query} what={texts.preview.title}>
        {(preview) => <Going preview={preview} />}
      </Loaded>
    </Panel>
  );
}

function Going({ preview: { requests, isMore, items, weeks } }: { readonly preview: RetentionPreview }) {
  if (requests === 0 && weeks.length === 0) return <Empty>{texts.preview.nothing}</Empty>;
  return (
    <div role="status" className="space-y-2 px-4 pb-4">
      {requests === 0 ? null : (
        <>
          <p>{texts.preview.requests(requests, isMore)}</p>
          <ul className="list-disc pl-5">
            {items.map(({ pipeline, version, state, items: many }) => (
              <li key={`${pipeline} ${version} ${state}`}>
                {texts.preview.line(pipeline, version, many, words.states[state])}
              </li>
            ))}
          </ul>
        </>
      )}
      {weeks.length === 0 ? null : <p>{texts.preview.weeks(weeks)}</p>}
    </div>
  );
}

export function Stored({ kept: { tables, oldestRequest, oldestWeek, lastRun } }: { readonly kept: Kept }) {
  const { columns } = texts.stored;
  return (
    <Panel title={texts.stored.title}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 px-4 pb-3">
        <dt className="text-soft">{texts.stored.oldestRequest}</dt>
        <dd>{oldestRequest === null ? texts.stored.nothing : <At at={oldestRequest} />}</dd>
        <dt className="text-soft">{texts.stored.oldestWeek}</dt>
        <dd>{oldestWeek ?? texts.stored.nothing}</dd>
        <dt className="text-soft">{texts.stored.lastRun}</dt>
        <dd>{lastRun === null ? texts.stored.never : <Ago at={lastRun} />}</dd>
      </dl>
      <Table
        rows={tables.slice(0, TABLES)}
        keyOf={({ name }) => name}
        columns={[
          { label: columns.table, cell: ({ name }) => name },
          { label: columns.bytes, isNumber: true, cell: (table) => bytes(table.bytes) },
          { label: columns.rows, isNumber: true, cell: ({ rows }) => (rows > 0 ? short(rows) : words.none) },
        ]}
      />
    </Panel>
  );
}

export function Leaving({ kept: { leaving } }: { readonly kept: Kept }) {
  if (leaving.length === 0) return null;
  return (
    <Panel title={texts.leaving.title}>
      <ul className="divide-y divide-line pb-2 text-sm">
        {leaving.map(({ request, by, since, obstacle }) => (
          <li key={request} className="px-4 py-1.5">
            <Link to="/requests/$id" params={{ id: request }} className="font-mono underline">
              {request}
            </Link>{" "}
            <span className="text-soft">
              {by === null ? texts.leaving.over : texts.leaving.by(by)}, {texts.leaving.since} <At at={since} />
            </span>{" "}
            {obstacle ?? texts.leaving.underWay}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
