// A line for every request that was answered: which route, how it ended, how long it took, and who asked. The address line itself
// is not in it, for people put anything there.

import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Logger } from "../../engine/index.ts";
import type { Env } from "./env.ts";
import { LineBudget } from "./line-budget.ts";

/** Asked every few seconds by whoever watches over us; of no interest as long as all is well. */
const CHECKS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

export function accessLog(log: Logger): MiddlewareHandler<Env> {
  const nobodys = new LineBudget(() => performance.now());
  return async (c, next) => {
    const began = performance.now();
    await next();
    const route = routeOf(c);
    const { status } = c.res;
    if (CHECKS.has(route)) return;
    const principal = c.get("principal");
    const leftOut = principal === undefined ? nobodys.take() : 0;
    if (leftOut === undefined) return;
    log.info("http.answered", {
      requestId: c.get("requestId"),
      method: c.req.method,
      route,
      status,
      ms: Math.round(performance.now() - began),
      user: principal?.user ?? null,
      via: principal?.via ?? null,
      address: c.get("address"),
      ...(leftOut > 0 ? { leftOut } : {}),
    });
  };
}

/** As it was declared, with names instead of what stood there. */
function routeOf(c: Context<Env>): string {
  const own = matchedRoutes(c).findLast(({ path }) => path !== "/*");
  return own?.path ?? "none";
}
