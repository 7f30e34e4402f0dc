import { Link } from "@tanstack/react-router";
import type { Overview, Trends } from "../../../../src/server/contract/wire.ts";
import { length } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { CountLink } from "../../ui/count-link.tsx";
import { Empty } from "../../ui/panel.tsx";
import { folded, Spark } from "../../ui/spark.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CLEANUP } from "./first.ts";

type Standing = Overview["pipelines"][number];
const { columns: labels } = words.overview;

const live = (label: string, states: string, items: (row: Standing) => number): Column<Standing> => ({
  label,
  isNumber: true,
  cell: (row) => (
    <CountLink items={items(row)} isMore={row.isMore} filter={`pipeline:${row.pipeline} state:${states}`} />
  ),
});
/** Within a day, and counted to the end. */
const ended = (label: string, state: "done" | "failed"): Column<Standing> => ({
  label,
  isNumber: true,
  cell: (row) => <CountLink items={row[state]} filter={`pipeline:${row.pipeline} state:${state} kind:item age:<1d`} />,
});

const COLUMNS: readonly [Column<Standing>, ...Column<Standing>[]] = [
  {
    label: labels.pipeline,
    cell: ({ pipeline }) => (
      <Link to="/pipelines" search={{ pipeline }} className="underline-offset-4 hover:underline">
        {pipeline}
      </Link>
    ),
  },
  live(labels.queued, "queued", (row) => row.queued),
  live(labels.running, "running", (row) => row.running),
  live(labels.waiting, "waiting,needs-you", (row) => row.waiting + row.needsYou),
  ended(labels.failed, "failed"),
  ended(labels.done, "done"),
  {
    label: labels.took,
    isNumber: true,
    cell: ({ took }) => (took === null ? words.none : `${length(took.p50Ms)} / ${length(took.p90Ms)}`),
  },
];

interface Props {
  readonly pipelines: readonly Standing[];
  readonly trends: Trends | undefined;
  /** Of those that have items of whoever looks. */
  readonly isOwn: boolean;
}

const BARS = 24;
export function PipelinesTable({ pipelines, trends, isOwn }: Props) {
  if (pipelines.length === 0) return <Empty>{isOwn ? words.overview.noneOfYours : words.overview.noPipelines}</Empty>;
  const lately: Column<Standing> = {
    label: labels.lately,
    cell: ({ pipeline }) => {
      const { done = [], failed = [] } = trends?.pipelines.find((one) => one.pipeline === pipeline) ?? {};
      const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
      const label = words.overview.lately(sum(done), sum(failed));
      return <Spark done={folded(done, BARS)} failed={folded(failed, BARS)} label={label} />;
    },
  };
  // The engine's own is of interest while it has something to do.
  const shown = pipelines.filter(
    (one) => one.pipeline !== CLEANUP || one.queued + one.running + one.waiting + one.needsYou + one.failed > 0,
  );
  return <Table rows={shown} keyOf={({ pipeline }) => pipeline} columns={[...COLUMNS, lately]} />;
}
