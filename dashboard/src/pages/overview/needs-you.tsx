// Everything that waits for a person. Nothing at all while nothing does.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

export function NeedsYou() {
  const { data } = useQuery(queries.questions());
  if (data === undefined || data.entries.length === 0) return null;
  return (
    <Panel title={`${words.overview.needsYou} (${data.entries.length})`}>
      <ul className="divide-y divide-line">
        {data.entries.slice(0, 20).map(({ id, item, question, askedAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-2">
            <p className="grow">
              {question} <Ago at={askedAt} className="text-sm text-soft" />
            </p>
            <Link to="/items/$id" params={{ id: item }} className={buttonLook("main")}>
              {words.overview.answer}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
