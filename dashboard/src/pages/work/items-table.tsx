// A page of items: a table where there is room, a card for each where there is none.

import { Link } from "@tanstack/react-router";
import type { ItemLine, Page } from "../../../../src/server/contract/wire.ts";
import { words } from "../../text/words.ts";
import { Bar } from "../../ui/bar.tsx";
import { Empty } from "../../ui/panel.tsx";
import { StateMark } from "../../ui/state.tsx";
import { Ago, Countdown } from "../../ui/time.tsx";
import { FAILED_LATELY } from "./views.tsx";

const texts = words.work;
const CELL = "px-3 py-2 text-left align-top first:pl-4 last:pr-4 max-sm:block max-sm:px-4 max-sm:py-0.5";

interface Props {
  readonly page: Page<ItemLine>;
  readonly filter: string;
  readonly selected: ReadonlySet<string>;
  /** Undefined where nothing is selected. */
  readonly onSelect: ((ids: ReadonlySet<string>) => void) | undefined;
}

export function ItemsTable({ page: { entries, next }, filter, selected, onSelect }: Props) {
  if (entries.length === 0) return <Empty>{emptyText(filter, next !== null)}</Empty>;
  const ids = entries.map(({ id }) => id);
  const areAll = ids.every((id) => selected.has(id));
  const toggle = onSelect && ((id: string) => onSelect(selected.symmetricDifference(new Set([id]))));
  return (
    <table className="w-full rounded-lg border border-line bg-panel max-sm:block">
      <thead className="text-sm text-soft max-sm:sr-only">
        <tr>
          {onSelect === undefined ? null : (
            <th scope="col" className={`${CELL} w-8`}>
              <input
                type="checkbox"
                aria-label={texts.selectAll}
                checked={areAll}
                onChange={() => onSelect(areAll ? new Set() : new Set(ids))}
              />
            </th>
          )}
          {[texts.columns.item, texts.columns.stage, texts.columns.state, texts.columns.age].map((label) => (
            <th key={label} scope="col" className={`${CELL} font-medium`}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-sm:block">
        {entries.map((item) => (
          <Row
            key={item.id}
            item={item}
            isSelected={selected.has(item.id)}
            onToggle={toggle && (() => toggle(item.id))}
          />
        ))}
      </tbody>
    </table>
  );
}

export const nameOf = ({ title, key, id }: Pick<ItemLine, "title" | "key" | "id">) => title ?? key ?? id;

function Row({
  item,
  isSelected,
  onToggle,
}: {
  readonly item: ItemLine;
  readonly isSelected: boolean;
  readonly onToggle: (() => void) | undefined;
}) {
  const { id, pipeline, stage, since, part, partOf } = item;
  return (
    <tr className="max-sm:relative max-sm:block max-sm:py-2 max-sm:pl-9">
      {onToggle === undefined ? null : (
        <td className={`${CELL} max-sm:absolute max-sm:top-2 max-sm:left-0`}>
          <input type="checkbox" aria-label={texts.select(nameOf(item))} checked={isSelected} onChange={onToggle} />
        </td>
      )}
      <th scope="row" className={`${CELL} font-normal sm:min-w-44`}>
        <Link
          to="/items/$id"
          params={{ id }}
          className="line-clamp-2 font-medium underline-offset-4 hover:underline"
          dir="auto"
        >
          {nameOf(item)}
        </Link>
        <span className="text-sm text-soft">
          {pipeline}
          {part === null ? null : (
            <>
              {" · "}
              {part}
              {partOf === null ? null : (
                <>
                  {" "}
                  {texts.partOf}{" "}
                  <Link to="/items/$id" params={{ id: partOf }} className="underline">
                    {partOf}
                  </Link>
                </>
              )}
            </>
          )}
          {nameOf(item) === id ? "" : ` · ${id}`}
        </span>
      </th>
      <td className={CELL}>{stage}</td>
      <td className={`${CELL} sm:w-1/2`}>
        <Standing item={item} />
      </td>
      <td className={`${CELL} text-sm whitespace-nowrap text-soft`}>
        <Ago at={since} />
      </td>
    </tr>
  );
}

/** How it stands, and in a line what there is to say about it. */
function Standing({ item: { state, progress, wait, lastError, attempts, until } }: { readonly item: ItemLine }) {
  return (
    <div className="space-y-0.5">
      <div className="flex flex-wrap items-center gap-x-3">
        <StateMark state={state} />
        {state === "running" ? <Bar value={progress} label={words.item.progress} /> : null}
        {until === null ? null : (
          <span className="text-sm text-soft">
            <Countdown until={until} />
          </span>
        )}
      </div>
      {wait === null ? null : <p className="line-clamp-2 text-sm text-soft">{wait.sentence}</p>}
      {state === "failed" && lastError !== null ? (
        <p className="line-clamp-2 text-sm">
          <span className="font-mono text-failed">{lastError.code}</span> {lastError.message}
        </p>
      ) : null}
      {state === "failed" && attempts > 1 ? <p className="text-sm text-soft">{words.item.attempts(attempts)}</p> : null}
    </div>
  );
}

function emptyText(filter: string, isMore: boolean): string {
  if (isMore) return texts.empty.nothingHere;
  if (filter === "") return texts.empty.nothingYet;
  return filter === FAILED_LATELY ? texts.empty.nothingWrong : texts.empty.nothingMatches;
}
