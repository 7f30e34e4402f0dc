// The demo world behind the API: what can be broken is told, broken and mended, by whoever may, and noted.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeApp } from "../../src/server/app.ts";
import { type AppWorld, openAppWorld } from "../support/app-world.ts";

let world: AppWorld;
beforeAll(async () => {
  world = await openAppWorld([]);
});
afterAll(() => world.close());

const send = (action: "break" | "mend", body: object, query = "") =>
  world.ask(`/api/v1/sandbox/${action}${query}`, { method: "POST", as: "admin", body });
const broken = async (): Promise<string[]> => {
  const { json } = await world.ask("/api/v1/sandbox", { as: "viewer" });
  return json.entries.flatMap(({ name, faults }: { name: string; faults: { name: string; brokenSince: unknown }[] }) =>
    faults.filter((one) => one.brokenSince !== null).map((one) => `${name} ${one.name}`),
  );
};
afterEach(() => send("mend", {}));

describe("a server in a sandbox", () => {
  it("says so in its overview, and tells what there is", async () => {
    expect((await world.ask("/api/v1/overview", { as: "viewer" })).json.hasSandbox).toBe(true);
    const { json } = await world.ask("/api/v1/sandbox", { as: "member" });
    expect(json.entries[0]).toEqual({
      ...{ name: "converter", about: "The converter.", service: "converter", state: "up" },
      faults: [
        { name: "stop", does: "Would stop the converter.", expect: "Others wait for it.", brokenSince: null },
        { name: "slow", does: "Would slow the converter.", expect: "Others wait for it.", brokenSince: null },
      ],
    });
  });

  it("breaks what is whole, and mends one fault, a thing, or everything", async () => {
    for (const [thing, fault] of ["converter stop", "converter slow", "worker stop"].map((one) => one.split(" ")))
      expect((await send("break", { thing, fault })).json).toEqual({ ok: true, would: null });
    expect(await broken()).toEqual(["converter stop", "converter slow", "worker stop"]);
    await send("mend", { thing: "converter", fault: "slow" });
    expect(await broken()).toEqual(["converter stop", "worker stop"]);
    await send("mend", { thing: "converter" });
    expect(await broken()).toEqual(["worker stop"]);
    await send("mend", {});
    expect(await broken()).toEqual([]);
    expect((await send("mend", {})).json).toEqual({ ok: true, would: null });
  });

  it("notes who did what to what", async () => {
    await send("break", { thing: "converter", fault: "stop" });
    await send("mend", {});
    const { json } = await world.ask("/api/v1/audit", { as: "admin" });
    const [mended, wasBroken] = json.entries;
    expect(wasBroken).toMatchObject({ actor: "ann", action: "sandbox.break", subject: "converter stop" });
    expect(mended).toMatchObject({ actor: "ann", action: "sandbox.mend", subject: "converter stop" });
  });

  it("says what a dry run would do, and does not", async () => {
    const would = async (action: "break" | "mend", body: object) =>
      (await send(action, body, "?dryRun=true")).json.would;
    expect(await would("break", { thing: "worker", fault: "stop" })).toBe("Would stop the worker.");
    expect(await would("mend", {})).toBe("Nothing is broken.");
    expect(await broken()).toEqual([]);
    await send("break", { thing: "worker", fault: "stop" });
    expect(await would("mend", {})).toBe("Would mend worker stop.");
    expect(await broken()).toEqual(["worker stop"]);
  });

  it.each([
    ["break", { thing: "convertor", fault: "stop" }, 404, 'there is no thing convertor; did you mean "converter"?'],
    ["break", { thing: "worker", fault: "fill" }, 404, "there is no fault fill; known here: stop, slow"],
    ["mend", { thing: "worker", fault: "slow" }, 409, "worker does not have that fault"],
    ["mend", { fault: "slow" }, 400, "thing: say of which thing that fault is"],
  ] as const)("refuses to %s %j in words", async (action, body, status, detail) => {
    expect((await send(action, body)).json).toMatchObject({ status, detail });
  });

  it("breaks nothing twice", async () => {
    await send("break", { thing: "worker", fault: "slow" });
    const again = await send("break", { thing: "worker", fault: "slow" });
    expect(again.json).toMatchObject({ code: "REFUSED", detail: "worker has that fault already; mend it first" });
  });
});

describe("a server in none", () => {
  it("has no such routes", async () => {
    const { sandbox: _, ...ports } = world.ports;
    const { app, policies } = makeApp(ports);
    expect(policies.filter(({ path }) => path.includes("sandbox"))).toEqual([]);
    const headers = { host: "localhost", cookie: world.cookieOf("admin") };
    expect((await app.request("/api/v1/sandbox", { headers })).status).toBe(404);
    expect(await (await app.request("/api/v1/overview", { headers })).json()).toMatchObject({ hasSandbox: false });
  });
});
