// Where every route is declared, together with who may use it. There is no other way to add one: a route without a policy is not
// a route, and `policies` is what the matrix of routes and roles is tested by.

import { OpenAPIHono, type RouteConfig, type RouteHandler } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { BugError, InputError, SluiceError } from "../../engine/index.ts";
import { isAllowed, type Principal, type Scope } from "../access/principal.ts";
import { asksDryRun, dryRun } from "../contract/acted.ts";
import type { Env } from "./env.ts";
import { isSafe } from "./hosts.ts";
import { TellingError } from "./problem.ts";

/** `open`: to everybody, signed in or not. `self`: to people who are signed in, of whatever role; not to keys. */
export type Policy = "open" | "self" | Scope;

export interface RoutePolicy {
  readonly method: string;
  readonly path: string;
  readonly policy: Policy;
  /** Its body is read as it arrives, within limits of the route's own. */
  readonly streams?: true;
}

/** As the contract tells them. */
const SECURITY = { any: [{ key: [] }, { session: [] }], person: [{ session: [] }] };

const IDEMPOTENCY_KEY = {
  in: "header",
  name: "idempotency-key",
  required: false,
  description: "With the same one again it is done once, and answered alike for a day.",
  schema: { type: "string", maxLength: 255 },
};

/** Is told of everything that was changed by somebody. */
export type OnChanged = (c: Context<Env>, route: RoutePolicy) => Promise<void>;

export interface RoutePorts {
  /** Stands behind the policy of every POST that is not open to all, so that the same one again is not done again. */
  readonly honourKeys: (route: RoutePolicy) => MiddlewareHandler<Env>;
  readonly onChanged: OnChanged;
}

const ISSUES_TOLD = 20;

export class Routes {
  readonly app: OpenAPIHono<Env>;
  readonly policies: RoutePolicy[] = [];
  readonly #ports: RoutePorts;

  constructor(ports: RoutePorts) {
    this.#ports = ports;
    this.app = new OpenAPIHono<Env>({
      defaultHook: (result) => {
        if (result.success) return;
        const fields = result.error.issues.slice(0, ISSUES_TOLD).map((issue) => ({
          field: issue.path.join(".") || result.target,
          message: issue.message,
        }));
        const [{ field, message } = { field: result.target, message: "not as it has to be" }] = fields;
        throw new TellingError("INVALID_INPUT", `${field}: ${message}`, fields.length > 1 ? { fields } : {}, field);
      },
    });
  }

  add<Config extends RouteConfig>(
    policy: Policy,
    config: Config,
    handler: RouteHandler<Config, Env>,
    how: Pick<RoutePolicy, "streams"> = {},
  ): void {
    const route = { method: config.method.toUpperCase(), path: config.path, policy, ...how };
    this.policies.push(route);
    const isChange = !isSafe(route.method);
    // Coming in and going out cannot be tried out: nothing can be said of it without doing it.
    const hasDryRun = isChange && policy !== "open";
    if (hasDryRun && config.request?.query !== undefined)
      throw new BugError(`${route.method} ${route.path}: what changes something takes dryRun, and nothing else`);
    // A part of the route itself, in front of what looks at the input: who may not come in learns nothing about what would be a
    // good one, and no two ways of reading a path can tear them apart.
    const admit: MiddlewareHandler<Env> = async (c, next) => {
      check(c.get("principal"), policy);
      if (isChange && !hasDryRun) refuseDryRun(c);
      c.set("isDry", hasDryRun && asksDryRun(c.req.query("dryRun")));
      await next();
    };
    // Behind the keys: what is answered once more was done and noted before.
    const noted: MiddlewareHandler<Env> = async (c, next) => {
      await next();
      if (c.res.ok) await this.#ports.onChanged(c, route);
    };
    const { honourKeys } = this.#ports;
    const keys = route.method === "POST" && hasDryRun ? [honourKeys(route)] : [];
    const middleware = [admit, ...keys, ...(hasDryRun ? [noted] : [])];
    // Its types are checked above; here they would be spelled out again.
    const told = {
      "x-right": policy,
      ...(hasDryRun ? { request: { ...config.request, query: dryRun } } : {}),
      ...(keys.length === 0 ? {} : { parameters: [IDEMPOTENCY_KEY] }),
      security: policy === "open" ? [] : SECURITY[policy === "self" ? "person" : "any"],
    };
    this.app.openapi({ ...config, ...told, middleware } as Config, handler as never);
  }
}

/** Whether nothing in front of the route may read its body. */
export function isStreamed(policies: readonly RoutePolicy[], method: string, path: string): boolean {
  return policies.some((one) => one.streams === true && one.method === method && one.path === path);
}

/** Whoever only wants to know what would be done must not have it done instead. */
function refuseDryRun(c: Context<Env>): void {
  if (c.req.query("dryRun") !== undefined)
    throw new InputError("dryRun", "there is no dry run of this; leave dryRun out to have it done");
}

export function mayUse(principal: Principal, policy: Policy): boolean {
  if (policy === "self") return principal.via === "session";
  return policy === "open" || isAllowed(principal, policy);
}

function check(principal: Principal | undefined, policy: Policy): void {
  if (policy === "open") return;
  if (principal === undefined)
    throw new SluiceError("UNAUTHENTICATED", "sign in, or send an API key as Authorization: Bearer slk_…");
  if (mayUse(principal, policy)) return;
  if (policy === "self") throw new SluiceError("FORBIDDEN", "this is for people who are signed in, not for keys");
  throw new SluiceError("FORBIDDEN", `this needs the right to ${policy}, which ${describe(principal)} does not have`);
}

function describe({ user, role, via }: Principal): string {
  return via === "key" ? `this key of ${user}` : `${user} (${role})`;
}

/** Behind every policy but "open" there is somebody. */
export function principalOf(principal: Principal | undefined): Principal {
  if (principal === undefined) throw new SluiceError("UNAUTHENTICATED", "sign in first");
  return principal;
}
