// What one person was shown is not for the next.

import type { QueryClient } from "@tanstack/react-query";

/** All but who one is, which is asked anew by whoever waits at the door. */
export function forget(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
}
