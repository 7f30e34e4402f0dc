import { Link } from "@tanstack/react-router";
import type { Overview } from "../../../../src/server/contract/wire.ts";
import { length, short } from "../../text/format.ts";
import { type State, words } from "../../text/words.ts";
import { Empty } from "../../ui/panel.tsx";

type Standing = Overview["pipelines"][number];
const { columns } = words.overview;
const CELL = "px-3 py-2 text-right tabular-nums first:pl-4 first:text-left last:pr-4";

export function PipelinesTable({ pipelines }: { readonly pipelines: readonly Standing[] }) {
  if (pipelines.length === 0) return <Empty>{words.overview.noPipelines}</Empty>;
  return (
    <div className="overflow-x-auto pb-2">
      <table className="w-full min-w-160">
        <thead>
          <tr className="text-sm text-soft">
            {Object.entries(columns).map(([name, label]) => (
              <th key={name} scope="col" className={`${CELL} font-medium`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {pipelines.map((one) => (
            <Row key={one.pipeline} standing={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  standing: { pipeline, queued, running, waiting, failed, done, took, isMore },
}: {
  readonly standing: Standing;
}) {
  const cell = (items: number, state: State, since = "") => (
    <td className={CELL}>
      <Count items={items} isMore={isMore} filter={`pipeline:${pipeline} state:${state}${since}`} />
    </td>
  );
  return (
    <tr>
      <th scope="row" className={`${CELL} font-medium`}>
        {pipeline}
      </th>
      {cell(queued, "queued")}
      {cell(running, "running")}
      {cell(waiting, "waiting")}
      {cell(failed, "failed", " age:<1d")}
      {cell(done, "done", " age:<1d")}
      <td className={CELL}>{took === null ? words.none : `${length(took.p50Ms)} / ${length(took.p90Ms)}`}</td>
    </tr>
  );
}

/** Leads to what it counts. */
function Count({
  items,
  isMore,
  filter,
}: {
  readonly items: number;
  readonly isMore: boolean;
  readonly filter: string;
}) {
  if (items === 0) return <span className="text-soft">0</span>;
  return (
    <Link to="/work" search={{ filter }} className="underline decoration-line underline-offset-4 hover:decoration-ink">
      {short(items)}
      {isMore ? "+" : ""}
    </Link>
  );
}
