// Keeps what the pages show up to date: marks as stale what an event touched, or, while no stream comes through, all of it every
// ten seconds. Pages know nothing of either.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { Event, Item, ItemLine, JobProgress, Page } from "../../../src/server/contract/wire.ts";
import { isJob, isProgress, type Key, staleBy } from "./stale.ts";
import type { LiveState } from "./stream.ts";
import { type Connection, connect } from "./tab.ts";

/** Lists are asked for again no more often than this, however much happens. */
const FLUSH_MS = 2_000;
const POLL_MS = 10_000;

interface Live {
  readonly state: LiveState;
  /** After another person signed in. */
  again(): void;
}

const Context = createContext<Live>({ state: "off", again: () => undefined });

export const useLive = () => useContext(Context);

export function LiveProvider({ isOn, children }: { readonly isOn: boolean; readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("off");
  const [connection, setConnection] = useState<Connection>();
  useEffect(() => {
    if (!isOn) return;
    const freshener = new Freshener(client);
    const opened = connect({ onState: setState, onEvent: (event) => freshener.take(event) });
    setConnection(opened);
    return () => {
      opened.close();
      freshener.stop();
    };
  }, [client, isOn]);
  useEffect(() => {
    if (!isOn) return;
    const look = () => {
      if (document.visibilityState === "visible") void client.invalidateQueries();
    };
    document.addEventListener("visibilitychange", look);
    const timer = state === "on" ? undefined : setInterval(look, POLL_MS);
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearInterval(timer);
    };
  }, [client, isOn, state]);
  const live = useMemo(() => ({ state, again: () => connection?.again() }), [state, connection]);
  return <Context value={live}>{children}</Context>;
}

class Freshener {
  readonly #client: QueryClient;
  readonly #stale = new Map<string, Key>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  take(event: Event): void {
    const keys = staleBy(event);
    if (keys === null) void this.#client.invalidateQueries();
    if (isJob(event) && isProgress(event)) patch(this.#client, event);
    for (const key of keys ?? []) this.#stale.set(key.join(" "), key);
    if (this.#stale.size > 0) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** A hidden tab asks for nothing; it looks at everything when it is seen again. */
  #flush(): void {
    this.#timer = undefined;
    const keys = [...this.#stale.values()];
    this.#stale.clear();
    if (document.visibilityState !== "visible") return;
    for (const queryKey of keys) void this.#client.invalidateQueries({ queryKey });
  }
}

/** Bars move at once; nothing else changes with them. */
function patch(client: QueryClient, { jobId, progress, stageProgress }: JobProgress): void {
  if (progress === undefined) return;
  client.setQueriesData<Page<ItemLine>>({ queryKey: ["items"] }, (page) =>
    page?.entries.some(({ id }) => id === jobId)
      ? { ...page, entries: page.entries.map((one) => (one.id === jobId ? { ...one, progress } : one)) }
      : page,
  );
  client.setQueryData<Item>(["item", jobId], (item) =>
    item === undefined ? item : { ...item, progress, stageProgress: stageProgress ?? item.stageProgress },
  );
}
