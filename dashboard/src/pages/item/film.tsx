// What is told of a film or an episode beside what is told of every item: its servers, its encodes and its releases.

import { useQuery } from "@tanstack/react-query";
import type { Item } from "../../../../src/server/contract/wire.ts";
import { Refusal } from "../../api/ask.ts";
import { mediaQueries } from "../../api/media.ts";
import { words } from "../../text/words.ts";
import { Failed } from "../../ui/panel.tsx";
import { Encodes } from "../media/encodes.tsx";
import { Releases } from "../media/releases.tsx";
import { Targets } from "../media/targets.tsx";

export function Film({ item: { id, request, state, wait } }: { readonly item: Item }) {
  const query = useQuery(mediaQueries.request(request));
  // What was handed in past media's own door, and not yet looked at, is no request of media.
  const isUnknown = query.error instanceof Refusal && query.error.status === 404;
  const targets = query.data?.items.find(({ item }) => item === id)?.targets ?? [];
  return (
    <div className="space-y-4 overflow-hidden rounded-lg border border-line bg-panel px-4 pb-4 [&>:first-child]:border-t-0">
      {query.data === undefined && query.isError && !isUnknown ? (
        <Failed error={query.error} what={words.media.targets.title} again={() => void query.refetch()} />
      ) : null}
      <Targets item={id} targets={targets} />
      <Encodes item={id} />
      <div className="-mx-4 border-t border-line px-4">
        <Releases item={id} isReady={state === "done"} told={wait.sentence} />
      </div>
    </div>
  );
}
