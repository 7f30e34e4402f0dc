// One request for a film or a series: how it stands, episode by episode, and what one can do about it.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { MediaRequest as Requested } from "../../../../src/server/contract/wire.ts";
import { Refusal } from "../../api/ask.ts";
import { mediaQueries } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Empty, Failed, Loaded, NotThere, Panel } from "../../ui/panel.tsx";
import { StatusBadge } from "./badge.tsx";
import { ReadyBy } from "./card.tsx";
import { Episode } from "./episode.tsx";
import { Facts } from "./facts.tsx";
import { Poster } from "./poster.tsx";
import { SeasonGrid } from "./season-grid.tsx";
import { Counts } from "./squares.tsx";
import { isUnderWay } from "./standing.ts";

const texts = words.media.request;
const route = getRouteApi("/inside/media/requests/$request");

export function MediaRequest() {
  const { request } = route.useParams();
  const query = useQuery(mediaQueries.request(request));
  if (query.error instanceof Refusal && query.error.status === 404)
    return <NotThere name={request} text={texts.noSuch(request)} />;
  if (query.data === undefined && query.isError)
    return <Failed error={query.error} what={request} again={() => void query.refetch()} />;
  return (
    <Loaded query={query} what={request}>
      {(found) => (
        <div className="space-y-5">
          <Head request={found} />
          {/* Beside the poster a phone has no room for it. */}
          <Overview text={found.overview} className="line-clamp-5 sm:hidden" />
          <Unknown unknown={found.unknown} />
          <Items request={found} />
          <Facts request={found} />
        </div>
      )}
    </Loaded>
  );
}

function Head({ request }: { readonly request: Requested }) {
  const { title, year, poster, status, progress, readyBy, sentence, overview, items, kind } = request;
  const name = words.media.title(title, year);
  const isOpen = isUnderWay(status);
  return (
    <header className="flex gap-4">
      <Poster poster={poster} title={title} className="w-20 sm:w-36" />
      <div className="min-w-0 grow space-y-2">
        <h1 className="line-clamp-3 text-2xl font-semibold" dir="auto">
          {name}
        </h1>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <StatusBadge of={request} />
          {isOpen ? <Bar value={progress} label={words.media.progress(name)} /> : null}
          {isOpen && readyBy !== null ? (
            <span className="text-sm">
              <ReadyBy range={readyBy} />
            </span>
          ) : null}
        </p>
        <p className="text-lg" aria-live="polite" dir="auto">
          {sentence}
        </p>
        {kind === "series" && items.length > 0 ? <Counts items={items} /> : null}
        <Overview text={overview} className="line-clamp-6 max-w-prose max-sm:hidden" />
      </div>
    </header>
  );
}

function Overview({ text, className }: { readonly text: string | null; readonly className: string }) {
  if (text === null || text === "") return null;
  return (
    <p className={`text-sm text-soft ${className}`} dir="auto">
      {text}
    </p>
  );
}

function Unknown({ unknown }: { readonly unknown: readonly string[] }) {
  if (unknown.length === 0) return null;
  return (
    <Panel title={texts.unknown}>
      <Empty>{texts.unknownAbout(unknown.join(", "))}</Empty>
    </Panel>
  );
}

function Items({ request: { items, kind, status, sentence } }: { readonly request: Requested }) {
  const [only] = items;
  if (only === undefined) return isUnderWay(status) ? <Empty>{texts.noItems}</Empty> : null;
  if (kind === "series") return <SeasonGrid items={items} />;
  return (
    <Panel title={texts.film}>
      <Episode item={only} told={sentence} />
    </Panel>
  );
}
