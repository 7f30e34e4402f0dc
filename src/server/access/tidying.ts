// Every hour one of the servers removes what is over: sessions, set-up links, keys that were revoked, and the audit once it is as
// old as the engine keeps its own.

import type { Logger, Sluice } from "../../engine/index.ts";
import { type Clock, type Loop, loop, safeText } from "../../kit/index.ts";
import { holdDuty } from "../duty/duty.sql.ts";
import { SETUP_MS } from "./access.ts";
import { removeOldRows } from "./old-rows.sql.ts";
import { SESSION } from "./sessions.ts";

const EVERY_MS = 3_600_000;
/** So long one can still see which keys there were. */
const DEAD_KEY_MS = 90 * 86_400_000;

export interface TidyingPorts {
  readonly sluice: Pick<Sluice, "tables" | "retention">;
  readonly clock: Clock;
  readonly log: Logger;
  /** A name that no other server has. */
  readonly holder: string;
}

/** True when it was this server's turn. */
export async function tidyOnce({ sluice, holder }: Omit<TidyingPorts, "clock" | "log">): Promise<boolean> {
  // Held for longer than until the next turn, so that it stays with one server as long as that lives.
  if (!(await holdDuty(sluice.tables, "tidy-access", holder, 1.5 * EVERY_MS))) return false;
  const { audit } = (await sluice.retention.status()).limits;
  await removeOldRows(sluice.tables, {
    session: SESSION,
    setupMs: SETUP_MS,
    deadKeyMs: DEAD_KEY_MS,
    auditMs: audit,
  });
  return true;
}

export function tidying(ports: TidyingPorts): Loop {
  const { clock, log } = ports;
  return loop(
    clock,
    EVERY_MS,
    async () => void (await tidyOnce(ports)),
    (error) => log.warn("access.tidying-failed", { error: safeText(error, 300) }),
  );
}
