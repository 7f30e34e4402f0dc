import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.activity;
/** As many as the server counts. */
const MOST = 100;

/** What goes on by nothing that is known: a person has to look. */
export function Stuck() {
  const query = useQuery(queries.stuck());
  return (
    <Loaded query={query} what={texts.tabs.stuck}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty>{texts.none.stuck}</Empty>
        ) : (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
              {entries.map(({ item, pipeline, version, stage, wait }) => (
                <li key={item} className="px-4 py-2">
                  <p className="flex flex-wrap gap-x-3">
                    <Link to="/items/$id" params={{ id: item }} className="font-mono text-sm underline">
                      {item}
                    </Link>
                    <span className="text-sm text-soft">
                      {pipeline} {version} · {stage}
                      {wait.since === null ? null : (
                        <>
                          {" · "}
                          <Ago at={wait.since} />
                        </>
                      )}
                    </span>
                  </p>
                  <p dir="auto">{wait.sentence}</p>
                </li>
              ))}
            </ul>
            {entries.length < MOST ? null : <Empty>{texts.firstStuck(MOST)}</Empty>}
          </>
        )
      }
    </Loaded>
  );
}
