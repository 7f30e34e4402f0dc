// What was asked for at once, and what became of each of it.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { enc, Refusal } from "../../api/ask.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { AskFirst } from "../../ui/ask-first.tsx";
import { Bar } from "../../ui/bar.tsx";
import { buttonLook } from "../../ui/button.tsx";
import { Empty, Loaded, NotThere, Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";
import { ItemsTable } from "../work/items-table.tsx";

const texts = words.request;
const route = getRouteApi("/inside/requests/$id");
const NONE: ReadonlySet<string> = new Set();

export function Request() {
  const { id } = route.useParams();
  const query = useQuery(queries.request(id));
  const filter = `request:${id}`;
  const items = useQuery(queries.items(filter));
  const me = useQuery(queries.me());
  if (query.error instanceof Refusal && query.error.status === 404)
    return <NotThere name={id} text={texts.noSuch(id)} />;
  return (
    <Loaded query={query} what={id}>
      {({ key, status, counts, progress, owners, createdAt, removal }) => (
        <div className="space-y-5">
          <header className="space-y-1">
            <h1 className="line-clamp-3 text-2xl font-semibold" dir="auto">
              {key ?? id}
            </h1>
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <strong className="font-semibold">{texts.statuses[status]}</strong>
              <Bar value={progress} label={texts.progress} />
              <span>{texts.counts(counts.total, counts.completed)}</span>
              {counts.failed > 0 ? <span className="text-failed">{texts.failed(counts.failed)}</span> : null}
              {counts.cancelled > 0 ? <span>{texts.cancelled(counts.cancelled)}</span> : null}
              <span className="text-sm text-soft" dir="auto">
                {owners.length === 0 ? "" : `${texts.owners} ${owners.join(", ")} · `}
                <Ago at={createdAt} />
              </span>
              {me.data?.role !== "viewer" && (status === "PENDING" || status === "PROCESSING") ? (
                <AskFirst
                  label={texts.cancel}
                  title={texts.cancel}
                  about={texts.cancelAbout(counts.total - counts.completed - counts.failed - counts.cancelled)}
                  deed={{ path: `/api/v1/requests/${enc(id)}/cancel` }}
                />
              ) : null}
            </p>
            {removal === null ? null : <p className="text-waiting">{removal.sentence}</p>}
          </header>
          <Panel
            title={texts.items}
            aside={
              <Link to="/work" search={{ filter }} className={buttonLook("quiet")}>
                {texts.allItems}
              </Link>
            }
          >
            <Loaded query={items} what={texts.items}>
              {(page) => (
                <>
                  <ItemsTable page={page} filter={filter} selected={NONE} onSelect={undefined} />
                  {page.next === null ? null : <Empty>{texts.firstItems(page.entries.length)}</Empty>}
                </>
              )}
            </Loaded>
          </Panel>
        </div>
      )}
    </Loaded>
  );
}
