// A form whose fields are read by their names when it is sent, and which says what went wrong.

import type { FormEvent, ReactNode } from "react";

export type Given = { readonly [name: string]: string };

/** What its fields say now; of a name that stands there twice, the last. */
export const givenIn = (form: HTMLFormElement): Given =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)] as const));

interface Props {
  readonly onGiven: (given: Given, form: HTMLFormElement) => void;
  readonly error: Error | null;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Form({ onGiven, error, className = "space-y-4", children }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    onGiven(givenIn(form), form);
  };
  return (
    <form onSubmit={submit} className={className}>
      {children}
      {error === null ? null : (
        <p role="alert" className="col-span-full text-failed">
          {error.message}
        </p>
      )}
    </form>
  );
}
