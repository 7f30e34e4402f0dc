import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { At } from "../../ui/time.tsx";

export function Audit({ after }: { readonly after: string | undefined }) {
  const query = useQuery(queries.audit(after));
  return (
    <Loaded query={query} what={words.activity.tabs.people}>
      {({ entries, next }) =>
        entries.length === 0 ? (
          <Empty>{words.activity.none.people}</Empty>
        ) : (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel text-sm">
              {entries.map(({ id, at, actor, action, subject, address }) => (
                <li key={id} className="flex flex-wrap gap-x-4 px-4 py-2">
                  <At at={at} className="text-soft tabular-nums" />
                  <span className="font-medium" dir="auto">
                    {actor}
                  </span>
                  <span title={action}>{words.activity.deeds[action] ?? action}</span>
                  <span dir="auto">{subject}</span>
                  <span className="ml-auto text-soft">{address}</span>
                </li>
              ))}
            </ul>
            <nav aria-label={words.work.pages} className="flex justify-end gap-2">
              {after === undefined ? null : (
                <Link to="/activity" search={{ tab: "people" }} className={buttonLook()}>
                  {words.work.newest}
                </Link>
              )}
              {next === null ? null : (
                <Link to="/activity" search={{ tab: "people", after: next }} className={buttonLook()}>
                  {words.work.older}
                </Link>
              )}
            </nav>
          </>
        )
      }
    </Loaded>
  );
}
