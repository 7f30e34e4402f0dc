// Keeps what the pages show up to date: marks as stale what an event touched, or, while no stream comes through, all of it every
// ten seconds. Pages know nothing of either.

import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { DocumentView, Item, ItemLine, JobProgress, Page } from "../../../src/server/contract/wire.ts";
import { Freshener } from "./freshener.ts";
import { isJob, isProgress } from "./stale.ts";
import type { LiveState } from "./stream.ts";
import { type Connection, connect } from "./tab.ts";

const POLL_MS = 10_000;

interface Live {
  readonly state: LiveState;
  /** After signing out: no tab of this browser hears any more. */
  out(): void;
}

const Context = createContext<Live>({ state: "off", out: () => undefined });

export const useLive = () => useContext(Context);

const isSeen = () => document.visibilityState === "visible";

/** For one person; whoever else signs in gets another one. */
export function LiveProvider({ user, children }: { readonly user: string; readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("off");
  const [connection, setConnection] = useState<Connection>();
  useEffect(() => {
    const freshener = new Freshener(client, isSeen);
    const opened = connect(
      {
        onState: setState,
        onEvent: (event) => {
          if (isJob(event) && isProgress(event)) patch(client, event);
          freshener.take(event);
        },
      },
      user,
    );
    setConnection(opened);
    const look = () => freshener.all();
    const back = ({ persisted }: PageTransitionEvent) => (persisted ? look() : undefined);
    document.addEventListener("visibilitychange", look);
    addEventListener("pageshow", back);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("pageshow", back);
      opened.close();
      freshener.stop();
    };
  }, [client, user]);
  useEffect(() => {
    if (state === "on") return;
    // What is on its way is let come: over a slow line nothing ever would otherwise.
    const look = () => (isSeen() ? void client.invalidateQueries({}, { cancelRefetch: false }) : undefined);
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [client, state]);
  const live = useMemo(() => ({ state, out: () => connection?.out() }), [state, connection]);
  return <Context value={live}>{children}</Context>;
}

/** Bars move at once; nothing else changes with them. */
function patch(client: QueryClient, { jobId, progress, stageProgress }: JobProgress): void {
  if (progress === undefined) return;
  client.setQueriesData<Page<ItemLine>>({ queryKey: ["items"] }, (page) => page && moved(page, jobId, progress));
  client.setQueriesData<InfiniteData<Page<DocumentView>>>(
    { queryKey: ["documents", "list"] },
    (all) => all && { ...all, pages: all.pages.map((page) => moved(page, jobId, progress)) },
  );
  client.setQueryData<Item>(["item", jobId], (item) =>
    item === undefined ? item : { ...item, progress, stageProgress: stageProgress ?? item.stageProgress },
  );
}

/** The same page where that item is not on it. */
function moved<Entry extends { readonly id: string }>(page: Page<Entry>, id: string, progress: number): Page<Entry> {
  if (!page.entries.some((one) => one.id === id)) return page;
  return { ...page, entries: page.entries.map((one) => (one.id === id ? { ...one, progress } : one)) };
}
