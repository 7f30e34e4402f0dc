// What members come for: searching films and series, asking for them, and how what was asked for stands.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { MediaCard, MediaShow } from "../../../../src/server/contract/wire.ts";
import { mediaPaths } from "../../api/media.ts";
import { usePages } from "../../api/pages.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Older } from "../../ui/older.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { Week } from "../overview/week.tsx";
import { Card } from "./card.tsx";
import { Find } from "./find.tsx";
import { SetUp } from "./set-up.tsx";

const texts = words.media;
const route = getRouteApi("/inside/media");
const MEDIA = "media";
const SHOWS = ["all", "mine", "ready", "waiting", "problems"] as const satisfies readonly MediaShow[];

const LOOK =
  "inline-flex min-h-8 items-center rounded-full border border-edge bg-panel px-3 text-sm hover:bg-sunk " +
  "[&[aria-current]]:border-accent [&[aria-current]]:font-semibold max-sm:min-h-11";

export function Media() {
  const { show, ...found } = route.useSearch();
  const me = useQuery(queries.me());
  const isAdmin = me.data?.role === "admin";
  // To a member all are theirs, and a viewer has none.
  const shows = isAdmin ? SHOWS : SHOWS.filter((one) => one !== "mine");
  const current = shows.find((one) => one === show) ?? "all";
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">{texts.page}</h1>
      {isAdmin ? <SetUp /> : null}
      <Find />
      <section aria-label={texts.requests} className="space-y-3">
        <nav aria-label={texts.shows.label} className="flex flex-wrap gap-1.5">
          {shows.map((one) => (
            <Link
              key={one}
              to="/media"
              search={one === "all" ? found : { ...found, show: one }}
              activeOptions={{ exact: true }}
              aria-current={one === current ? "page" : undefined}
              className={LOOK}
            >
              {texts.shows[one]}
            </Link>
          ))}
        </nav>
        <Cards key={current} show={current} tellsOwners={isAdmin} />
      </section>
      <Figures />
    </div>
  );
}

/** What the week came to, once there was anything to count. */
function Figures() {
  const overview = useQuery(queries.overview());
  const isKnown = overview.data?.pipelines.some(({ pipeline }) => pipeline === MEDIA) === true;
  const query = useQuery({ ...queries.trends("7d", MEDIA), enabled: isKnown });
  return isKnown ? <Week title={words.overview.week.media} query={query} /> : null;
}

function Cards({ show, tellsOwners }: { readonly show: MediaShow; readonly tellsOwners: boolean }) {
  const query = usePages<MediaCard>(["media", "requests", show], `${mediaPaths.requests}?show=${show}&limit=20`);
  return (
    <Loaded query={query} what={texts.what}>
      {({ entries }) => (
        <>
          {entries.length === 0 && !query.hasNextPage ? <Empty>{texts.empty[show]}</Empty> : null}
          <ul className="grid gap-3 xl:grid-cols-2">
            {entries.map((card) => (
              <Card key={card.request} card={card} tellsOwners={tellsOwners} />
            ))}
          </ul>
          <Older pages={query} label={texts.older} />
        </>
      )}
    </Loaded>
  );
}
