// A part of a page with a heading. It loads, fails and stays empty by itself, and leaves the rest of the page alone.

import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Refusal } from "../api/ask.ts";
import { words } from "../text/words.ts";
import { Button } from "./button.tsx";

export function Panel({
  title,
  aside,
  children,
  className = "",
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={`rounded-lg border border-line bg-panel ${className}`}>
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 pt-2.5 pb-1">
        <h2 id={heading} className="text-sm font-semibold text-soft">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Not for this person, or not there (any more): what was shown before is not to be shown on. */
const NOT_FOR_YOU: ReadonlySet<number> = new Set([401, 403, 404]);
const isGone = (error: Error | null) => error instanceof Refusal && NOT_FOR_YOU.has(error.status);

/** What a query brings, once it is there; what it was last, while it cannot be asked, and that it is from before. */
export function Loaded<Answer>({
  query,
  what,
  children,
}: {
  readonly query: UseQueryResult<Answer, Error>;
  readonly what: string;
  readonly children: (answer: Answer) => ReactNode;
}) {
  if (query.data !== undefined && !isGone(query.error))
    return (
      <>
        {query.isError ? <Old error={query.error} what={what} /> : null}
        {children(query.data)}
      </>
    );
  if (query.isError) return <Failed error={query.error} what={what} again={() => void query.refetch()} />;
  // Not asked for: there is nothing to wait for.
  if (query.fetchStatus === "idle") return null;
  return (
    <p role="status" aria-label={words.loading(what)} className="appears-late min-h-16 px-4 py-3 text-soft">
      {words.loading(what)}
    </p>
  );
}

function Old({ error, what }: { readonly error: Error; readonly what: string }) {
  return (
    <p role="status" title={error.message} className="px-4 py-1 text-sm text-waiting">
      {words.errors.old(what)}
    </p>
  );
}

export function Failed({
  error,
  what,
  again,
}: {
  readonly error: Error;
  readonly what: string;
  readonly again: () => void;
}) {
  const reference = error instanceof Refusal ? error.problem.requestId : undefined;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 px-4 py-3">
      <p>
        <strong className="font-medium">{words.errors.panel(what)}</strong> {error.message}
        {reference === undefined ? null : (
          <small className="block text-soft">{words.errors.reference(reference)}</small>
        )}
      </p>
      <Button onClick={again}>{words.errors.again}</Button>
    </div>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="px-4 pt-1 pb-4 text-soft">{children}</p>;
}

/** A page about what is not there, or is not for whoever asks. */
export function NotThere({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="space-y-3">
      <h1 className="text-2xl font-semibold wrap-anywhere">{name}</h1>
      <p className="text-soft">{text}</p>
    </div>
  );
}
