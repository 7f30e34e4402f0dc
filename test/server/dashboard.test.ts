import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, makeApp } from "../../src/server/app.ts";
import { readDashboard } from "../../src/server/pages/dashboard.ts";
import { type AppWorld, openAppWorld } from "../support/app-world.ts";

const PAGE = "<!doctype html><title>Sluice</title>";
const SCRIPT = `console.log(${JSON.stringify("x".repeat(2_000))})`;
const folder = mkdtempSync(join(tmpdir(), "sluice-dashboard-"));
let world: AppWorld;
let server: App;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  writeFileSync(join(folder, "assets/index-abc.js"), SCRIPT);
  world = await openAppWorld([]);
  server = makeApp({ ...world.ports, dashboard: readDashboard(folder) });
});

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const visit = (path: string, headers: Record<string, string> = {}) =>
  server.app.request(path, { headers: { host: "localhost:3000", accept: "text/html,*/*", ...headers } });

describe("the dashboard's files", () => {
  it("are its page at every address that no route has, for people who go there", async () => {
    for (const path of ["/", "/work?filter=state:failed", "/items/itm_0000000000001", "/setup"]) {
      const answer = await visit(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, PAGE]);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
  });

  it("are no page to a program, and none under the API", async () => {
    expect((await visit("/work", { accept: "application/json" })).status).toBe(404);
    expect((await visit("/api/v1/nothing")).status).toBe(404);
    expect((await visit("/api/v1/nothing")).headers.get("content-type")).toContain("problem+json");
  });

  it("may be kept for ever where their names say what is in them, and are asked about each time where not", async () => {
    expect((await visit("/assets/index-abc.js")).headers.get("cache-control")).toContain("immutable");
    expect((await visit("/icon.svg")).headers.get("cache-control")).toBe("no-cache");
    expect((await visit("/")).headers.get("cache-control")).toBe("no-cache");
  });

  it("are the same for everybody: they read nobody's session, and renew none", async () => {
    const due = "update sluice_server.session set renewed_at = renewed_at - interval '2 days'";
    await world.t.db.query({ name: "test-due", text: due }, []);
    const cookie = world.cookieOf("mia");
    for (const path of ["/", "/work", "/icon.svg", "/assets/index-abc.js"]) {
      const answer = await visit(path, { cookie });
      expect([path, answer.status, answer.headers.get("set-cookie")]).toEqual([path, 200, null]);
    }
    const me = await server.app.request("/api/v1/me", { headers: { host: "localhost:3000", cookie } });
    expect(me.headers.get("set-cookie")).toContain("=");
  });

  it("open while the database is away", async () => {
    const access = { ...world.ports.access, admit: () => Promise.reject(new Error("away")) };
    const alone = makeApp({ ...world.ports, access: access as never, dashboard: readDashboard(folder) });
    const headers = { host: "localhost:3000", accept: "text/html", cookie: world.cookieOf("vic") };
    expect((await alone.app.request("/work", { headers })).status).toBe(200);
  });

  it("are not sent again to who has them", async () => {
    const etag = (await visit("/")).headers.get("etag") ?? "";
    const again = await visit("/", { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("are sent packed to who takes that", async () => {
    const plain = await visit("/assets/index-abc.js");
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, SCRIPT]);
    const packed = await visit("/assets/index-abc.js", { "accept-encoding": "gzip, br" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(SCRIPT);
  });

  it("carry the policy that lets no other script run", async () => {
    expect((await visit("/work")).headers.get("content-security-policy")).toContain("script-src 'self'");
  });

  it("are nowhere outside their folder", async () => {
    for (const path of ["/assets/..%2findex.html", "/assets/nothing.js", "/assets/..%2f..%2fpackage.json"])
      expect([path, (await visit(path, { accept: "*/*" })).status]).toEqual([path, 404]);
  });
});

it("without any, says where the API is", async () => {
  expect(readDashboard(join(folder, "assets"))).toBeUndefined();
  expect((await world.ask("/")).text).toContain("/api/docs");
});
