// Where one can go: a column beside the page; along the bottom of a phone, under the thumb, where what does not fit is behind "More".

import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Activity,
  Boxes,
  Cable,
  Clapperboard,
  Cpu,
  Ellipsis,
  FileCode,
  Hammer,
  LayoutDashboard,
  ListTree,
  Settings,
} from "lucide-react";
import { queries } from "../api/queries.ts";
import { short } from "../text/format.ts";
import { words } from "../text/words.ts";
import { asksOf } from "./attention.ts";
import { type Place, placesOf } from "./places.ts";

const { pages } = words;
const SIGNS = {
  "/": { label: pages.overview, icon: LayoutDashboard },
  "/media": { label: words.media.page, icon: Clapperboard },
  "/documents": { label: words.documents.page, icon: FileCode },
  "/work": { label: pages.work, icon: ListTree },
  "/services": { label: pages.services, icon: Cable },
  "/activity": { label: pages.activity, icon: Activity },
  "/pipelines": { label: pages.pipelines, icon: Boxes },
  "/workers": { label: pages.workers, icon: Cpu },
  "/settings": { label: pages.settings, icon: Settings },
  "/sandbox": { label: words.sandbox.page, icon: Hammer },
} as const satisfies Record<Place, unknown>;

const LOOK =
  "flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-soft hover:bg-sunk hover:text-ink aria-[current=page]:bg-sunk " +
  "aria-[current=page]:font-semibold aria-[current=page]:text-ink";
const THUMB =
  "max-sm:min-h-14 max-sm:w-1/5 max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:px-1 max-sm:text-xs";

export function Navigation() {
  const { data } = useQuery(queries.overview());
  const { data: me } = useQuery(queries.me());
  const asking = data === undefined || me === undefined ? 0 : asksOf(data, me.role);
  const { main, more } = placesOf(data, me?.role);
  return (
    <nav
      aria-label={words.navigation}
      className="z-40 flex border-line bg-panel max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t sm:sticky sm:top-0 sm:h-dvh sm:flex-col sm:gap-0.5 sm:border-r sm:p-3"
    >
      <Link to="/" className="mb-4 flex items-center gap-2.5 px-2 pt-1 text-lg font-semibold max-sm:hidden">
        <img src="/icon.svg" alt="" className="size-7" /> {words.product}
      </Link>
      {main.map((place) => (
        <PlaceLink key={place} place={place} className={THUMB} asking={place === "/" ? asking : 0} />
      ))}
      {more.map((place) => (
        <PlaceLink key={place} place={place} className="max-sm:hidden" />
      ))}
      <MoreMenu places={more} />
    </nav>
  );
}

interface PlaceProps {
  readonly place: Place;
  readonly className: string;
  readonly asking?: number;
}

function PlaceLink({ place, className, asking = 0 }: PlaceProps) {
  const { label, icon: Icon } = SIGNS[place];
  return (
    <Link to={place} activeOptions={{ exact: place === "/", includeSearch: false }} className={`${LOOK} ${className}`}>
      <Icon aria-hidden className="size-[1.15rem]" />
      {label}
      {asking === 0 ? null : (
        <span className="rounded-full bg-asking px-1.5 text-xs text-panel max-sm:absolute max-sm:top-1 sm:ml-auto">
          {short(asking)}
          <span className="sr-only"> {words.states["needs-you"]}</span>
        </span>
      )}
    </Link>
  );
}

function MoreMenu({ places }: { readonly places: readonly Place[] }) {
  return (
    <Menu.Root>
      <Menu.Trigger className={`${LOOK} ${THUMB} sm:hidden`}>
        <Ellipsis aria-hidden className="size-[1.15rem]" />
        {pages.more}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="top" align="end" sideOffset={6} className="z-50">
          <Menu.Popup className="min-w-44 rounded-lg border border-line bg-panel p-1.5 shadow-lg">
            {places.map((place) => {
              const { label, icon: Icon } = SIGNS[place];
              return (
                <Menu.Item key={place} render={<Link to={place} />} className={`${LOOK} min-h-11`}>
                  <Icon aria-hidden className="size-[1.15rem]" /> {label}
                </Menu.Item>
              );
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
