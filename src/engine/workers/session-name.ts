// The name under which the connections of a process are known to the server: others can work it out from the worker's
// row (lingering.sql.ts), and it says nothing about the host to whoever may look at the server's activity.

import { createHash } from "node:crypto";
import type { Identity } from "./worker-row.sql.ts";

export function sessionName({ host, pid, pidStarted }: Omit<Identity, "name">): string {
  const digest = createHash("sha256").update(`${host} ${pid} ${pidStarted}`).digest("hex");
  return `sluice ${digest.slice(0, 16)}`;
}
