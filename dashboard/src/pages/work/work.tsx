// Every item of every pipeline: a filter, a page of what it finds, and one action on many.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Loaded } from "../../ui/panel.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { FailureGroups } from "./failure-groups.tsx";
import { FilterBox } from "./filter-box.tsx";
import { isGoodFilter } from "./filter-problem.ts";
import { ItemsTable } from "./items-table.tsx";
import { Pager } from "./pager.tsx";
import { select, selectionFor } from "./selection.ts";
import { Views, WHOLE } from "./views.tsx";

const route = getRouteApi("/inside/work");

export function Work() {
  const { filter = WHOLE, after, view } = route.useSearch();
  const isGrouped = view === "groups";
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{words.pages.work}</h1>
      <Views filter={filter} isGrouped={isGrouped} />
      {isGrouped ? <FailureGroups /> : <Found filter={filter} after={after} />}
    </div>
  );
}

function Found({ filter, after }: { readonly filter: string; readonly after: string | undefined }) {
  // A filter that cannot be read is not asked for: what the last good one found stays.
  const query = useQuery({
    ...queries.items(filter, after),
    enabled: isGoodFilter(filter),
    placeholderData: keepPreviousData,
  });
  const [latest, setSelection] = useState(() => select(filter));
  const selection = selectionFor(filter, latest);
  // What is selected is acted on, and who only looks does not act.
  const mayAct = useQuery(queries.me()).data?.role !== "viewer";
  const isOfAnother = query.isPlaceholderData;
  return (
    <>
      <FilterBox key={filter} filter={filter} />
      <Loaded query={query} what={words.pages.work}>
        {(page) => (
          <>
            <div aria-busy={isOfAnother} inert={isOfAnother} className={isOfAnother ? "opacity-50" : ""}>
              <ItemsTable
                page={page}
                filter={filter}
                selected={selection.ids}
                onSelect={mayAct ? (ids) => setSelection(select(filter, ids)) : undefined}
              />
            </div>
            {isOfAnother ? null : <Pager after={after} next={page.next} />}
            <BulkBar selection={selection} onSelect={setSelection} />
          </>
        )}
      </Loaded>
    </>
  );
}
