// Who works here, and who did until lately.

import { useQuery } from "@tanstack/react-query";
import type { Worker } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { CountLink } from "../../ui/count-link.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { helpOf } from "./help.ts";

const texts = words.workers;
const COLOURS = { alive: "text-done", late: "text-waiting", left: "text-soft", dead: "text-failed" } as const;
const { columns } = texts;

const columnsOf = (isAnyAlive: boolean): readonly [Column<Worker>, ...Column<Worker>[]] => [
  { label: columns.worker, cell: (worker) => <Who worker={worker} /> },
  { label: columns.state, cell: (worker) => <State worker={worker} isAnyAlive={isAnyAlive} /> },
  { label: columns.beat, cell: ({ lastBeat }) => (lastBeat === null ? words.none : <Ago at={lastBeat} />) },
  {
    label: columns.items,
    isNumber: true,
    cell: ({ name, items }) => (items === null ? words.none : <CountLink items={items} filter={`worker:${name}`} />),
  },
  {
    label: columns.serves,
    cell: ({ pipelines, stages }) => (
      <>
        {pipelines.map((one) => `${one.name} ${one.version}`).join(", ")}
        <span className="block text-sm text-soft">{stages === null ? texts.allStages : stages.join(", ")}</span>
      </>
    ),
  },
  { label: columns.since, cell: ({ since }) => <Ago at={since} /> },
];

export function Workers() {
  const query = useQuery(queries.workers());
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.workers}</h1>
      <Loaded query={query} what={words.pages.workers}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{texts.none}</Empty>
          ) : (
            <div className="rounded-lg border border-line bg-panel">
              <Table
                rows={entries}
                keyOf={({ id }) => id}
                columns={columnsOf(entries.some(({ state }) => state === "alive"))}
              />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

function Who({ worker: { name, host, pid } }: { readonly worker: Worker }) {
  return (
    <>
      <span dir="auto">{name}</span>
      <span className="block text-sm font-normal text-soft">
        {host}
        {pid === null ? "" : ` · ${pid}`}
      </span>
    </>
  );
}

function State({ worker, isAnyAlive }: { readonly worker: Worker; readonly isAnyAlive: boolean }) {
  const { state } = worker;
  return (
    <>
      <span className={`font-medium ${COLOURS[state]}`}>{texts.states[state]}</span>
      <span className="block text-sm text-soft">{helpOf(worker, isAnyAlive)}</span>
    </>
  );
}
