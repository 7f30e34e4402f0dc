// Whether an answer is what its route declared: all of that, and nothing else. What went wrong is a problem of the catalogue.

import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { expect } from "vitest";
import { problem } from "../../src/server/contract/common.ts";
import type { Env } from "../../src/server/http/env.ts";
import { ERRORS } from "../../src/server/http/error-catalogue.ts";
import type { Answered } from "./app-world.ts";

export interface Contract {
  /** Throws where the answer is another than was declared. */
  check(method: string, path: string, answered: Answered): void;
}

export function contractOf(app: OpenAPIHono<Env>): Contract {
  const routes = app.openAPIRegistry.definitions
    .flatMap((one) => (one.type === "route" ? [one.route] : []))
    .map((route) => ({ route, pattern: patternOf(route.path) }));
  // Where a word and a parameter would both do, the word was meant.
  routes.sort((a, b) => parameters(a.route.path) - parameters(b.route.path));
  return {
    check(method, path, answered) {
      const { pathname } = new URL(path, "http://localhost");
      const asked = method === "HEAD" ? "GET" : method;
      const found = routes.find(({ route, pattern }) => route.method.toUpperCase() === asked && pattern.test(pathname));
      const where = `${method} ${pathname} ${answered.status}`;
      if (mediaType(answered) === "application/problem+json") checkProblem(where, answered);
      else checkDeclared(where, found?.route, answered);
    },
  };
}

function checkProblem(where: string, { status, headers, json }: Answered): void {
  checkShape(where, problem, json);
  const entry: { readonly status: number } | undefined = Object.hasOwn(ERRORS, json.code)
    ? ERRORS[json.code as keyof typeof ERRORS]
    : undefined;
  expect(entry, `${where}: ${json.code} is not in the catalogue`).toBeDefined();
  expect([json.status, json.type], where).toEqual([status, `/api/v1/errors#${json.code}`]);
  expect([entry?.status, headers.get("x-request-id")], where).toEqual([status, json.requestId]);
}

function checkDeclared(where: string, route: RouteConfig | undefined, answered: Answered): void {
  const response = route?.responses[answered.status];
  const content = response !== undefined && "content" in response ? response.content : undefined;
  expect(content, `${where}: no such answer is declared`).toBeDefined();
  const media = content?.[mediaType(answered)];
  const schema = media !== undefined && "schema" in media ? media.schema : undefined;
  expect(schema, `${where}: nothing is declared of type ${mediaType(answered)}`).toBeDefined();
  if (answered.json !== undefined && schema instanceof z.ZodType) checkShape(where, schema, answered.json);
}

/** Undeclared keys are left out of what is parsed, so that both are the same only where there are none. */
function checkShape(where: string, schema: z.ZodType, told: unknown): void {
  const parsed = schema.safeParse(told);
  expect(parsed.error?.issues ?? [], `${where}: not as it is declared`).toEqual([]);
  expect(parsed.data, `${where}: more is told than declared`).toStrictEqual(told);
}

const mediaType = ({ headers }: Answered) => (headers.get("content-type") ?? "").split(";")[0] ?? "";
const parameters = (path: string) => path.split("{").length;
const patternOf = (path: string) => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
