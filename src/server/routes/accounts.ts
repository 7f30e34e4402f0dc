// Accounts, for admins; and the audit of who did what.

import { createRoute, z } from "@hono/zod-openapi";
import type { Access } from "../access/access.ts";
import {
  account,
  accountChange,
  auditEntry,
  auditQuery,
  newAccount,
  toAccount,
  toAuditEntry,
} from "../contract/accounts.ts";
import { answers, jsonBody, page, pageQuery } from "../contract/common.ts";
import { done } from "../contract/done.ts";
import { accessFor, toldDone } from "../http/dry-run.ts";
import { pageOf } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";

export function addAccountRoutes(routes: Routes, access: Access): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: "/api/v1/accounts",
      tags: ["access"],
      summary: "All accounts, also those that are shut out",
      request: { query: pageQuery.strict() },
      responses: answers("A page of them, by name", page(account)),
    }),
    async (c) => {
      const { after, limit } = c.req.valid("query");
      const rows = await access.accounts({ after, limit: limit + 1 });
      return c.json(
        pageOf(rows, limit, toAccount, ({ name }) => name),
        200,
      );
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/accounts",
      tags: ["access"],
      summary: "Adds an account; a name is never given twice",
      request: jsonBody(newAccount),
      responses: answers("It is added", done),
    }),
    async (c) => {
      const { user } = principalOf(c.get("principal"));
      const asked = c.req.valid("json");
      await accessFor(c, access).addAccount(user, asked, c.get("address"));
      c.set("deed", null);
      return c.json(toldDone(c, `Would add ${asked.name} as ${asked.role}.`), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "patch",
      path: "/api/v1/accounts/{name}",
      tags: ["access"],
      summary: "Changes an account's role or password, or shuts it out",
      description: "At once: a new password, or being shut out, ends its sessions. The last admin stays one.",
      request: { params: z.object({ name: z.string().max(100) }), ...jsonBody(accountChange) },
      responses: answers("It is changed", done),
    }),
    async (c) => {
      const { user } = principalOf(c.get("principal"));
      const { role, password, disabled } = c.req.valid("json");
      const change = {
        ...(role === undefined ? {} : { role }),
        ...(password === undefined ? {} : { password }),
        ...(disabled === undefined ? {} : { disabled }),
      };
      const { name } = c.req.valid("param");
      await accessFor(c, access).changeAccount(user, name, change, c.get("address"));
      c.set("deed", null);
      const ends = password !== undefined || disabled === true ? "; all of its sessions would end" : "";
      return c.json(toldDone(c, `Would change ${Object.keys(change).join(" and ")} of ${name}${ends}.`), 200);
    },
  );
  addAudit(routes, access);
}

function addAudit(routes: Routes, access: Access): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: "/api/v1/audit",
      tags: ["access"],
      summary: "Who did what, and from where; newest first",
      request: { query: auditQuery },
      responses: answers("A page of it", page(auditEntry)),
    }),
    async (c) => {
      const { after, limit, ...asked } = c.req.valid("query");
      const rows = await access.audit({ before: after, ...asked, limit: limit + 1 });
      return c.json(
        pageOf(rows, limit, toAuditEntry, ({ id }) => id),
        200,
      );
    },
  );
}
