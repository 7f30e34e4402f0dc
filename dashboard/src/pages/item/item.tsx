// The page the product is judged by: why an item stands where it stands, since when, until when, and what one can do.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { Item as ItemView } from "../../../../src/server/contract/wire.ts";
import { Refusal } from "../../api/ask.ts";
import { queries } from "../../api/queries.ts";
import { DOCUMENTS, hasDocuments, hasMedia, isOfMedia } from "../../frame/places.ts";
import { words } from "../../text/words.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { useNow } from "../../ui/now.ts";
import { Failed, Loaded, NotThere } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";
import { Gates } from "./gates.tsx";
import { useHistory } from "./history.ts";
import { Outside } from "./outside.tsx";
import { Past } from "./past.tsx";
import { Targets } from "./targets.tsx";
import { timelineOf } from "./timeline.ts";
import { TimelineView } from "./timeline-view.tsx";
import { Why } from "./why.tsx";

const route = getRouteApi("/inside/items/$id");
/** The pipeline of the media application, of which a film or an episode is a whole item. */
const MEDIA = "media";
const Film = lazy(async () => ({ default: (await import("./film.tsx")).Film }));
const isFilm = ({ pipeline, part }: ItemView) => pipeline === MEDIA && part === null;

export function Item() {
  const { id } = route.useParams();
  const query = useQuery(queries.item(id));
  const { data: overview } = useQuery(queries.overview());
  const withMedia = hasMedia(overview);
  if (query.error instanceof Refusal && query.error.status === 404)
    return <NotThere name={id} text={words.item.noSuch(id)} />;
  if (query.data === undefined && query.isError)
    return <Failed error={query.error} what={id} again={() => void query.refetch()} />;
  return (
    <Loaded query={query} what={id}>
      {(item) => (
        <div className="space-y-5">
          <Head
            item={item}
            isMedia={withMedia && isOfMedia(item.pipeline)}
            isDocument={hasDocuments(overview) && item.pipeline === DOCUMENTS}
          />
          <Why item={item} />
          {withMedia && isFilm(item) ? (
            <Suspense>
              <Film item={item} />
            </Suspense>
          ) : (
            <Targets item={item} />
          )}
          <Lengths item={item} />
          <Gates item={item} />
          <Outside item={item} />
          <Past item={item} />
        </div>
      )}
    </Loaded>
  );
}

function Head({
  item: { id, title, key, pipeline, version, request, owner, createdAt, part },
  isMedia,
  isDocument,
}: {
  readonly item: ItemView;
  readonly isMedia: boolean;
  readonly isDocument: boolean;
}) {
  return (
    <header>
      <h1 className="line-clamp-3 text-2xl font-semibold" dir="auto">
        {title ?? key ?? id}
      </h1>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <span>
          {pipeline} · {version}
        </span>
        {part === null ? null : <span dir="auto">{part}</span>}
        <span className="inline-flex items-center gap-1 font-mono">
          {id} <CopyButton text={id} label={words.item.copyId} />
        </span>
        {isMedia ? (
          <Link to="/media/requests/$request" params={{ request }} className="underline">
            {words.item.request}
          </Link>
        ) : (
          <Link to="/requests/$id" params={{ id: request }} className="underline">
            {words.item.request}
          </Link>
        )}
        {isDocument ? (
          <Link to="/documents/$id" params={{ id }} className="underline">
            {words.item.document}
          </Link>
        ) : null}
        {owner === null ? null : (
          <span dir="auto">
            {words.item.owner} {owner}
          </span>
        )}
        <span>
          {words.item.handedIn} <Ago at={createdAt} />
        </span>
      </p>
    </header>
  );
}

function Lengths({ item }: { readonly item: ItemView }) {
  const history = useHistory(item.id);
  const now = useNow();
  if (history.data === undefined) return null;
  const isOutside = item.wait.code === "outside";
  const timeline = timelineOf(history.data.entries.toReversed(), { ...item, isOutside }, now);
  return <TimelineView timeline={timeline} now={now} isWhole={!history.hasNextPage} />;
}
