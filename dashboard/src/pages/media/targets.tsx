// How a film or an episode stands at each server: one that is down does not hide that the others have it, and only what failed is
// tried again.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CirclePlay, CircleX } from "lucide-react";
import { useState } from "react";
import type { MediaTarget } from "../../../../src/server/contract/wire.ts";
import { useDeed } from "../../api/deed.ts";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/time.tsx";
import { Wrong } from "../../ui/wrong.tsx";
import { failedOf, targetFacts } from "./target-facts.ts";

const texts = words.media.targets;

const LOOKS = {
  pending: { Icon: CircleDashed, colour: "text-queued" },
  sending: { Icon: CirclePlay, colour: "text-running" },
  delivered: { Icon: CircleCheck, colour: "text-done" },
  failed: { Icon: CircleX, colour: "text-failed" },
} as const;

interface Props {
  readonly item: string;
  readonly targets: readonly MediaTarget[];
}

/** Nothing where it goes nowhere. */
export function Targets({ item, targets }: Props) {
  if (targets.length === 0) return null;
  const failed = failedOf(targets);
  return (
    <section aria-label={texts.title} className="-mx-4 border-t border-line pt-2">
      <h3 className="px-4 text-sm font-semibold text-soft">
        {texts.title}{" "}
        <span className="font-normal">
          {texts.count(targets.filter(({ state }) => state === "delivered").length, targets.length)}
        </span>
      </h3>
      <ul className="divide-y divide-line">
        {targets.map((target) => (
          <Line key={target.server} target={target} />
        ))}
      </ul>
      {failed.length === 0 ? null : <Retry item={item} />}
    </section>
  );
}

function Line({ target }: { readonly target: MediaTarget }) {
  const { server, encoding, state, progress, path, at, part, sentence, code } = target;
  const { Icon, colour } = LOOKS[state === "pending" && progress > 0 ? "sending" : state];
  const facts = targetFacts(target);
  return (
    <li className="space-y-0.5 px-4 py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium" dir="auto">
          {server}
        </span>
        <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
          <Icon aria-hidden className="size-4 shrink-0" /> {texts.states[state]}
        </span>
        {state === "pending" && progress > 0 ? <Bar value={progress} label={texts.progress(server)} /> : null}
        <span className="text-sm text-soft" dir="auto">
          {encoding ?? texts.asFound}
        </span>
        {at === null ? null : <Ago at={at} className="text-sm text-soft" />}
        {part === null ? null : (
          <Link to="/items/$id" params={{ id: part }} aria-label={texts.openOf(server)} className="text-sm underline">
            {texts.open}
          </Link>
        )}
      </p>
      {sentence === null ? null : (
        <p className="text-sm" dir="auto">
          {sentence} {code === null ? null : <span className="font-mono text-xs text-soft">{code}</span>}
        </p>
      )}
      {path === null && facts.length === 0 ? null : (
        <p className="text-sm text-soft wrap-anywhere" dir="auto">
          {path === null ? null : <code>{path}</code>}
          {path === null || facts.length === 0 ? null : " · "}
          {facts.join(" · ")}
        </p>
      )}
    </li>
  );
}

/** The server says whether it can be done, and by whom; where it cannot, the reason stands in its place. */
function Retry({ item }: { readonly item: string }) {
  const { data } = useQuery(queries.actions(item));
  const [isDone, setDone] = useState(false);
  const deed = useDeed(() => setDone(true));
  const way = data?.actions.find(({ action }) => action === "retry-parts");
  if (way === undefined) return null;
  const { can, path, reason } = way;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-3">
      {can && path !== null ? (
        <>
          <Button disabled={deed.isPending} onClick={() => deed.mutate({ path })}>
            {texts.retry}
          </Button>
          <span className="text-sm text-soft">{texts.retryAbout}</span>
        </>
      ) : (
        <p className="text-sm text-soft">{texts.mayNot(reason ?? "")}</p>
      )}
      <p role="status" className="text-sm text-soft">
        {isDone ? texts.retrying : ""}
      </p>
      <Wrong error={deed.error} />
    </div>
  );
}
