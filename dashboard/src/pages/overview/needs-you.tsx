// Everything that waits for a person. Nothing at all while nothing does.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Loaded, Panel } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.overview;
const SHOWN = 20;

export function NeedsYou({ items }: { readonly items: number }) {
  const query = useQuery({ ...queries.questions(), enabled: items > 0 });
  const me = useQuery(queries.me());
  if (items === 0) return null;
  const mayAnswer = me.data?.role !== "viewer";
  const all = (
    <Link to="/work" search={{ filter: "state:needs-you" }} className={buttonLook("quiet")}>
      {texts.allAsking}
    </Link>
  );
  return (
    <Panel title={texts.asking(items)} aside={items > SHOWN ? all : null}>
      <Loaded query={query} what={texts.needsYou}>
        {({ entries }) => (
          <ul className="divide-y divide-line">
            {entries.slice(0, SHOWN).map(({ id, item, question, askedAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-2">
                <p className="grow" dir="auto">
                  {question} <Ago at={askedAt} className="text-sm text-soft" />
                </p>
                <Link
                  to="/items/$id"
                  params={{ id: item }}
                  aria-label={texts.answerThis(mayAnswer, question)}
                  className={buttonLook(mayAnswer ? "main" : "plain")}
                >
                  {mayAnswer ? texts.answer : texts.look}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
