// Signing in, and making the first account. Both are one form.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { ask } from "../api/ask.ts";
import { forget } from "../api/forget.ts";
import { words } from "../text/words.ts";
import { Button } from "../ui/button.tsx";
import { useTitle } from "./title.ts";

interface Given {
  readonly name: string;
  readonly password: string;
}

export function SignIn() {
  const client = useQueryClient();
  const enter = async (given: Given) => {
    await ask("/api/v1/session", { method: "POST", body: given });
    forget(client);
    await client.invalidateQueries();
  };
  return (
    <Credentials title={words.signIn.title} go={words.signIn.go} isNew={false} onGiven={enter}>
      <p className="text-sm text-soft">{words.signIn.lost}</p>
    </Credentials>
  );
}

export function SetUp({ onDone }: { readonly onDone: () => void }) {
  const [token] = useState(() => location.hash.slice(1));
  // Taken once, and out of sight: what stands in the address is in the browser's history.
  useEffect(() => history.replaceState(history.state, "", location.pathname), []);
  const make = async (given: Given) => {
    await ask("/api/v1/setup", { method: "POST", body: { ...given, token } });
    onDone();
  };
  if (token === "") return <Card title={words.setUp.title}>{words.setUp.noToken}</Card>;
  return (
    <Credentials title={words.setUp.title} go={words.setUp.go} isNew onGiven={make}>
      <p className="text-sm text-soft">
        {words.setUp.about} {words.setUp.rule}
      </p>
    </Credentials>
  );
}

function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <main className="mx-auto mt-[12vh] max-w-sm px-4">
      <h1 className="mb-6 flex items-center gap-2.5 text-xl font-semibold">
        <img src="/icon.svg" alt="" className="size-8" /> {title}
      </h1>
      {children}
    </main>
  );
}

function Credentials({
  title,
  go,
  isNew,
  onGiven,
  children,
}: {
  readonly title: string;
  readonly go: string;
  readonly isNew: boolean;
  readonly onGiven: (given: Given) => Promise<void>;
  readonly children: ReactNode;
}) {
  const id = useId();
  const sent = useMutation({ mutationFn: onGiven });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    sent.mutate({ name: String(form.get("name")), password: String(form.get("password")) });
  };
  const field = "mt-1 block min-h-11 w-full rounded-md border border-edge bg-panel px-3";
  return (
    <Card title={title}>
      <form onSubmit={submit} className="space-y-4">
        <label className="block text-sm font-medium">
          {words.signIn.name}
          <input name="name" required maxLength={40} autoCapitalize="none" autoComplete="username" className={field} />
        </label>
        <label className="block text-sm font-medium">
          {words.signIn.password}
          <input
            name="password"
            type="password"
            required
            minLength={isNew ? 12 : 1}
            autoComplete={isNew ? "new-password" : "current-password"}
            aria-describedby={id}
            className={field}
          />
        </label>
        <Button type="submit" kind="main" className="min-h-11 w-full" disabled={sent.isPending}>
          {go}
        </Button>
        <div id={id} role="alert" className="min-h-6 text-failed">
          {sent.error?.message}
        </div>
        {children}
      </form>
    </Card>
  );
}
