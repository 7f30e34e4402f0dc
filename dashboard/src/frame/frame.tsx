// What stands around every page: where one can go, how the services are, whether the page is live, who one is.

import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Activity, Boxes, Cable, Cpu, LayoutDashboard, ListTree, Settings } from "lucide-react";
import { queries } from "../api/queries.ts";
import { short } from "../text/format.ts";
import { words } from "../text/words.ts";
import { AccountMenu } from "./account-menu.tsx";
import { LiveChip } from "./live-chip.tsx";
import { ServiceBanners } from "./service-banners.tsx";

const PLACES = [
  { to: "/", label: words.pages.overview, icon: LayoutDashboard },
  { to: "/work", label: words.pages.work, icon: ListTree },
  { to: "/pipelines", label: words.pages.pipelines, icon: Boxes },
  { to: "/services", label: words.pages.services, icon: Cable },
  { to: "/workers", label: words.pages.workers, icon: Cpu },
  { to: "/activity", label: words.pages.activity, icon: Activity },
  { to: "/settings", label: words.pages.settings, icon: Settings },
] as const;

export function Frame() {
  return (
    <div className="min-h-dvh sm:grid sm:grid-cols-[12.5rem_1fr]">
      <a href="#page" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3">
        {words.skip}
      </a>
      <Navigation />
      <div className="min-w-0">
        <header className="flex min-h-14 items-center gap-3 border-b border-line px-4 sm:px-6">
          <Link to="/" className="flex items-center gap-2 font-semibold sm:hidden">
            <img src="/icon.svg" alt="" className="size-6" /> {words.product}
          </Link>
          <span className="grow" />
          <LiveChip />
          <AccountMenu />
        </header>
        <ServiceBanners />
        <main id="page" tabIndex={-1} className="mx-auto max-w-7xl px-4 pt-5 pb-24 outline-none sm:px-6 sm:pb-10">
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** A column beside the page; along the bottom of a phone, under the thumb. */
function Navigation() {
  const { data } = useQuery(queries.overview());
  const asking = data?.needsYou ?? 0;
  return (
    <nav
      aria-label="Main"
      className="z-40 flex border-line bg-panel max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:overflow-x-auto max-sm:border-t sm:sticky sm:top-0 sm:h-dvh sm:flex-col sm:gap-0.5 sm:border-r sm:p-3"
    >
      <Link to="/" className="mb-4 flex items-center gap-2.5 px-2 pt-1 text-lg font-semibold max-sm:hidden">
        <img src="/icon.svg" alt="" className="size-7" /> {words.product}
      </Link>
      {PLACES.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === "/", includeSearch: false }}
          className="flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-soft hover:bg-sunk hover:text-ink aria-[current=page]:bg-sunk aria-[current=page]:font-semibold aria-[current=page]:text-ink max-sm:min-h-14 max-sm:min-w-16 max-sm:grow max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:px-1 max-sm:text-xs"
        >
          <Icon aria-hidden className="size-[1.15rem]" />
          {label}
          {to === "/" && asking > 0 ? (
            <span className="rounded-full bg-asking px-1.5 text-xs text-panel sm:ml-auto">
              {short(asking)}
              <span className="sr-only"> {words.states["needs-you"]}</span>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
