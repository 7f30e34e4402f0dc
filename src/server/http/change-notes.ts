// One audit row for everything that is changed over HTTP: who, from where, what, to what. A route may tell more by `c.set("deed",
// ...)`; where a change notes itself in its own transaction, it sets that to null. Bodies are never noted: they may hold secrets.

import type { Context } from "hono";
import type { Logger } from "../../engine/index.ts";
import { safeText } from "../../kit/index.ts";
import type { AuditNote } from "../access/audit.sql.ts";
import type { Env } from "./env.ts";
import { type OnChanged, principalOf, type RoutePolicy } from "./routes.ts";

const SUBJECT_CHARACTERS = 200;

/** `POST /api/v1/items/{item}/retry` is `items.retry`; what is no POST names its method: `channels.delete`. Pure. */
export function actionOf({ method, path }: Pick<RoutePolicy, "method" | "path">): string {
  const words = path.split("/").filter((part) => part !== "" && !part.startsWith("{") && !/^(api|v\d+)$/.test(part));
  return [...words, ...(method === "POST" ? [] : [method.toLowerCase()])].join(".");
}

export function changeNotes(access: { note(note: AuditNote): Promise<void> }, log: Logger): OnChanged {
  return async (c, route) => {
    const note = noteOf(c, route);
    if (note === undefined) return;
    try {
      await access.note(note);
    } catch (error) {
      // It is done: an error would have the caller do it again. What was not noted stands in the log.
      log.error("audit.failed", { ...note, requestId: c.get("requestId"), error: safeText(error, 300) });
    }
  };
}

function noteOf(c: Context<Env>, route: RoutePolicy): AuditNote | undefined {
  const deed = c.get("deed");
  if (deed === null || c.get("isDry")) return undefined;
  const { user, via } = principalOf(c.get("principal"));
  const params = Object.values(c.req.param()).join(" ");
  const subject = deed?.subject ?? (params === "" ? undefined : params);
  const detail = via === "key" ? { ...asObject(deed?.detail), via } : deed?.detail;
  return {
    actor: user,
    address: c.get("address"),
    action: deed?.action ?? actionOf(route),
    subject: subject === undefined ? undefined : safeText(subject, SUBJECT_CHARACTERS),
    detail,
  };
}

function asObject(detail: unknown): object {
  return typeof detail === "object" && detail !== null ? detail : {};
}
