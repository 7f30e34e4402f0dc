// The filters that most people want most of the time, one press away. Each is an address like any other.

import { Link } from "@tanstack/react-router";
import { words } from "../../text/words.ts";

const { views } = words.work;
/** What one sees without having asked for anything: parts stand with their items. */
export const WHOLE = "kind:item";
export const FAILED_LATELY = "kind:item state:failed age:<1d";
const VIEWS = [
  { label: views.all, filter: WHOLE },
  { label: views.running, filter: "kind:item state:running" },
  { label: views.waiting, filter: "kind:item state:waiting,queued" },
  { label: views.asking, filter: "kind:item state:needs-you" },
  { label: views.failed, filter: FAILED_LATELY },
] as const;

const LOOK =
  "inline-flex min-h-8 items-center rounded-full border border-edge bg-panel px-3 text-sm hover:bg-sunk " +
  "[&[aria-current]]:border-accent [&[aria-current]]:font-semibold max-sm:min-h-11";

export function Views({ filter, isGrouped }: { readonly filter: string; readonly isGrouped: boolean }) {
  return (
    <nav aria-label={words.work.viewsLabel} className="flex flex-wrap gap-1.5">
      {VIEWS.map((view) => (
        <Link
          key={view.label}
          to="/work"
          search={view.filter === WHOLE ? {} : { filter: view.filter }}
          // Else the one without a filter counts as part of every other.
          activeOptions={{ exact: true }}
          aria-current={!isGrouped && view.filter === filter ? "page" : undefined}
          className={LOOK}
        >
          {view.label}
        </Link>
      ))}
      <Link to="/work" search={{ view: "groups" }} aria-current={isGrouped ? "page" : undefined} className={LOOK}>
        {views.groups}
      </Link>
    </nav>
  );
}
