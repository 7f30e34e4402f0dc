// What happens, as it happens: a stream, a WebSocket, and pages for those who ask now and then.

import type { ServerResponse } from "node:http";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type Logger, type Sluice, SluiceError } from "../../engine/index.ts";
import { answers } from "../contract/common.ts";
import { eventPage, eventsQuery, socketQuery } from "../contract/events.ts";
import { shownTo } from "../feed/audience.ts";
import { toTold } from "../feed/envelope.ts";
import { audienceOf, type Caller, type Live, type Wanted } from "../feed/live.ts";
import { SSE_HEADERS, sseStream } from "../feed/sse.ts";
import type { Upgrade } from "../feed/upgrade.ts";
import { talk } from "../feed/web-socket.ts";
import type { Env } from "../http/env.ts";
import { principalOf, type Routes } from "../http/routes.ts";

export function addEventRoutes(routes: Routes, sluice: Sluice, live: Live, log: Logger): void {
  const page = answers("A page of events", eventPage);
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/events",
      tags: ["events"],
      summary: "What happens: a stream where text/event-stream is accepted, else a page",
      request: { query: eventsQuery, headers: z.object({ "last-event-id": z.string().max(60).optional() }) },
      responses: {
        ...page,
        200: {
          ...page[200],
          content: { ...page[200].content, "text/event-stream": { schema: z.string() } },
        },
      },
    }),
    async (c) => {
      const { limit, wait, topics, after } = c.req.valid("query");
      // A browser that comes back asks for the same address, with the place it came to beside it.
      const wanted = { topics, after: c.req.valid("header")["last-event-id"] || after };
      if (wantsStream(c)) return await stream(c, live, wanted, log);
      const read = (from: string) => readPage(sluice, callerOf(c), { ...wanted, after: from }, limit);
      const first = await read(wanted.after ?? (await sluice.feedEnd()));
      if (first.events.length > 0 || !first.isEnd || wait === 0) return c.json(first, 200);
      const enough = AbortSignal.any([AbortSignal.timeout(wait * 1_000), c.req.raw.signal]);
      await live.somethingFor(callerOf(c), { ...wanted, after: first.cursor }, enough);
      return c.json(await read(first.cursor), 200);
    },
  );
  routes.add(
    "read",
    createRoute({
      method: "get",
      path: "/api/v1/ws",
      tags: ["events"],
      summary: "What happens, as a WebSocket",
      request: { query: socketQuery },
      responses: { 101: { description: "It is one from now on" }, default: page.default },
    }),
    async (c) => {
      const upgrade = upgradeOf(c.env);
      if (upgrade === undefined)
        throw new SluiceError(
          "UPGRADE_REQUIRED",
          "this is a WebSocket; connect with ws:// or wss://, or read /api/v1/events",
        );
      const subscription = await live.subscribe(callerOf(c), c.req.valid("query"));
      upgrade.accept(
        (socket) => void talk(socket, subscription, log),
        () => subscription.end("left"),
      );
      return c.body(null, 200) as never; // never sent: the socket is taken over
    },
  );
}

async function stream(c: Context<Env>, live: Live, wanted: Wanted, log: Logger): Promise<never> {
  const subscription = await live.subscribe(callerOf(c), wanted);
  const env: unknown = c.env;
  if (hasOutgoing(env)) {
    const { outgoing } = env;
    // Gone while we looked: nobody would ever read the stream, nor end it.
    if (outgoing.destroyed) subscription.end("left");
    outgoing.once("close", () => subscription.end("left"));
    // Somebody who takes nothing any more would keep the socket open for ever.
    subscription.onEnd((reason) => reason === "stalled" && outgoing.destroy());
  }
  return c.body(sseStream(subscription, log), 200, SSE_HEADERS) as never; // the contract has one type of answer for each status
}

async function readPage(
  sluice: Sluice,
  { principal }: Caller,
  wanted: Wanted & { readonly after: string },
  limit: number,
) {
  const who = audienceOf(principal, wanted);
  const { events, cursor, isEnd } = await sluice.events({ after: wanted.after, limit, outputs: false });
  const shown = events.flatMap((event) => shownTo(toTold(event), who) ?? []);
  return { events: shown.map((json) => JSON.parse(json)), cursor, isEnd };
}

function callerOf(c: Context<Env>): Caller {
  return { principal: principalOf(c.get("principal")), token: c.get("token") ?? "" };
}

function upgradeOf(env: unknown): Upgrade | undefined {
  return typeof env === "object" && env !== null && "upgrade" in env ? (env.upgrade as Upgrade) : undefined; // ours alone
}

function wantsStream(c: Context<Env>): boolean {
  return c.req.method === "GET" && /\btext\/event-stream\b/.test(c.req.header("accept") ?? "");
}

function hasOutgoing(env: unknown): env is { readonly outgoing: ServerResponse } {
  return typeof env === "object" && env !== null && "outgoing" in env;
}
