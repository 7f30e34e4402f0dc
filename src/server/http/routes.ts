// Where every route is declared, together with who may use it. There is no other way to add one: a route without a policy is not
// a route, and `policies` is what the matrix of routes and roles is tested by.

import { OpenAPIHono, type RouteConfig, type RouteHandler } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { SluiceError } from "../../engine/index.ts";
import { isAllowed, type Principal, type Scope } from "../access/principal.ts";
import type { Env } from "./env.ts";
import { TellingError } from "./problem.ts";

/** `open`: to everybody, signed in or not. */
export type Policy = "open" | Scope;

export interface RoutePolicy {
  readonly method: string;
  readonly path: string;
  readonly policy: Policy;
}

const ISSUES_TOLD = 20;

export class Routes {
  readonly app: OpenAPIHono<Env>;
  readonly policies: RoutePolicy[] = [];
  readonly #honourKeys: MiddlewareHandler<Env>;

  /** `honourKeys` stands behind the policy of every POST that is not open to all, so that the same one again is not done again. */
  constructor(honourKeys: MiddlewareHandler<Env>) {
    this.#honourKeys = honourKeys;
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

  add<Config extends RouteConfig>(policy: Policy, config: Config, handler: RouteHandler<Config, Env>): void {
    const { method, path } = config;
    this.policies.push({ method: method.toUpperCase(), path, policy });
    // A part of the route itself, in front of what looks at the input: who may not come in learns nothing about what would be a
    // good one, and no two ways of reading a path can tear them apart.
    const admit: MiddlewareHandler<Env> = async (c, next) => {
      check(c.get("principal"), policy);
      await next();
    };
    const middleware = method === "post" && policy !== "open" ? [admit, this.#honourKeys] : [admit];
    // Its types are checked above; here they would be spelled out again.
    this.app.openapi({ ...config, middleware } as Config, handler as never);
  }
}

function check(principal: Principal | undefined, policy: Policy): void {
  if (policy === "open") return;
  if (principal === undefined)
    throw new SluiceError("UNAUTHENTICATED", "sign in, or send an API key as Authorization: Bearer slk_…");
  if (!isAllowed(principal, policy))
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
