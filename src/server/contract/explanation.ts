// Why an item stands where it stands, on the wire.

import { z } from "@hono/zod-openapi";
import type { Explanation, OfferedAction } from "../../engine/index.ts";
import { isAllowed, ownOnly, type Principal } from "../access/principal.ts";
import { time } from "./common.ts";

export const explanation = z
  .object({
    code: z.string().openapi({ example: "service_down" }),
    sentence: z.string(),
    since: time.nullable(),
    until: time.nullable(),
    service: z.string().nullable().openapi({ description: "The service that its stage goes through." }),
    actions: z.array(z.string()),
  })
  .openapi("Explanation");

/** Of what would help, what whoever asks may do. */
export function offeredTo(principal: Principal, { reason, actions }: Pick<Explanation, "reason" | "actions">) {
  const isAdmin = isAllowed(principal, "admin");
  const may = (action: OfferedAction) => {
    if (action === "open" || action === "check") return isAdmin;
    // Members pass a switch, and no pause or hold.
    if (action === "run-once" && reason !== "stage_off" && principal.role === "member") return false;
    return isAllowed(principal, "operate");
  };
  return actions.filter(may);
}

export function toExplanation(why: Explanation, principal: Principal) {
  const { reason, since, until, service } = why;
  return {
    code: reason,
    sentence: ownOnly(principal) === null ? why.sentence : why.discreetSentence,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    service,
    actions: offeredTo(principal, why),
  };
}
