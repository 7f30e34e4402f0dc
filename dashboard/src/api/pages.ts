// A list of which one page shows at first, and more by pressing "Older".

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Page } from "../../../src/server/contract/wire.ts";
import { ask, enc } from "./ask.ts";

/** `Of`: what else a page tells beside its entries; the newest page's holds. */
export function usePages<Entry, Of extends object = object>(key: readonly string[], path: string) {
  return useInfiniteQuery({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam, signal }) => ask<Page<Entry> & Of>(placed(path, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({ pages, entries: pages.flatMap(({ entries }) => entries) }),
  });
}

function placed(path: string, after: string | null): string {
  if (after === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}after=${enc(after)}`;
}
