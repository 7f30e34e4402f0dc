// The door on a real PostgreSQL and a real socket: what races, where requests come from, and an admin without a link.

import { randomUUID } from "node:crypto";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definePipeline, done, openSluice, type Sluice } from "../../src/engine/index.ts";
import { readWorkers } from "../../src/engine/read/workers.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { Access } from "../../src/server/access/access.ts";
import { type Served, type ServeOptions, serveSluice } from "../../src/server/serve.ts";
import { prepareServerTables } from "../../src/server/server-tables.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PASSWORD = "correct horse battery";
let database: TestServer;
let sluice: Sluice;

beforeAll(async () => {
  database = await startServer();
  sluice = await openSluice({ database: database.url(), pipelines: [], worker: false, log: silentLogger });
  await prepareServerTables(sluice.tables);
});
afterAll(async () => {
  await sluice.close();
  await database.stop();
});

const access = () => new Access({ tables: sluice.tables, now: () => 0 });
const query = async <Row extends object>(text: string) =>
  await sluice.tables.query<Row>({ name: `test-${randomUUID()}`, text }, []);
const admins = async () =>
  (
    await query<{ name: string }>("select name from sluice_server.account where role = 'admin' and disabled_at is null")
  ).map((row) => row.name);
const nobody = () => query("truncate sluice_server.account, sluice_server.setup, sluice_server.audit cascade");

describe("at the same moment", () => {
  it("two who have the link make one admin", async () => {
    for (let round = 0; round < 5; round += 1) {
      await nobody();
      const token = (await access().offerSetup()) ?? "";
      const made = await Promise.allSettled(
        ["ann", "bob", "cat"].map((name) => access().setUp(token, name, PASSWORD, "here")),
      );
      expect(made.filter((one) => one.status === "fulfilled")).toHaveLength(1);
      expect(await admins()).toHaveLength(1);
    }
  });

  it("two who take each other's rights leave one admin", async () => {
    await nobody();
    for (const name of ["ann", "bob"])
      await access().addAccount("start", { name, role: "admin", password: PASSWORD }, null);
    for (let round = 0; round < 10; round += 1) {
      const change = round % 2 === 0 ? ({ role: "member" } as const) : ({ disabled: true } as const);
      const taken = await Promise.allSettled([
        access().changeAccount("ann", "bob", change, null),
        access().changeAccount("bob", "ann", change, null),
      ]);
      expect(taken.filter((one) => one.status === "fulfilled")).toHaveLength(1);
      expect(await admins()).toHaveLength(1);
      for (const name of ["ann", "bob"])
        await access().changeAccount("start", name, { role: "admin", disabled: false }, null);
    }
  });

  it("of many requests with an old token one has the new one, and none is refused", async () => {
    const token = await access().logIn("ann", PASSWORD, "here");
    await query("update sluice_server.session set renewed_at = renewed_at - interval '2 days'");
    const admitted = await Promise.all(Array.from({ length: 20 }, () => access().admit(token)));
    expect(admitted.filter((one) => one === undefined)).toEqual([]);
    expect(admitted.filter((one) => one?.renewed !== undefined)).toHaveLength(1);
  });
});

describe("on a socket", () => {
  const serve = async (given: Partial<ServeOptions>, use: (served: Served) => Promise<void>) => {
    const common = { sluice, host: "127.0.0.1", port: 0, hosts: [], log: silentLogger, version: "0" };
    const served = await serveSluice({ ...common, ...given });
    try {
      await use(served);
    } finally {
      await served.close();
    }
  };
  const logIn = (url: string, password: string, forwarded: string, name = "root") =>
    fetch(`${url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, "x-forwarded-for": forwarded },
      body: JSON.stringify({ name, password }),
    });
  const addresses = async () =>
    (
      await query<{ address: string }>(
        "select address from sluice_server.audit where action like 'session.%' order by id",
      )
    ).map((row) => row.address);

  it("an admin that was given needs no link, and audit rows have the real address, whatever a header says", async () => {
    await nobody();
    await serve({ admin: { name: "root", password: PASSWORD } }, async ({ url, setupUrl }) => {
      expect(setupUrl).toBeUndefined();
      expect((await logIn(url, PASSWORD, "203.0.113.9")).status).toBe(200);
    });
    expect(await addresses()).toEqual(["127.0.0.1"]);
    expect(
      (await query<{ actor: string }>("select actor from sluice_server.audit where action = 'account.add'"))[0]?.actor,
    ).toBe("start");
  });

  it("a proxy that is trusted says who is behind it", async () => {
    await query("truncate sluice_server.audit");
    await serve({ trustedProxies: ["127.0.0.0/8"] }, async ({ url }) => {
      await logIn(url, PASSWORD, "198.51.100.1, 203.0.113.9");
      await logIn(url, "a wrong password", "203.0.113.9, 127.0.0.5");
    });
    expect(await addresses()).toEqual(["203.0.113.9", "203.0.113.9"]);
    await expect(serve({ trustedProxies: ["a proxy"] }, async () => {})).rejects.toThrow(/^a trusted proxy is/);
  });

  /** The lines of status that come for so many requests sent at once, until there are all or the other side hangs up. */
  const pipelined = async (url: string, count: number): Promise<number> => {
    const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
    let answers = 0;
    socket.on("data", (chunk) => {
      answers += chunk.toString("latin1").split("HTTP/1.1 200 OK").length - 1;
      if (answers >= count) socket.destroy();
    });
    socket.on("error", () => {}); // cut off, which is what this is about
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(count));
    await new Promise((resolve) => socket.on("close", resolve));
    return answers;
  };

  it("a few requests of a connection are answered in turn; hundreds at once end it, and nobody else waits", async () => {
    await serve({}, async ({ url }) => {
      expect(await pipelined(url, 16)).toBe(16);
      expect(await pipelined(url, 1_800)).toBeLessThanOrEqual(16);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    });
  });

  it("more sign-ins at once than can be computed are asked to come again", async () => {
    await serve({ trustedProxies: ["127.0.0.0/8"] }, async ({ url }) => {
      // Each from an address of its own and for a name of its own, so that no brake but the line is in the way.
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => logIn(url, PASSWORD, `203.0.113.${n}`, `x${n}`)),
      );
      const refused = answers.filter((answer) => answer.status !== 401);
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
      expect((await logIn(url, PASSWORD, "203.0.113.200")).status).toBe(200);
    });
  });
});

describe("workers", () => {
  it("are alive while their heart beats, and late once its connection is gone", async () => {
    const films = definePipeline("films", { version: 1, input: z.unknown() }).stage("encode", { run: () => done() });
    const working = await openSluice({
      ...{ database: database.url(), pipelines: [films], log: silentLogger },
      worker: { name: "some", stages: ["encode"] },
    });
    try {
      await expect
        .poll(() => readWorkers(sluice.tables))
        .toMatchObject([{ state: "alive", items: 0, stages: ["encode"], lastBeat: expect.any(Date) }]);
      await sluice.tables.transaction(async (tx) => {
        // In a transaction, or its next beat would say where it comes from.
        await tx.query({ name: "lose", text: "update sluice.worker set backend_pid = 1 where state = 0" }, []);
        expect(await readWorkers(tx)).toMatchObject([{ state: "late", lastBeat: expect.any(Date) }]);
      });
    } finally {
      await working.close();
    }
    expect((await sluice.workers())[0]).toMatchObject({ state: "left", lastBeat: expect.any(Date) });
  });
});
