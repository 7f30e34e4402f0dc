// A server that is gone in the middle of what was asked under an Idempotency-Key: others on the same database know soon.

import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, makeApp } from "../../src/server/app.ts";
import { type AppWorld, openAppWorld, PASSWORD } from "../support/app-world.ts";
import { startCli } from "../support/cli.ts";
import { closeServers } from "../support/loopback.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startServer, type TestServer } from "../support/server.ts";

afterAll(closeServers);

/** Takes every message, and leaves whoever sent it waiting for an answer. */
async function slowReceiver() {
  const hook: Receiver = await startReceiver();
  const waiting: ServerResponse[] = [];
  let met = Promise.withResolvers<ServerResponse>();
  hook.answer = (response) => {
    waiting.push(response);
    met.resolve(response);
    met = Promise.withResolvers();
  };
  return { url: `${hook.url}/x`, met: () => met.promise };
}

describe("of two servers on one database", () => {
  let world: AppWorld;
  let busy: App;
  /** The first one's time goes on when it is told to. */
  let tick = () => {};
  beforeAll(async () => {
    world = await openAppWorld([]);
    const sleep = (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        tick = resolve;
        signal?.addEventListener("abort", () => resolve());
      });
    busy = makeApp({ ...world.ports, clock: { sleep } });
  });
  afterAll(() => world.close());

  it("one that is still at it says so; one that is silent for a term is gone, and what it did after all is answered", async () => {
    const { url, met } = await slowReceiver();
    const body = { name: "hook", type: "webhook", url };
    const { json: channel } = await world.ask("/api/v1/channels", { method: "POST", as: "admin", body });
    const at = `/api/v1/channels/${channel.id}/test`;
    const headers = { "idempotency-key": "lost" };
    const again = async () => (await world.ask(at, { method: "POST", as: "admin", headers })).json;
    const own = { host: "localhost", origin: "http://localhost", cookie: world.cookieOf("admin") };
    const came = met();
    const first = busy.app.request(at, { method: "POST", headers: { ...own, ...headers } });
    const response = await came;
    expect(await again()).toMatchObject({ code: "IN_PROGRESS", retryAfter: 1 });
    await world.t.advance("4s");
    tick();
    await expect.poll(aliveFor).toBe(5);
    await world.t.advance("4s");
    expect(await again()).toMatchObject({ code: "IN_PROGRESS" });
    await world.t.advance("2s");
    expect(await again()).toMatchObject({
      status: 409,
      code: "OUTCOME_UNKNOWN",
      detail: expect.stringMatching(/may be done or not; look, and send it with a new Idempotency-Key/),
      instead: ["GET /api/v1/channels"],
    });
    response.writeHead(204).end();
    expect((await first).status).toBe(200);
    expect(await again()).toMatchObject({ ok: true, status: 204 });
  });

  /** Seconds until the key's holder is taken to be gone. */
  async function aliveFor(): Promise<number | undefined> {
    const [row] = await world.t.db.query<{ seconds: number }>(
      {
        name: "test-alive",
        text: `
select extract(epoch from alive_until - sluice.now())::int as seconds from sluice_server.idempotency where key = 'lost'`,
      },
      [],
    );
    return row?.seconds;
  }
});

describe("a server that is killed", () => {
  let database: TestServer;
  beforeAll(async () => {
    database = await startServer();
  }, 60_000);
  afterAll(() => database.stop());

  it("leaves nobody waiting for long: the next one knows that nobody knows", async () => {
    const secret = randomBytes(32).toString("hex");
    const env = { DATABASE_URL: database.url(), SERVER_PORT: "0", SERVER_SECRET_KEY: secret };
    const admin = { SERVER_ADMIN_NAME: "ann", SERVER_ADMIN_PASSWORD: PASSWORD };
    const one = startCli(["server"], { ...env, ...admin });
    const [, first = ""] = await one.says(/listening on (\S+)/);
    const two = startCli(["server"], env);
    try {
      const [, second = ""] = await two.says(/listening on (\S+)/);
      const json = { "content-type": "application/json" };
      const entered = await fetch(`${first}/api/v1/session`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ name: "ann", password: PASSWORD }),
      });
      const [, token = ""] = /=(sls_[^;]+)/.exec(entered.headers.get("set-cookie") ?? "") ?? [];
      const post = (url: string, at: string, body?: unknown, key = "setup") =>
        fetch(`${url}/api/v1${at}`, {
          method: "POST",
          headers: { ...json, authorization: `Bearer ${token}`, "idempotency-key": key },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const { url, met } = await slowReceiver();
      const made = await post(first, "/channels", { name: "hook", type: "webhook", url });
      const at = `/channels/${JSON.parse(await made.text()).id}/test`;
      const came = met();
      const cut = post(first, at, undefined, "cut").catch(() => "cut off");
      await came;
      await one.end("SIGKILL");
      expect(await cut).toBe("cut off");
      const began = performance.now();
      const again = async () => JSON.parse(await (await post(second, at, undefined, "cut")).text()).code;
      expect(await again()).toBe("IN_PROGRESS");
      await expect.poll(again, { timeout: 20_000 }).toBe("OUTCOME_UNKNOWN");
      expect(performance.now() - began).toBeLessThan(10_000);
    } finally {
      await one.end("SIGKILL");
      await two.end("SIGKILL");
    }
  }, 120_000);
});
