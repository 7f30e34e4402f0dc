import { getRouteApi, Link } from "@tanstack/react-router";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";

const route = getRouteApi("/inside/work");

/** Back is the browser's own: every page has its address. */
export function Pager({ after, next }: { readonly after: string | undefined; readonly next: string | null }) {
  const { filter } = route.useSearch();
  const kept = filter === undefined ? {} : { filter };
  return (
    <nav aria-label={words.work.pages} className="flex justify-end gap-2">
      {after === undefined ? null : (
        <Link to="/work" search={kept} className={buttonLook()}>
          {words.work.newest}
        </Link>
      )}
      {next === null ? null : (
        <Link to="/work" search={{ ...kept, after: next }} className={buttonLook()}>
          {words.work.older}
        </Link>
      )}
    </nav>
  );
}
