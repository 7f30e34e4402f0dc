// Without a worker nothing goes on, and nothing else on a page would show it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Unplug } from "lucide-react";
import { queries } from "../api/queries.ts";
import { words } from "../text/words.ts";
import { idleOf } from "./attention.ts";

const texts = words.workers.idle;

export function WorkerBanner() {
  const { data } = useQuery(queries.overview());
  const idle = data === undefined ? null : idleOf(data);
  if (data === undefined || idle === null) return null;
  const { items, isMore, isLate } = idle;
  return (
    <section aria-label={texts.label} className="border-b border-line bg-failed-soft">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6">
        <Unplug aria-hidden className="size-5 shrink-0 text-failed" />
        <p className="grow basis-60">
          <strong className="font-semibold">{isLate ? texts.late : texts.none}</strong>{" "}
          {texts.waiting(items, isMore, data.scope === "own")} {texts.remedy}
        </p>
        <Link to="/workers" className="text-sm underline">
          {words.pages.workers}
        </Link>
      </div>
    </section>
  );
}
