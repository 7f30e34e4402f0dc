// What every request passes before any route: a reference, our own name, no foreign page, who asks; and what every answer carries.

import { randomUUID } from "node:crypto";
import { IncomingMessage } from "node:http";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { type Logger, SluiceError } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { Access } from "../access/access.ts";
import { tokenKind } from "../access/token.ts";
import { clientAddress, type Proxies } from "./client-address.ts";
import { cookieOptions } from "./cookie.ts";
import type { Env } from "./env.ts";
import { isForeign, isOwnHost, isSafe } from "./hosts.ts";
import { isAway, isExpected, meant, problemOf } from "./problem.ts";
import type { WriteBrake } from "./write-brake.ts";

export interface GuardPorts {
  readonly access: Pick<Access, "admit">;
  readonly log: Logger;
  /** Names we are known by besides the local ones. */
  readonly hosts: ReadonlySet<string>;
  /** Differs between instances: browsers share cookies among all ports of a host. */
  readonly cookie: string;
  readonly proxies: Proxies;
  readonly writes: Pick<WriteBrake, "take">;
}

const HEADERS: { readonly [name: string]: string } = {
  "content-security-policy":
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
    "base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

export function guard(ports: GuardPorts): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set("requestId", randomUUID());
    c.set("address", clientAddress(socketOf(c), c.req.header("x-forwarded-for"), ports.proxies));
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    c.header("x-request-id", c.get("requestId"));
    c.header("cache-control", "no-store");
    const cookie = getCookie(c, ports.cookie);
    refuseForeign(c, cookie !== undefined, ports.hosts);
    const bearer = bearerOf(c);
    const token = bearer ?? cookie;
    c.set("token", token);
    c.set("session", bearer !== undefined && tokenKind(bearer) === "session" ? bearer : cookie);
    const admitted = token === undefined || isForAll(c.req.path) ? undefined : await ports.access.admit(token);
    c.set("principal", admitted?.principal);
    if (admitted?.renewed !== undefined) {
      const { token: renewed, isSecure } = admitted.renewed;
      setCookie(c, ports.cookie, renewed, cookieOptions(isSecure));
    }
    if (admitted !== undefined && !isSafe(c.req.method)) ports.writes.take(admitted.principal.user);
    await next();
  };
}

/**
 * Pages, their files and whether we live are the same for everybody: they need no database, and must not carry a new cookie, for
 * they are kept by caches that others read from.
 */
function isForAll(path: string): boolean {
  return !path.startsWith("/api/") && path !== "/metrics";
}

function refuseForeign(c: Context<Env>, hasCookie: boolean, hosts: ReadonlySet<string>): void {
  const host = c.req.header("host");
  if (!isOwnHost(host, hosts))
    throw new SluiceError(
      "MISDIRECTED",
      `this server is not known as ${JSON.stringify((host ?? "").slice(0, 100))}; add the name to its hosts if it is`,
    );
  // A handshake is sent by any page, with our cookies and without asking first: as strictly looked at as what changes something.
  const method = c.req.header("upgrade")?.toLowerCase() === "websocket" ? "UPGRADE" : c.req.method;
  const site = c.req.header("sec-fetch-site");
  const isNavigation = c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document";
  if (isForeign({ method, host, origin: c.req.header("origin"), site, isNavigation, hasCookie }))
    throw new SluiceError(
      "FORBIDDEN",
      c.req.header("origin") === undefined && site === undefined
        ? "a cookie without an Origin header may come from a page of another site; send Origin with this server's address, or a key"
        : "the request comes from a page of another site",
    );
}

/** Never from the address line: those end up in logs and histories. */
function bearerOf(c: Context<Env>): string | undefined {
  const [, token] = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  return token ?? c.req.header("x-api-key");
}

function socketOf(c: Context<Env>): string {
  const env: unknown = c.env;
  // Without a socket, as in a test of the app alone, nobody knows.
  const hasSocket = typeof env === "object" && env !== null && "incoming" in env;
  return (hasSocket ? getConnInfo(c).remote.address : undefined) ?? "unknown";
}

/** The client was gone before all of its body was here: nobody reads the answer, and nothing is wrong with us. */
function isCutShort({ env }: Context<Env>): boolean {
  const incoming = typeof env === "object" && env !== null && "incoming" in env ? env.incoming : undefined;
  return incoming instanceof IncomingMessage && incoming.destroyed && !incoming.complete;
}

function cutShort(thrown: Error): Error {
  if (isExpected(thrown)) return thrown;
  return new SluiceError("INVALID_INPUT", "the body ended before it was whole", { field: "body", cause: thrown });
}

/** Every error becomes a problem; what was not meant is logged whole, under the reference that the caller is told. */
export function onError(log: Logger) {
  return (thrown: Error, c: Context<Env>): Response => {
    const error = isCutShort(c) ? cutShort(thrown) : meant(thrown);
    const problem = problemOf(error, c.get("requestId") ?? randomUUID());
    const { requestId } = problem;
    // One cause, which passes by itself, and told for every request that meets it: a line, and no stack.
    if (isAway(error)) log.warn("http.database-away", { requestId, error: safeText(error, 300) });
    else if (!isExpected(error)) log.error("http.unexpected", { requestId, error: thrown.stack ?? String(thrown) });
    if (problem.retryAfter !== undefined) c.header("retry-after", String(problem.retryAfter));
    if (problem.status === 401) c.header("www-authenticate", 'Bearer realm="sluice"');
    return c.body(JSON.stringify(problem), problem.status as 400, { "content-type": "application/problem+json" });
  };
}
