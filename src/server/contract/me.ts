// Who asks.

import { z } from "@hono/zod-openapi";
import { ROLES, SCOPES } from "../access/principal.ts";

export const me = z
  .object({
    user: z.string(),
    role: z.enum(ROLES),
    via: z.enum(["session", "key"]),
    scopes: z.array(z.enum(SCOPES)).nullable(),
  })
  .openapi("Me");
