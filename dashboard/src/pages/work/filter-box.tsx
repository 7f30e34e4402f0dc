// The filter, as text that says what is wrong with it, and what could be asked for.

import { getRouteApi } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { ITEM_FIELDS } from "../../../../src/server/filter/fields.ts";
import type { FilterProblem } from "../../../../src/server/filter/filter.ts";
import { FILTER_LENGTH } from "../../../../src/server/filter/parse.ts";
import { words } from "../../text/words.ts";
import { Button } from "../../ui/button.tsx";
import { mended, mendings, problemOf } from "./filter-problem.ts";
import { WHOLE } from "./views.tsx";

const route = getRouteApi("/inside/work");
const texts = words.work;

export function FilterBox({ filter }: { readonly filter: string }) {
  const navigate = route.useNavigate();
  const [text, setText] = useState(filter);
  const [isSent, setSent] = useState(true);
  const id = useId();
  const problem = problemOf(text);
  const go = (next: string) => void navigate({ search: next.trim() === "" ? {} : { filter: next.trim() } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (problem === undefined) go(text);
  };
  return (
    <search>
      <form onSubmit={submit} className="space-y-1">
        <div className="flex gap-2">
          <div className="relative grow">
            <Search aria-hidden className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
            <input
              type="search"
              name="filter"
              aria-label={texts.filter}
              aria-invalid={problem !== undefined}
              aria-describedby={id}
              placeholder={texts.placeholder}
              value={text}
              maxLength={FILTER_LENGTH}
              onChange={({ target }) => {
                setText(target.value);
                setSent(false);
              }}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="min-h-10 w-full rounded-md border border-edge bg-panel pr-3 pl-9 font-mono text-sm placeholder:font-sans aria-invalid:border-failed max-sm:min-h-11"
            />
          </div>
          <Button type="submit">{texts.find}</Button>
          {filter === WHOLE ? null : (
            <Button kind="quiet" onClick={() => go("")}>
              <X aria-hidden className="size-4" /> <span className="max-sm:sr-only">{texts.clear}</span>
            </Button>
          )}
        </div>
        <div id={id} aria-live="polite" className="min-h-5 text-sm">
          {problem !== undefined && (isSent || text.endsWith(" ")) ? (
            <Problem problem={problem} onMended={(word) => setText(mended(text, problem, word))} />
          ) : (
            <Help />
          )}
        </div>
      </form>
    </search>
  );
}

function Problem({
  problem,
  onMended,
}: {
  readonly problem: FilterProblem;
  readonly onMended: (word: string) => void;
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-failed">
      {problem.sentence}
      {mendings(problem)
        .slice(0, 8)
        .map((word) => (
          <button key={word} type="button" onClick={() => onMended(word)} className="font-mono underline">
            {word}
          </button>
        ))}
    </p>
  );
}

function Help() {
  return (
    <details className="text-soft">
      <summary className="w-fit">{texts.help}</summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md border border-edge bg-panel p-3 text-ink">
        {Object.entries(ITEM_FIELDS).map(([name, { about, example }]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{example}</dt>
            <dd className="text-soft">{about}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
