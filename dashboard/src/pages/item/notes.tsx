import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { At } from "../../ui/time.tsx";

const texts = words.item.notes;
/** As many visits as the server tells of at once. */
const MOST = 20;

export function Notes({ id }: { readonly id: string }) {
  const query = useQuery(queries.logs(id));
  return (
    <Loaded query={query} what={words.item.tabs.notes}>
      {({ visits }) =>
        visits.length === 0 ? (
          <Empty>{texts.none}</Empty>
        ) : (
          <ol className="space-y-2 py-3 font-mono text-sm">
            {visits.length < MOST ? null : <li className="px-4 font-sans text-soft">{texts.newest(MOST)}</li>}
            {visits.map(({ visit, stage, attempt, at, dropped, lines }) => (
              <li key={visit} className="px-4">
                <p className="font-sans text-soft">
                  {stage} #{attempt} <At at={at} /> {dropped > 0 ? texts.dropped(dropped) : ""}
                </p>
                {lines.map((line) => (
                  <p key={line.n} className={line.level === "info" ? "" : "text-failed"} dir="auto">
                    {line.text} {line.facts === undefined ? "" : JSON.stringify(line.facts)}
                  </p>
                ))}
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
