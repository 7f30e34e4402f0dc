// PDFs that become XML: uploading them, how each stands, and what came of them.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { DocumentView } from "../../../../src/server/contract/wire.ts";
import { documentPaths } from "../../api/documents.ts";
import { usePages } from "../../api/pages.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { Banner } from "./banner.tsx";
import { DocumentsTable } from "./documents-table.tsx";
import { Filters } from "./filters.tsx";
import { emptyText, type Shown, shownBy } from "./shown.ts";
import { UploadPanel } from "./upload-panel.tsx";

const texts = words.documents;
const route = getRouteApi("/inside/documents");

export function Documents() {
  const search = route.useSearch();
  const { data: me } = useQuery(queries.me());
  if (me === undefined) return null;
  const shown = shownBy(search, me.role);
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{texts.page}</h1>
      <Banner />
      <UploadPanel />
      <section aria-label={texts.page} className="space-y-3">
        <Filters shown={shown} />
        <List key={JSON.stringify(shown)} shown={shown} />
      </section>
    </div>
  );
}

function List({ shown }: { readonly shown: Shown }) {
  const { show, owner, name } = shown;
  const query = usePages<DocumentView>(["documents", "list", show, owner, name], documentPaths.list(shown));
  return (
    <div className="rounded-lg border border-line bg-panel">
      <Loaded query={query} what={texts.what}>
        {({ entries }) =>
          entries.length === 0 && !query.hasNextPage ? (
            <div className="pt-3">
              <Empty>{emptyText(shown)}</Empty>
            </div>
          ) : (
            <DocumentsTable documents={entries} shown={shown} />
          )
        }
      </Loaded>
      <Older pages={query} label={texts.older} />
    </div>
  );
}
