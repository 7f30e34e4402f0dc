import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Trends } from "../../../../src/server/contract/wire.ts";
import { count } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Empty, Loaded, Panel } from "../../ui/panel.tsx";

const texts = words.overview;

export function Causes({ query }: { readonly query: UseQueryResult<Trends, Error> }) {
  return (
    <Panel title={texts.causes}>
      <Loaded query={query} what={texts.causes}>
        {({ causes, otherCauses }) =>
          causes.length === 0 ? (
            <Empty>{texts.noFailures}</Empty>
          ) : (
            <ul className="space-y-1.5 px-4 pb-4">
              {causes.slice(0, 8).map(({ code, count: times, filter }) => (
                <li key={code} className="relative flex justify-between gap-3 overflow-hidden rounded px-2 py-1">
                  <span
                    aria-hidden
                    className="absolute inset-y-0 left-0 bg-failed-soft"
                    style={{ width: `${(times / (causes[0]?.count ?? 1)) * 100}%` }}
                  />
                  <Link to="/work" search={{ filter }} className="relative font-mono text-sm underline">
                    {code}
                  </Link>
                  <span className="relative tabular-nums">{count(times)}</span>
                </li>
              ))}
              {otherCauses === 0 ? null : <li className="px-2 text-sm text-soft">{texts.otherCauses(otherCauses)}</li>}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
