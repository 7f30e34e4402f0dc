// What all questions to the server have in common, and which of them are asked again without being told to.

import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Refusal } from "./ask.ts";

/** What moves without an event of its own, or has counts that do. */
const OFTEN: readonly (readonly string[])[] = [
  ...["overview", "workers", "services", "alerts", "deliveries", "sandbox", "operations"].map((name) => [name]),
  // How far each request is.
  ["media", "requests"],
  // What expires, and how the converter is.
  ["documents", "list"],
  ["documents", "about"],
];
const OFTEN_MS = 10_000;

/** What the server refuses it refuses again; what it did not hear is worth another try. */
const isWorthTrying = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500);

const isShutOut = (error: Error) => error instanceof Refusal && error.status === 401;

export function makeClient(): QueryClient {
  // Whoever is not let in any more is the door's business: it asks who one is.
  const onError = (error: Error, { queryKey }: { readonly queryKey: readonly unknown[] }) => {
    if (queryKey[0] === "me" || !isShutOut(error)) return;
    void client.invalidateQueries({ queryKey: ["me"] }, { cancelRefetch: false });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: { queries: { staleTime: 5_000, retry: isWorthTrying, refetchOnWindowFocus: false } },
  });
  for (const key of OFTEN) client.setQueryDefaults(key, { refetchInterval: OFTEN_MS });
  return client;
}
