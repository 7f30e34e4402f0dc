// What ended, over time: as a chart, or as the table it is drawn from.

import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Trends } from "../../../../src/server/contract/wire.ts";
import { count, time } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { Chart } from "../../ui/chart.tsx";
import { useChosen } from "../../ui/chosen.ts";
import { useNow } from "../../ui/now.ts";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { RANGES, type Range } from "./range.ts";

const texts = words.overview;

export function Throughput({ query, range }: { readonly query: UseQueryResult<Trends, Error>; readonly range: Range }) {
  const [isTable, setTable] = useChosen("as", "table");
  const aside = (
    <div className="flex flex-wrap items-center gap-1">
      <nav aria-label={texts.range} className="flex">
        {RANGES.map((one) => (
          <Link
            key={one}
            to="/"
            search={{ ...(one === "24h" ? {} : { range: one }), ...(isTable ? { as: "table" } : {}) }}
            activeOptions={{ exact: true }}
            aria-current={one === range ? "page" : undefined}
            className="inline-flex min-h-8 items-center rounded-md px-2 text-sm text-soft [&[aria-current]]:bg-sunk [&[aria-current]]:font-medium [&[aria-current]]:text-ink max-sm:min-h-11"
          >
            {texts.ranges[one]}
          </Link>
        ))}
      </nav>
      <Button kind="quiet" onClick={() => setTable(!isTable)}>
        {isTable ? texts.asChart : texts.asTable}
      </Button>
    </div>
  );
  return (
    <Panel title={texts.throughput} aside={aside}>
      <Loaded query={query} what={texts.throughput}>
        {(trends) => (isTable ? <AsTable trends={trends} /> : <AsChart trends={trends} />)}
      </Loaded>
    </Panel>
  );
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

function AsChart({ trends: { at, done, failed } }: { readonly trends: Trends }) {
  return (
    <div className="px-4 pb-3">
      <p className="mb-2 flex gap-4 text-sm">
        <Key colour="bg-done" text={texts.doneOf(sum(done))} />
        <Key colour="bg-failed" text={texts.failedOf(sum(failed))} />
      </p>
      <Chart
        label={`${texts.throughput}: ${texts.throughputOf(sum(done), sum(failed))}`}
        at={at}
        series={[
          { label: texts.series.done, values: done, colour: "--done" },
          { label: texts.series.failed, values: failed, colour: "--failed" },
        ]}
      />
    </div>
  );
}

function Key({ colour, text }: { readonly colour: string; readonly text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2.5 rounded-xs ${colour}`} /> {text}
    </span>
  );
}

function AsTable({ trends: { at, done, failed } }: { readonly trends: Trends }) {
  const now = useNow();
  const rows = at.map((one, index) => ({ at: one, done: done[index] ?? 0, failed: failed[index] ?? 0 }));
  const cell = "px-4 py-1 text-left tabular-nums";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section tabIndex={0} aria-label={texts.throughput} className="max-h-72 overflow-y-auto pb-2 text-sm">
      <table className="w-full">
        <thead className="text-soft">
          <tr>
            {[texts.from, texts.series.done, texts.series.failed].map((label) => (
              <th key={label} scope="col" className={`${cell} font-medium`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.at}>
              <th scope="row" className={`${cell} font-normal`}>
                {time(row.at, now)}
              </th>
              <td className={cell}>{count(row.done)}</td>
              <td className={cell}>{count(row.failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
