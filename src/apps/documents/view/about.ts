// What a page has to know before anything is uploaded: how the converter is, what may be uploaded, and how many there are.

import type { ServiceState, Sluice } from "../../../engine/index.ts";
import { GATEWAY } from "../services.ts";
import { countDocuments, type DocumentStatus, STATUSES } from "./documents.sql.ts";

export const BUSY = "Converter busy — jobs will resume automatically.";

export interface Busy {
  readonly banner: string | null;
  readonly busySince: Date | null;
  readonly nextCheckAt: Date | null;
}

/** It is well, or comes back: then nobody has to be told. */
export async function busyOf(sluice: Pick<Sluice, "services">): Promise<Busy> {
  return toBusy((await sluice.services()).find(({ name }) => name === GATEWAY));
}

export function toBusy(gateway: Pick<ServiceState, "state" | "since" | "until"> | undefined): Busy {
  if (gateway === undefined || gateway.state === "well" || gateway.state === "ramping")
    return { banner: null, busySince: null, nextCheckAt: null };
  return { banner: BUSY, busySince: gateway.since, nextCheckAt: gateway.until };
}

export async function countsOf(
  sluice: Pick<Sluice, "tables">,
  owner: string | null,
): Promise<Record<DocumentStatus, number>> {
  const counted = new Map((await countDocuments(sluice.tables, owner)).map((row) => [row.status, row.documents]));
  // Each has a count, so that nobody has to ask whether it is there.
  return Object.fromEntries(STATUSES.map((status) => [status, counted.get(status) ?? 0])) as Record<
    DocumentStatus,
    number
  >;
}
