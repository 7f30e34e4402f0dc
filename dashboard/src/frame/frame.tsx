// What stands around every page: where one can go, how the services are, whether the page is live, who one is.

import { Link, Outlet } from "@tanstack/react-router";
import { useRef } from "react";
import { words } from "../text/words.ts";
import { AccountMenu } from "./account-menu.tsx";
import { LiveChip } from "./live-chip.tsx";
import { Navigation } from "./navigation.tsx";
import { ServiceBanners } from "./service-banners.tsx";
import { useTitleOf } from "./title.ts";
import { WorkerBanner } from "./worker-banner.tsx";

export function Frame() {
  const page = useRef<HTMLElement>(null);
  useTitleOf(page);
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
        <WorkerBanner />
        <ServiceBanners />
        <main
          ref={page}
          id="page"
          tabIndex={-1}
          className="mx-auto max-w-7xl px-4 pt-5 pb-24 outline-none sm:px-6 sm:pb-10"
        >
          <Outlet />
        </main>
      </div>
    </div>
  );
}
