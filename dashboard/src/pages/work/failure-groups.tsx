// What failed, by cause: the same thing a hundred times is one thing to look at.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FailureGroups as Groups } from "../../../../src/server/contract/wire.ts";
import { queries } from "../../api/queries.ts";
import { count } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Empty, Loaded } from "../../ui/panel.tsx";
import { Ago } from "../../ui/time.tsx";

const texts = words.work.groups;

export function FailureGroups() {
  const query = useQuery(queries.failures());
  return (
    <Loaded query={query} what={words.work.views.groups}>
      {({ entries, looked, isMore, others }) =>
        entries.length === 0 ? (
          <Empty>{texts.none}</Empty>
        ) : (
          <>
            <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
              {entries.map((group) => (
                <Group key={`${group.pipeline} ${group.stage} ${group.code} ${group.message}`} group={group} />
              ))}
            </ul>
            <p className="text-sm text-soft">
              {others > 0 ? texts.others(others) : ""} {isMore ? texts.looked(looked) : ""}
            </p>
          </>
        )
      }
    </Loaded>
  );
}

function Group({ group }: { readonly group: Groups["entries"][number] }) {
  const { pipeline, stage, code, message, count: items, firstAt, lastAt, example, filter, retry, advice } = group;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <span className="min-w-12 text-right text-lg font-semibold tabular-nums">{count(items)}</span>
      <div className="min-w-0 grow basis-72">
        <p dir="auto">
          <span className="font-mono text-failed">{code}</span> {message}
        </p>
        <p className="text-sm text-soft">
          {pipeline} · {stage} · {texts.between} <Ago at={firstAt} />, {texts.last} <Ago at={lastAt} />
        </p>
        {advice === null ? null : <p className="text-sm">{advice}</p>}
        {retry.can ? null : <p className="text-sm text-soft">{retry.reason}</p>}
      </div>
      <Link to="/items/$id" params={{ id: example.item }} className={buttonLook("quiet")}>
        {texts.example}
      </Link>
      <Link to="/work" search={{ filter }} className={buttonLook()}>
        {texts.show}
      </Link>
    </li>
  );
}
