// What is wrong and was, and the rules by which somebody is told.

import { createRoute, z } from "@hono/zod-openapi";
import { InputError, type Queryable, SluiceError, type Tables } from "../../engine/index.ts";
import { databaseTime, listAlerts, snoozeAlert } from "../alerts/alert.sql.ts";
import { checkSettings, isRule, RULE_NAMES, type RuleName, settingName, settingsOf } from "../alerts/rule.ts";
import { listChannels } from "../channels/channel.sql.ts";
import { alertsQuery, alertView, ruleBody, ruleView, snoozeBody, toAlertView, toRuleView } from "../contract/alerts.ts";
import { answers, jsonBody, page } from "../contract/common.ts";
import { list, whole } from "../contract/done.ts";
import { tablesFor } from "../http/dry-run.ts";
import { afterId, pageOf } from "../http/page.ts";
import { principalOf, type Routes } from "../http/routes.ts";
import { readSettings, writeSetting } from "../settings/setting.sql.ts";
import { ownerFor } from "./ownership.ts";

/** Of what is about machines and messages a member hears nothing. */
const FOR_MEMBERS: readonly RuleName[] = [
  "service-down",
  "idle",
  "backlog",
  "stuck",
  "unavailable",
  "error-rate",
  "stalled",
];
const SNOOZE_MOST_MS = 30 * 86_400_000;

export function addAlertRoutes(routes: Routes, tables: Tables): void {
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/alerts",
      tags: ["alerts"],
      summary: "What is wrong, or was, newest first",
      request: { query: alertsQuery },
      responses: answers("A page of alerts", page(alertView)),
    }),
    async (c) => {
      const { after, limit, state } = c.req.valid("query");
      const isMember = ownerFor(c) !== undefined;
      const states = state === "all" ? (["open", "resolved"] as const) : [state];
      const rules = isMember ? FOR_MEMBERS : null;
      const rows = await listAlerts(tables, { after: afterId(after), states, rules, limit: limit + 1 });
      const view = pageOf(
        rows,
        limit,
        (row) => toAlertView(row, isMember),
        ({ id }) => id,
      );
      return c.json(view, 200);
    },
  );
  addSnooze(routes, tables);
  addRules(routes, tables);
}

function addSnooze(routes: Routes, tables: Tables): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/alerts/{alert}/snooze",
      tags: ["alerts"],
      summary: "Leaves an open alert unrepeated until a time; its end is told all the same",
      request: {
        params: z.object({ alert: z.string().max(20) }),
        ...jsonBody(snoozeBody),
      },
      responses: answers("The alert", alertView),
    }),
    async (c) => {
      const { alert: id } = c.req.valid("param");
      const { until } = c.req.valid("json");
      const row = await tablesFor(c, tables).transaction(async (tx) => {
        const time = until === null ? null : await snoozeTime(tx, until);
        const found = /^\d{1,18}$/.test(id) ? await snoozeAlert(tx, id, time) : undefined;
        if (found === undefined) throw new SluiceError("NOT_FOUND", `there is no open alert ${id}`, { field: "alert" });
        c.set("deed", { action: "alert.snooze", subject: found.key, detail: { until } });
        return found;
      });
      return c.json(toAlertView(row, false), 200);
    },
  );
}

async function snoozeTime(tx: Queryable, until: string): Promise<Date> {
  const ms = new Date(until).getTime() - (await databaseTime(tx)).getTime();
  if (ms <= 0 || ms > SNOOZE_MOST_MS)
    throw new InputError("until", "until is a time within the next 30 days, or null to end a snooze");
  return new Date(until);
}

function addRules(routes: Routes, tables: Tables): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: "/api/v1/alert-rules",
      tags: ["alerts"],
      summary: "The rules, with what can be set of each",
      responses: answers("The rules", list(ruleView)),
    }),
    async (c) => {
      const settings = settingsOf(await readSettings(tables, RULE_NAMES.map(settingName)));
      return c.json(whole(RULE_NAMES.map((rule) => toRuleView(rule, settings[rule]))), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "put",
      path: "/api/v1/alert-rules/{rule}",
      tags: ["alerts"],
      summary: "Sets a rule; what is left out has its default",
      request: {
        params: z.object({ rule: z.string().max(100) }),
        ...jsonBody(ruleBody),
      },
      responses: answers("The rule as it is now", ruleView),
    }),
    async (c) => {
      const { rule } = c.req.valid("param");
      if (!isRule(rule))
        throw new SluiceError("NOT_FOUND", `there is no rule ${rule}; there are ${RULE_NAMES.join(", ")}`, {
          field: "rule",
        });
      const actor = principalOf(c.get("principal")).user;
      const settings = checkSettings(rule, c.req.valid("json"));
      await tablesFor(c, tables).transaction(async (tx) => {
        await checkChannels(tx, settings.channels ?? []);
        await writeSetting(tx, settingName(rule), settings, actor);
        c.set("deed", { action: "alert-rule.set", subject: rule, detail: settings });
      });
      return c.json(toRuleView(rule, settings), 200);
    },
  );
}

async function checkChannels(tx: Queryable, asked: readonly string[]): Promise<void> {
  const known = new Set((await listChannels(tx)).map(({ id }) => id));
  const missing = asked.find((id) => !known.has(id));
  if (missing !== undefined) throw new InputError("channels", `there is no channel ${missing}`);
}
