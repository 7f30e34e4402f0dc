// The timeline, to be seen: a row for each stay in a stage, a bar for each length of time, every bar with its words. The same as a
// table, for whoever would rather read.

import { useState } from "react";
import { exact, length, time } from "../../text/format.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { useChosen } from "../../ui/chosen.ts";
import { Panel } from "../../ui/panel.tsx";
import { placeOf, type Span, type SpanKind, type Stay, type Timeline } from "./timeline.ts";

const texts = words.item.timeline;
const LOOKS: Record<SpanKind, string> = {
  queue: "border border-queued/60 bg-transparent",
  wait: "bg-waiting/55 bg-[repeating-linear-gradient(45deg,transparent_0_4px,var(--panel)_4px_6px)]",
  work: "bg-done",
  outside: "bg-running",
};
const BAD: ReadonlySet<string> = new Set(["fault", "crashed", "cancelled"]);

interface Props {
  readonly timeline: Timeline;
  readonly now: number;
  /** Else what came before is among the older events. */
  readonly isWhole: boolean;
}

export function TimelineView({ timeline, now, isWhole }: Props) {
  const [isList, setList] = useChosen("as", "list");
  if (timeline.stays.length === 0) return null;
  const aside = (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
      {isList ? null : <Legend />}
      <Button kind="quiet" onClick={() => setList(!isList)}>
        {isList ? texts.asBars : texts.asList}
      </Button>
    </div>
  );
  return (
    <Panel title={texts.title} aside={aside}>
      {isWhole ? null : <p className="px-4 pb-2 text-sm text-soft">{texts.notWhole}</p>}
      {isList ? <AsTable timeline={timeline} now={now} /> : <AsBars timeline={timeline} now={now} />}
    </Panel>
  );
}

function Legend() {
  return (Object.keys(LOOKS) as SpanKind[]).map((kind) => (
    <span key={kind} className="inline-flex items-center gap-1.5 max-sm:hidden">
      <span aria-hidden className={`h-2.5 w-5 rounded-sm ${LOOKS[kind]}`} />
      {texts.kinds[kind]}
    </span>
  ));
}

const look = ({ kind, outcome }: Span) => (outcome !== null && BAD.has(outcome) ? "bg-failed" : LOOKS[kind]);

const cameOf = ({ outcome, code, message, attempt }: Span) =>
  [
    outcome === null ? "" : (words.item.outcomes[outcome] ?? outcome),
    attempt === null || attempt < 2 ? "" : words.item.attempts(attempt),
    code ?? "",
    message ?? "",
  ]
    .filter((part) => part !== "")
    .join(" · ");

const tookOf = ({ from, to }: Span) => length(to - from);

function AsBars({ timeline, now }: { readonly timeline: Timeline; readonly now: number }) {
  const [shown, setShown] = useState<{ readonly stage: string; readonly span: Span }>();
  return (
    <div className="px-4 pb-4">
      <div aria-hidden className="mb-1 ml-[7.5rem] flex justify-between text-xs text-soft sm:ml-[10.5rem]">
        <span>{time(new Date(timeline.from).toISOString(), now)}</span>
        <span>{timeline.to >= now - 2_000 ? texts.now : time(new Date(timeline.to).toISOString(), now)}</span>
      </div>
      <ol className="space-y-1.5">
        {timeline.stays.map((stay) => (
          <li
            key={`${stay.series} ${stay.stage} ${stay.spans[0]?.from}`}
            className="grid grid-cols-[7rem_1fr] items-center gap-2 sm:grid-cols-[10rem_1fr]"
          >
            <span className="truncate text-sm font-medium" title={stay.stage}>
              {stay.stage} <span className="font-normal text-soft">{lengthOf(stay)}</span>
            </span>
            <span className="relative block h-6 rounded bg-sunk">
              {stay.spans.map((span) => (
                <button
                  key={`${span.from} ${span.kind}`}
                  type="button"
                  aria-label={texts.bar(stay.stage, texts.kinds[span.kind], tookOf(span), cameOf(span))}
                  onClick={() => setShown({ stage: stay.stage, span })}
                  onFocus={() => setShown({ stage: stay.stage, span })}
                  onPointerEnter={() => setShown({ stage: stay.stage, span })}
                  className={`absolute top-1 h-4 rounded-xs ${look(span)}`}
                  style={placeOf(span, timeline)}
                />
              ))}
            </span>
          </li>
        ))}
      </ol>
      <p aria-hidden className="mt-2 min-h-6 text-sm text-soft">
        {shown === undefined
          ? ""
          : `${time(new Date(shown.span.from).toISOString(), now)} · ${texts.bar(shown.stage, texts.kinds[shown.span.kind], tookOf(shown.span), cameOf(shown.span))}`}
      </p>
    </div>
  );
}

function lengthOf({ spans }: Stay): string {
  const [first, last] = [spans[0], spans.at(-1)];
  return first === undefined || last === undefined ? "" : length(last.to - first.from);
}

function AsTable({ timeline, now }: { readonly timeline: Timeline; readonly now: number }) {
  const cell = "px-3 py-1.5 text-left align-top first:pl-4 last:pr-4";
  return (
    <div className="overflow-x-auto pb-3">
      <table className="w-full text-sm">
        <thead className="text-soft">
          <tr>
            {Object.values(texts.columns).map((label) => (
              <th key={label} scope="col" className={`${cell} font-medium`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {timeline.stays.flatMap((stay) =>
            stay.spans.map((span) => (
              <tr key={`${span.from} ${span.kind}`}>
                <th scope="row" className={`${cell} font-medium`}>
                  {stay.stage}
                </th>
                <td className={cell}>{texts.kinds[span.kind]}</td>
                <td className={`${cell} whitespace-nowrap`}>
                  <time dateTime={new Date(span.from).toISOString()} title={exact(new Date(span.from).toISOString())}>
                    {time(new Date(span.from).toISOString(), now)}
                  </time>
                </td>
                <td className={`${cell} whitespace-nowrap tabular-nums`}>{tookOf(span)}</td>
                <td className={cell}>{cameOf(span)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
