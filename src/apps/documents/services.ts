// Whom documents depend on: one gateway, with one breaker, rate and capacity, shared by all workers.

import type { Gateway, GatewayJobs } from "../../connectors/index.ts";
import { service } from "../../engine/index.ts";
import type { DocumentLimits } from "./limits.ts";

/** A gateway answers when it is done, or takes jobs; what is configured is one of them. */
export type DocumentGateway = { readonly once: Gateway } | { readonly jobs: GatewayJobs };

export const GATEWAY = "gateway";

export function gatewayService({ atATime, rate, breaker }: DocumentLimits) {
  return service<DocumentGateway>(GATEWAY, {
    ...{ capacity: atATime, breaker },
    ...(rate === null ? {} : { limit: rate }),
    probe: (client) => ("once" in client ? client.once.about() : client.jobs.about()),
  });
}
