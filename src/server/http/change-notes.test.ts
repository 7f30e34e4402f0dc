import { createRoute, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { describe, expect, it } from "vitest";
import { SluiceError } from "../../engine/index.ts";
import type { AuditNote } from "../access/audit.sql.ts";
import type { Principal } from "../access/principal.ts";
import { actionOf, changeNotes } from "./change-notes.ts";
import type { Deed, Env } from "./env.ts";
import { type Policy, Routes } from "./routes.ts";

const ann: Principal = { user: "ann", role: "admin", via: "session", scopes: null };

/** One route that does as it is told, and what was noted of it. */
function world(given: { policy?: Policy; method?: "get" | "post"; principal?: Principal; fails?: boolean } = {}) {
  const { policy = "admin", method = "post", principal = ann, fails = false } = given;
  const notes: AuditNote[] = [];
  const logged: string[] = [];
  const note = async (one: AuditNote) => {
    if (fails) throw new Error("no connection");
    notes.push(one);
  };
  const log = { info: () => {}, warn: () => {}, error: (event: string) => void logged.push(event) };
  const honourKeys = (): MiddlewareHandler<Env> => (_, next) => next();
  const routes = new Routes({ honourKeys, onChanged: changeNotes({ note }, log) });
  routes.app.onError((error, c) => c.text(error.message, 409));
  routes.app.use(async (c, next) => {
    c.set("principal", principal);
    c.set("address", "192.0.2.7");
    await next();
  });
  let deed: Deed | null | undefined;
  let refusal: string | undefined;
  routes.add(
    policy,
    createRoute({
      method,
      path: "/api/v1/things/{thing}/mend",
      request: { params: z.object({ thing: z.string() }) },
      responses: { 200: { description: "Mended" } },
    }),
    (c) => {
      c.set("deed", deed);
      if (refusal !== undefined) throw new SluiceError("REFUSED", refusal);
      return c.text("mended");
    },
  );
  const ask = async (query = "", told: { deed?: Deed | null; refusal?: string } = {}) => {
    ({ deed, refusal } = { deed: undefined, refusal: undefined, ...told });
    return (await routes.app.request(`/api/v1/things/lamp/mend${query}`, { method: method.toUpperCase() })).status;
  };
  return { ask, notes, logged };
}

const row = { actor: "ann", address: "192.0.2.7", action: "things.mend", subject: "lamp" };

describe("a change over HTTP", () => {
  it("leaves a row without its route having to think of it", async () => {
    const { ask, notes } = world();
    expect(await ask()).toBe(200);
    expect(notes).toEqual([{ ...row, detail: undefined }]);
  });

  it("is told as its route wants it, or not where that was noted with the change", async () => {
    const { ask, notes } = world();
    await ask("", { deed: { action: "mend", subject: "the lamp", detail: { with: "wire" } } });
    await ask("", { deed: null });
    expect(notes).toEqual([{ ...row, action: "mend", subject: "the lamp", detail: { with: "wire" } }]);
  });

  it("by a key says so", async () => {
    const { ask, notes } = world({ principal: { ...ann, via: "key", scopes: ["admin"] } });
    await ask();
    expect(notes).toMatchObject([{ ...row, detail: { via: "key" } }]);
  });

  it("leaves none where nothing was changed: refused, a dry run, or only looked at", async () => {
    const { ask, notes } = world();
    expect([await ask("", { refusal: "it is not broken" }), await ask("?dryRun=true"), await ask("?dryRun=1")]).toEqual(
      [409, 200, 200],
    );
    const reading = world({ method: "get", policy: "read" });
    await reading.ask();
    expect([...notes, ...reading.notes]).toEqual([]);
  });

  it("that is done stays done when it cannot be noted, and the log has it", async () => {
    const { ask, logged } = world({ fails: true });
    expect([await ask(), logged]).toEqual([200, ["audit.failed"]]);
  });
});

it.each([
  ["POST", "/api/v1/items/{item}/retry", "items.retry"],
  ["POST", "/api/v1/hold", "hold"],
  ["DELETE", "/api/v1/channels/{channel}", "channels.delete"],
  ["POST", "/api/jobs/{item}/retry", "jobs.retry"],
])("%s %s is %s", (method, path, action) => {
  expect(actionOf({ method, path })).toBe(action);
});
