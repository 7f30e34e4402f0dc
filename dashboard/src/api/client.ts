// What all questions to the server have in common, and which of them are asked again without being told to.

import { QueryClient } from "@tanstack/react-query";
import { Refusal } from "./ask.ts";

/** What moves without an event of its own, or has counts that do. */
const OFTEN = ["overview", "workers", "services", "alerts", "deliveries", "sandbox", "operations"] as const;
const OFTEN_MS = 10_000;

/** What the server refuses it refuses again; what it did not hear is worth another try. */
const isWorthTrying = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500);

export function makeClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: isWorthTrying, refetchOnWindowFocus: false } },
  });
  for (const name of OFTEN) client.setQueryDefaults([name], { refetchInterval: OFTEN_MS });
  return client;
}
