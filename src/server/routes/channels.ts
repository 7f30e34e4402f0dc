// Where messages go, whether that works, and what was sent.

import { createRoute, z } from "@hono/zod-openapi";
import { SluiceError, type Tables } from "../../engine/index.ts";
import type { Alerts } from "../alerts/alerts.ts";
import { listDeliveries, redeliver } from "../channels/delivery.sql.ts";
import {
  channelChange,
  channelView,
  deliveriesQuery,
  deliveryView,
  newChannel,
  sentView,
  toChannelView,
  toDeliveryView,
} from "../contract/alerts.ts";
import { answers, jsonBody, page } from "../contract/common.ts";
import { done, list, whole } from "../contract/done.ts";
import { tablesFor, toldDone } from "../http/dry-run.ts";
import { afterId, pageOf } from "../http/page.ts";
import type { Routes } from "../http/routes.ts";

const channelParam = z.object({ channel: z.string().max(20) });

export function addChannelRoutes(routes: Routes, tables: Tables, alerts: Alerts): void {
  addReadAndAdd(routes, tables, alerts);
  addChange(routes, tables, alerts);
  addTest(routes, alerts);
  addDeliveryRoutes(routes, tables, alerts);
}

function addReadAndAdd(routes: Routes, tables: Tables, { channels }: Alerts): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: "/api/v1/channels",
      tags: ["channels"],
      summary: "Where messages go",
      responses: answers("The channels, 50 at most", list(channelView)),
    }),
    async (c) => c.json(whole((await channels.list()).map(toChannelView)), 200),
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/channels",
      tags: ["channels"],
      summary: "Adds a channel: a signed webhook, ntfy or Discord",
      request: jsonBody(newChannel),
      responses: answers(
        "The channel; of a webhook whose secret was made here, that secret, this once",
        channelView.extend({ secret: z.string().nullable() }),
      ),
    }),
    async (c) => {
      const { name, type, ...given } = c.req.valid("json");
      const { channel, secret } = await tablesFor(c, tables).transaction(async (tx) => {
        const added = await channels.add(tx, name, type, given);
        const detail = { type, host: added.channel.host };
        c.set("deed", { action: "channel.add", subject: name, detail });
        return added;
      });
      return c.json({ ...toChannelView(channel), secret: c.get("isDry") ? null : secret }, 200);
    },
  );
}

function addChange(routes: Routes, tables: Tables, { channels }: Alerts): void {
  routes.add(
    "admin",
    createRoute({
      method: "patch",
      path: "/api/v1/channels/{channel}",
      tags: ["channels"],
      summary: "Changes a channel; what is left out stays",
      request: { params: channelParam, ...jsonBody(channelChange) },
      responses: answers("The channel", channelView),
    }),
    async (c) => {
      const given = c.req.valid("json");
      const row = await tablesFor(c, tables).transaction(async (tx) => {
        const changed = await channels.change(tx, c.req.valid("param").channel, given);
        // What was changed, never to what.
        const detail = { changed: Object.keys(given), on: changed.is_on, host: changed.host };
        c.set("deed", { action: "channel.change", subject: changed.name, detail });
        return changed;
      });
      return c.json(toChannelView({ ...row, problem: await channels.problemOf(row.id) }), 200);
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "delete",
      path: "/api/v1/channels/{channel}",
      tags: ["channels"],
      summary: "Removes a channel, with its secret and the log of what was sent there",
      request: { params: channelParam },
      responses: answers("Removed", done),
    }),
    async (c) => {
      const { name } = await tablesFor(c, tables).transaction(async (tx) => {
        const removed = await channels.remove(tx, c.req.valid("param").channel);
        c.set("deed", { action: "channel.remove", subject: removed.name });
        return removed;
      });
      return c.json(toldDone(c, `Would remove channel ${name}.`), 200);
    },
  );
}

function addTest(routes: Routes, { channels, publicUrl }: Alerts): void {
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/channels/{channel}/test",
      tags: ["channels"],
      summary: "Sends a test message now, and answers with what came of it",
      request: { params: channelParam },
      responses: answers("What came of it, also where it did not work", sentView),
    }),
    async (c) => {
      const { channel } = c.req.valid("param");
      const sent = c.get("isDry")
        ? await channels.wouldTest(channel)
        : { ...(await channels.test(channel, publicUrl)), would: null };
      const { ok, would, status, code, answer, tookMs } = sent;
      c.set("deed", { action: "channel.test", subject: channel, detail: { ok, status, code } });
      return c.json({ ok, would, status, code, answer, tookMs: Math.round(tookMs) }, 200);
    },
  );
}

function addDeliveryRoutes(routes: Routes, tables: Tables, alerts: Alerts): void {
  routes.add(
    "admin",
    createRoute({
      method: "get",
      path: "/api/v1/deliveries",
      tags: ["channels"],
      summary: "What was sent where and what came of it, newest first",
      request: { query: deliveriesQuery },
      responses: answers("A page of deliveries", page(deliveryView)),
    }),
    async (c) => {
      const { after, limit, channel } = c.req.valid("query");
      const rows = await listDeliveries(tables, afterId(after), afterId(channel), limit + 1);
      return c.json(
        pageOf(rows, limit, toDeliveryView, ({ id }) => id),
        200,
      );
    },
  );
  routes.add(
    "admin",
    createRoute({
      method: "post",
      path: "/api/v1/deliveries/{delivery}/redeliver",
      tags: ["channels"],
      summary: "Sends a message once more, under the id it had",
      request: { params: z.object({ delivery: z.string().max(20) }) },
      responses: answers("It is in line again", done),
    }),
    async (c) => {
      const { delivery } = c.req.valid("param");
      await tablesFor(c, tables).transaction(async (tx) => {
        if (!/^\d{1,18}$/.test(delivery) || !(await redeliver(tx, delivery)))
          throw new SluiceError(
            "NOT_FOUND",
            `there is no delivery ${delivery} that can be sent again: it waits already, was a test, or its channel is off`,
          );
        c.set("deed", { action: "delivery.redeliver", subject: delivery });
      });
      if (!c.get("isDry")) alerts.wake();
      return c.json(toldDone(c, "Would send it once more."), 200);
    },
  );
}
