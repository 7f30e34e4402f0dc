// The line that each request leaves.

import { afterAll, beforeAll, expect, it } from "vitest";
import { type AppWorld, openAppWorld } from "../support/app-world.ts";

let world: AppWorld;

beforeAll(async () => {
  world = await openAppWorld([]);
});
afterAll(() => world.close());

/** What was logged while this was asked. */
async function lineOf(...asked: Parameters<AppWorld["ask"]>): Promise<Record<string, unknown>[]> {
  const before = world.logged.length;
  await world.ask(...asked);
  return world.logged
    .slice(before)
    .filter((line) => line.startsWith("http.answered "))
    .map((line) => JSON.parse(line.slice("http.answered ".length)));
}

it("says which route was asked, by whom, how it ended, and under which reference", async () => {
  const answered = await world.ask("/api/v1/me", { as: "viewer" });
  const [line] = await lineOf("/api/v1/me", { as: "viewer" });
  expect(line).toEqual({
    ...{ method: "GET", route: "/api/v1/me", status: 200, user: "vic", via: "session" },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ms: expect.any(Number),
    address: expect.any(String),
  });
  expect(answered.headers.get("x-request-id")).not.toBe(line?.requestId);
});

it("has the route as it was declared, and nothing of the address line", async () => {
  const lines = await lineOf("/api/v1/items/itm_0000000099999?token=abc", { as: "admin" });
  expect(lines).toMatchObject([{ route: "/api/v1/items/:item", status: 404 }]);
  expect(JSON.stringify(lines)).not.toMatch(/abc|99999/);
  expect(await lineOf("/nowhere/secret", { as: "admin" })).toMatchObject([{ route: "none", status: 404 }]);
});

it("is there for what was turned away at the door", async () => {
  expect(await lineOf("/api/v1/me")).toMatchObject([{ status: 401, user: null }]);
  expect(await lineOf("/api/v1/me", { headers: { host: "evil.example" } })).toMatchObject([{ status: 421 }]);
});

it("is not there for health checks", async () => {
  expect(await lineOf("/healthz")).toEqual([]);
  expect(await lineOf("/readyz")).toEqual([]);
});
