// The breaker with real processes, a real service and a long queue: who calls, and what it costs to stop them.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "../../src/engine/db/database.ts";
import { claimProbe } from "../../src/engine/items/claim.sql.ts";
import { claimFromService } from "../../src/engine/items/claim-service.sql.ts";
import { dueLanes } from "../../src/engine/items/due-lanes.sql.ts";
import { openSluice } from "../../src/engine/open.ts";
import { type CallEnd, judge } from "../../src/engine/services/breaker.ts";
import {
  healthOf,
  readServices,
  registerService,
  saveService,
  takeProbe,
} from "../../src/engine/services/service.sql.ts";
import { Registry } from "../../src/engine/workers/registry.ts";
import { enterWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { query } from "./fixtures/drive.ts";
import { type EngineDatabase, engineDatabase } from "./fixtures/engine-database.ts";
import { COOLDOWN_MS, hammered, hammering } from "./fixtures/hammered-pipelines.ts";

/** The service, and the truth about who called it when. */
class Hammered {
  isDown = true;
  inside = 0;
  succeeded = 0;
  readonly calls: { readonly at: number; readonly insideThen: number; readonly succeededThen: number }[] = [];
  readonly #server = createServer((_, response) => {
    this.inside += 1;
    this.calls.push({ at: Date.now(), insideThen: this.inside, succeededThen: this.succeeded });
    setTimeout(() => {
      this.inside -= 1;
      if (!this.isDown) this.succeeded += 1;
      response.writeHead(this.isDown ? 500 : 200).end();
    }, 30);
  });

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("eight processes that hammer one service", () => {
  const service = new Hammered();
  const processes: ChildProcess[] = [];
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer();
    const url = await service.start();
    const client = await openSluice({ pipelines: [hammering], database: server.url(), worker: false });
    await client.submit(
      hammering,
      Array.from({ length: 3_000 }, (_, n) => ({ n })),
    );
    await client.close();
    const program = fileURLToPath(new URL("fixtures/hammering-process.ts", import.meta.url));
    for (let count = 0; count < 8; count += 1)
      processes.push(spawn(process.execPath, [program, server.url(), url], { stdio: ["ignore", "pipe", "inherit"] }));
    await Promise.all(processes.map((one) => once(one.stdout as NodeJS.ReadableStream, "data")));
  });
  afterAll(async () => {
    await Promise.all(
      processes.map(async (one) => {
        if (one.exitCode !== null) return;
        const ended = once(one, "exit");
        one.kill("SIGTERM");
        await ended;
      }),
    );
    service.stop();
    await server.stop();
  });

  const turns = async () =>
    await query<{ reason: string; at: Date }>(
      server.url(),
      "select reason, at from sluice.journal where kind = 32 order by at",
    );
  const until = (check: () => Promise<unknown>) => expect.poll(check, { timeout: 60_000, interval: 100 });

  it("stop all at once, one of them probes, and they come back as the ramp allows", async () => {
    await until(async () => (await turns()).map((turn) => turn.reason)).toEqual(["opened"]);
    // All workers have acknowledged the valve: from here on nothing may begin but probes.
    await until(async () => {
      const text = `select count(*)::int as behind from sluice.worker w, sluice.valve v
        where w.state = 0 and v.kind = 'breaker' and w.valve_generation < v.generation`;
      return (await query<{ behind: number }>(server.url(), text))[0]?.behind;
    }).toBe(0);
    const before = service.calls.length;
    await until(async () => service.calls.length - before).toBeGreaterThanOrEqual(2);
    const probes = service.calls.slice(before);
    expect(probes.every((call) => call.insideThen === 1)).toBe(true);
    const gaps = probes.slice(1).map((call, index) => call.at - (probes[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(COOLDOWN_MS);

    service.isDown = false;
    await until(async () => (await turns()).map((turn) => turn.reason)).toEqual(["opened", "closed"]);
    await until(async () => service.succeeded).toBeGreaterThan(500);
    const later = service.calls.filter((call) => call.succeededThen > 0);
    // The probe's own success began the ramp; every further one counts.
    const tooMany = later.filter((call) => call.insideThen > 2 ** Math.floor(Math.log2(call.succeededThen)));
    expect(tooMany).toEqual([]);
    expect(await turns()).toHaveLength(2);
  });
});

describe("a breaker over a long queue", () => {
  // A proof asks for a million; what is checked costs the same.
  const WAITING = Number(process.env.SLUICE_WAITING ?? 200_000);
  const EPOCH = "4711";
  let engine: EngineDatabase;
  let lane = 0;

  beforeAll(async () => {
    engine = await engineDatabase();
    const registry = await Registry.register(engine.db, [hammering]);
    await registerService(engine.db, hammered.name, hammered.rules);
    const [place] = registry.lanes();
    lane = place?.lane ?? 0;
    const who = { name: "w", host: "h", pid: 1, pidStarted: "1" };
    await enterWorker(engine.db, who, EPOCH, registry.pipelineIds(), ["hammered"]);
    await engine.rows(
      `insert into sluice.item (id, request_id, nonce, created_at, pipeline_id, priority, codec, input)
       select n, 1, n, now(), ${place?.pipelineId}, 3, 1, '{"n":1}' from generate_series(1, ${WAITING}) n`,
    );
    await engine.rows(
      `insert into sluice.run (id, request_id, ready_at, since, version, lane, stage, priority, state)
       select n, 1, now(), now(), 0, ${lane}, 0, 3, 0 from generate_series(1, ${WAITING}) n`,
    );
    await engine.rows("analyze sluice.run");
  });
  afterAll(() => engine.stop());

  interface Touched {
    readonly written: number;
    readonly read: number;
  }
  /** What a transaction has done to our tables so far, as the server counts it. */
  const touched = async (tx: Queryable): Promise<Touched> => {
    const text = `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as written,
      coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) filter (where relname = 'run'), 0)::int as read
      from pg_stat_xact_user_tables where schemaname = 'sluice'`;
    const [row] = await tx.query<Touched>({ name: "touched", text }, []);
    return row as Touched;
  };
  const during = async (work: (tx: Queryable) => Promise<void>): Promise<Touched> =>
    await engine.db.transaction(async (tx) => {
      // What the session did before may not have been handed in yet, and is counted with it.
      const before = await touched(tx);
      await work(tx);
      const after = await touched(tx);
      return { written: after.written - before.written, read: after.read - before.read };
    });
  const turn = async (tx: Queryable, ends: readonly Partial<CallEnd>[]): Promise<void> => {
    const [row] = await readServices(tx, ["hammered"]);
    if (row === undefined) throw new Error("it was registered");
    const all = ends.map(
      (end, at): CallEnd => ({ at, item: String(at), verdict: "failure", era: row.changed_at, ...end }),
    );
    const judged = judge(healthOf(row), all, hammered.rules, row.now);
    expect(judged.turned).not.toBe(null);
    expect(await saveService(tx, row, judged)).toBe(true);
  };
  const places = () => [1, 2, 3, 4, 5].map((priority) => ({ lane, priority, floor: 0 }));

  it("opens with at most five rows written, and nobody looks at the queue behind it", async () => {
    const opening = await during((tx) => turn(tx, [{}, {}, {}, {}, {}]));
    expect(opening.written).toBeLessThanOrEqual(5);
    expect(opening.read).toBe(0);
    const looking = await during(async (tx) => expect(await dueLanes(tx, [lane])).toEqual(new Map()));
    expect(looking).toEqual({ written: 0, read: 0 });
    await expect(claimFromService(engine.db, "hammered", places(), 100, EPOCH)).resolves.toEqual([]);
  });

  it("lets exactly one item through, and only the holder of the probe", async () => {
    await engine.rows("update sluice.service set probe_at = now()");
    expect(await claimProbe(engine.db, places(), 1, EPOCH)).toEqual([]);
    expect(await takeProbe(engine.db, "hammered", EPOCH, 60_000)).toBe(true);
    expect(await takeProbe(engine.db, "hammered", EPOCH, 60_000)).toBe(false);
    const cost = await during(async (tx) => expect(await claimProbe(tx, places(), 1, EPOCH)).toHaveLength(1));
    expect(cost.read).toBeLessThan(10);
  });

  it("closes with at most five rows written, and lets them go as the ramp allows", async () => {
    const closing = await during((tx) => turn(tx, [{ verdict: "success", probe: EPOCH }]));
    expect(closing.written).toBeLessThanOrEqual(5);
    expect(closing.read).toBe(0);
    await engine.rows("update sluice.run set state = 0, epoch = null where state = 1");
    for (const [successes, most] of [
      [0, 1],
      [1, 2],
      [2, 4],
      [4, 8],
    ] as const) {
      for (let done = 0; done < successes; done += 1) {
        const [row] = await readServices(engine.db, ["hammered"]);
        if (row === undefined) throw new Error("it was registered");
        const ok: CallEnd = { at: row.now, item: "1", verdict: "success", era: row.changed_at };
        await saveService(engine.db, row, judge(healthOf(row), [ok], hammered.rules, row.now));
      }
      expect(await claimFromService(engine.db, "hammered", places(), 100, EPOCH)).toHaveLength(most);
      expect(await claimFromService(engine.db, "hammered", places(), 100, EPOCH)).toHaveLength(0);
      await engine.rows("update sluice.run set state = 0, epoch = null where state = 1");
    }
  });
});
