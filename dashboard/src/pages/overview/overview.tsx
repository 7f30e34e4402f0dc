// "Is everything all right, and if not, what first?"

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { Causes } from "./causes.tsx";
import { isFresh } from "./first.ts";
import { Held } from "./held.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { PipelinesTable } from "./pipelines-table.tsx";
import { isRange, type Range } from "./range.ts";
import { Throughput } from "./throughput.tsx";
import { Week } from "./week.tsx";
import { WhatNext } from "./what-next.tsx";

const texts = words.overview;
const route = getRouteApi("/inside/");

export function Overview() {
  const { range: given } = route.useSearch();
  const range: Range = given !== undefined && isRange(given) ? given : "24h";
  const overview = useQuery(queries.overview());
  const trends = useQuery(queries.trends(range));
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{words.pages.overview}</h1>
      {overview.data === undefined ? null : <NeedsYou items={overview.data.needsYou} />}
      {overview.data === undefined || overview.data.stuck === 0 ? null : (
        <p className="rounded-lg border border-line bg-waiting-soft px-4 py-2.5">
          <Link to="/activity" search={{ tab: "stuck" }} className="font-medium underline">
            {texts.stuck(overview.data.stuck)}
          </Link>
        </p>
      )}
      <Panel title={words.pages.pipelines}>
        <Loaded query={overview} what={words.pages.pipelines}>
          {({ pipelines, scope }) => (
            <PipelinesTable pipelines={pipelines} trends={trends.data} isOwn={scope === "own"} />
          )}
        </Loaded>
      </Panel>
      {overview.data === undefined ? null : <Held closed={overview.data.closed} />}
      {overview.data !== undefined && trends.data !== undefined && isFresh(overview.data.pipelines, trends.data) ? (
        <WhatNext />
      ) : (
        <>
          <div className="grid gap-5 lg:grid-cols-[2fr_1fr]">
            <Throughput query={trends} range={range} />
            <Causes query={trends} />
          </div>
          <Week title={texts.week.title} query={trends} />
        </>
      )}
    </div>
  );
}
