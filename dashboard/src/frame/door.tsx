// Lets in who is signed in; to everybody else it is the form. The address stays, so one lands where one was going.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Refusal } from "../api/ask.ts";
import { queries } from "../api/queries.ts";
import { LiveProvider } from "../live/live.tsx";
import { words } from "../text/words.ts";
import { Failed } from "../ui/panel.tsx";
import { SignIn } from "./sign-in.tsx";

export function Door({ children }: { readonly children: ReactNode }) {
  const me = useQuery({ ...queries.me(), refetchInterval: ({ state }) => (state.status === "error" ? 3_000 : false) });
  const [wasShut, setWasShut] = useState(false);
  // While it is asked again, the refusal is forgotten; the form stays, with all that somebody has typed into it.
  const isShut = me.isPending ? wasShut : me.error instanceof Refusal && me.error.status === 401;
  if (isShut !== wasShut) setWasShut(isShut);
  if (isShut) return <SignIn />;
  if (me.data === undefined && me.isError)
    return <Failed error={me.error} what={words.product} again={() => void me.refetch()} />;
  if (me.data === undefined) return null;
  // Somebody else begins with a page of their own, and a stream.
  return (
    <LiveProvider key={me.data.user} user={me.data.user}>
      {children}
    </LiveProvider>
  );
}
