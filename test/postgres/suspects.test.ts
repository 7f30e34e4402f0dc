// Suspects in real child processes, moved by a real worker.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { insertRequests } from "../../src/engine/intake/submit.sql.ts";
import { JOURNAL_KIND } from "../../src/engine/items/codes.ts";
import { recordCrash } from "../../src/engine/items/crash.sql.ts";
import { Deadlines } from "../../src/engine/workers/deadlines.ts";
import { Gathering } from "../../src/engine/workers/gathering.ts";
import { idempotencyKey } from "../../src/engine/workers/idempotency-key.ts";
import { taken } from "../../src/engine/workers/late.ts";
import { type ChildSuspectsOptions, childSuspects } from "../../src/engine/workers/os/child-suspects.ts";
import { Registry } from "../../src/engine/workers/registry.ts";
import { Services } from "../../src/engine/workers/services.ts";
import type { Suspects } from "../../src/engine/workers/suspects.ts";
import { inlineThreads } from "../../src/engine/workers/threads.ts";
import type { VisitPorts } from "../../src/engine/workers/visit.ts";
import { Worker } from "../../src/engine/workers/worker.ts";
import { enterWorker } from "../../src/engine/workers/worker-row.sql.ts";
import { type Logger, systemClock, systemRandom } from "../../src/kit/index.ts";
import { type EngineDatabase, engineDatabase } from "./fixtures/engine-database.ts";
import { heldSuspect } from "./fixtures/suspect-held.ts";
import { acting, type Deed, hurried, pipelines, together } from "./fixtures/suspect-pipelines.ts";

const fixture = (name: string) => ({
  file: fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)),
  args: [],
  execArgv: [],
});

let engine: EngineDatabase;
let registry: Registry;
let lines: string[] = [];
const note = (event: string) => void lines.push(event);
const log: Logger = { info: note, warn: note, error: note };
const running: { worker: Worker; suspects: Suspects }[] = [];

beforeAll(async () => {
  engine = await engineDatabase();
  registry = await Registry.register(engine.db, pipelines);
});
afterAll(() => engine.stop());
afterEach(async () => {
  await stopAll();
  lines = [];
  await engine.rows("delete from sluice.run");
});

async function stopAll() {
  for (const { worker, suspects } of running.splice(0)) {
    await worker.stop(0);
    await suspects.stop();
  }
}

const measures = { called: () => undefined, resumed: () => undefined };
const servicesOf = (epoch: string) =>
  new Services({
    db: engine.db,
    clock: systemClock,
    log,
    stages: [],
    clients: { counter: { next: () => 2 } },
    measures,
    epoch: () => epoch,
    laneServices: () => [],
    turned: () => undefined,
    letThrough: async () => false,
  });

let epochs = 5000;
async function work(entry = fixture("suspect-entry.ts"), children = 4) {
  epochs += 1;
  const epoch = String(epochs);
  await enterWorker(engine.db, { name: "w", host: "h", pid: 1, pidStarted: "1" }, epoch, registry.pipelineIds());
  const suspects = childSuspects({ log, entry, children });
  const services = servicesOf(epoch);
  const worker = new Worker(
    {
      db: engine.db,
      clock: systemClock,
      random: systemRandom,
      log,
      registry,
      installation: "here",
      services,
      measures,
      epoch: () => epoch,
      valveGeneration: () => "0",
      isClosed: () => false,
      visitSuspect: (held, ports) => suspects.visit(held, ports),
      heard: () => undefined,
      usedUp: () => undefined,
      moved: () => worker.wake(),
      waitsChanged: () => undefined,
    },
    { concurrency: 100, pollMs: 50 },
  );
  running.push({ worker, suspects });
  await worker.start();
  return { worker, suspects, epoch };
}

/** As if a process that died had held them. */
async function suspectsOf(
  pipeline: typeof acting | typeof hurried | typeof together,
  wanted: readonly Deed[],
): Promise<string[]> {
  const place = registry.placesOf(pipeline)?.[0];
  if (place === undefined) throw new Error("not registered");
  const rows = await insertRequests(
    engine.db,
    [{ total: wanted.length, key: null, owner: null, parent: null }],
    wanted.map((deed) => ({
      request: 1,
      pipeline: place.pipelineId,
      lane: place.lane,
      nonce: "1",
      priority: 3,
      delayMs: 0,
      owner: null,
      fairness: null,
      key: null,
      input: JSON.stringify({ deed }),
    })),
  );
  const ids = rows.map((row) => row.id);
  await engine.rows("update sluice.run set suspicion = 1 where id = any ($1)", [ids]);
  return ids;
}

interface Line {
  readonly kind: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly reason: string | null;
  readonly output: unknown;
}

const history = (id: string) =>
  engine.rows<Line>(
    "select kind, code, message, reason, output from sluice.journal where item_id = $1 and kind <> 0 order by xid, seq",
    [id],
  );
const kinds = async (id: string) => (await history(id)).map((line) => line.kind);
const until = (look: () => Promise<unknown>) => expect.poll(look, { timeout: 60_000, interval: 50 });
const { done, fault, crashed, spawn: spawned } = JOURNAL_KIND;

describe("suspects", () => {
  it("end as CRASH_LOOP when their process dies three times, and those beside them finish", async () => {
    const [poison = "", ...innocent] = await suspectsOf(acting, ["abort", ...Array<Deed>(9).fill("linger")]);
    await work();
    await until(() => kinds(poison)).toEqual([crashed, crashed, fault]);
    expect((await history(poison)).at(-1)).toMatchObject({
      code: "CRASH_LOOP",
      message: expect.stringMatching(/SIGABRT/),
    });
    const ends: number[][] = [];
    for (const id of innocent) {
      await until(async () => (await kinds(id)).at(-1)).toBe(done);
      ends.push(await kinds(id));
    }
    // All were in its child: seven from the beginning, the others once those had lasted for a while.
    expect(ends).toEqual(Array(9).fill([crashed, done]));
  });

  it("are counted when their code ends the process in good order", async () => {
    const [id = ""] = await suspectsOf(acting, ["exit"]);
    await work();
    await until(() => kinds(id)).toEqual([crashed, crashed, fault]);
    expect((await history(id)).at(-1)).toMatchObject({ code: "CRASH_LOOP" });
  });

  it("save checkpoints through their parent, which survive the child", async () => {
    const [id = ""] = await suspectsOf(acting, ["checkpoint"]);
    await work();
    await until(() => kinds(id)).toEqual([crashed, done]);
    expect((await history(id)).at(-1)).toMatchObject({ output: { half: "done" } });
  });

  it("that spin beyond their time are faults, not crashes, and cost those beside them nothing", async () => {
    const [slow = "", other = ""] = await suspectsOf(hurried, ["spin", "fine"]);
    await work();
    await until(() => kinds(slow)).toEqual([fault]);
    expect((await history(slow)).at(-1)).toMatchObject({ code: "TIMEOUT" });
    await until(() => kinds(other)).toEqual([done]);
  });

  it("are handed back uncounted when the worker stops", async () => {
    const [id = ""] = await suspectsOf(acting, ["ignore"]);
    const { worker } = await work();
    await until(async () => worker.busy).toBe(1);
    await stopAll();
    expect(await kinds(id)).toEqual([]);
    expect(await engine.rows("select state, crashes from sluice.run where id = $1", [id])).toEqual([
      { state: 0, crashes: 0 },
    ]);
  });

  it("run in another process, with the key they always had, and are suspects no longer", async () => {
    const [id = ""] = await suspectsOf(acting, ["where"]);
    await work();
    await until(() => kinds(id)).toEqual([done]);
    const [line] = await history(id);
    expect(line?.output).toEqual({
      pid: expect.any(Number),
      key: idempotencyKey("here", ["1", "act", 1, { deed: "where" }]),
    });
    expect(line?.output).not.toMatchObject({ pid: process.pid });
    const [busy = ""] = await suspectsOf(acting, ["busy"]);
    await until(() => kinds(busy)).toEqual([fault]);
    expect(await engine.rows("select suspicion, crashes from sluice.run where id = $1", [busy])).toEqual([
      { suspicion: 0, crashes: 0 },
    ]);
  });

  it("come to the same end as at home, whatever they return or throw", async () => {
    const wanted: Deed[] = ["spawn", "date", "nothing", "busy", "refuse"];
    const [spawning = "", dated = "", nothing = "", busy = "", refusing = ""] = await suspectsOf(acting, wanted);
    await work();
    await until(() => kinds(spawning)).toEqual([spawned]);
    for (const id of [dated, nothing, busy, refusing]) await until(() => kinds(id)).toEqual([fault]);
    expect((await history(dated))[0]).toMatchObject({
      code: "BUG",
      message: expect.stringContaining("output of act.at"),
    });
    expect((await history(nothing))[0]).toMatchObject({
      code: "BUG",
      message: expect.stringContaining("got undefined"),
    });
    expect((await history(busy))[0]).toMatchObject({ code: "BUSY", reason: "rate_limited", message: "come back" });
    expect((await history(refusing))[0]).toMatchObject({ code: "NO", message: "never" });
  });

  it("call services with a client of their own, behind the parent's breaker", async () => {
    const [id = ""] = await suspectsOf(acting, ["call"]);
    await work();
    await until(() => kinds(id)).toEqual([done]);
    const [line] = await history(id);
    expect(line?.output).toEqual({ pid: expect.any(Number), count: 1 });
    expect(line?.output).not.toMatchObject({ pid: process.pid });
    const open = "update sluice.service set is_open = true, probe_at = now() where name = 'counter'";
    await engine.rows(open);
    await stopAll();
    const [held = ""] = await suspectsOf(acting, ["call"]);
    await work();
    await until(() => kinds(held)).toEqual([fault]);
    expect((await history(held))[0]).toMatchObject({ code: "SERVICE_DOWN", reason: "service_down" });
    await engine.rows("update sluice.service set is_open = false, probe_at = null");
  });

  it("are each alone in a call that takes many, inside what is wrapped around every visit", async () => {
    const ids = await suspectsOf(together, ["where", "where", "where"]);
    await work();
    for (const id of ids) {
      await until(() => kinds(id)).toEqual([done]);
      const { output } = (await history(id))[0] ?? {};
      expect(output).toMatchObject({ visits: 1, wrapped: "gather" });
      expect(output).not.toMatchObject({ pid: process.pid });
    }
  });

  it("are visited at home when no child comes up", async () => {
    const [id = ""] = await suspectsOf(acting, ["where"]);
    await work(fixture("no-such-entry.ts"));
    await until(() => kinds(id)).toEqual([done]);
    expect((await history(id))[0]?.output).toMatchObject({ pid: process.pid });
    expect(lines).toContain("suspects.no-child");
    expect(lines).toContain("suspect.unguarded");
  });
});

describe("children", () => {
  const ports: VisitPorts = {
    around: [],
    threads: inlineThreads(),
    clock: systemClock,
    gathering: new Gathering(systemClock),
    deadlines: new Deadlines(systemClock),
    installation: "here",
    call: async (_held, _service, work) => await work(undefined),
    saveCheckpoint: async () => undefined,
    reportProgress: () => undefined,
    noted: () => undefined,
  };
  const open: Suspects[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.stop();
  });

  function pool(options: Partial<ChildSuspectsOptions> = {}): Suspects {
    const made = childSuspects({ log, entry: fixture("suspect-entry.ts"), ...options });
    open.push(made);
    return made;
  }

  const pidOf = (result: unknown) => (result as { outcome: { output: { pid: number } } }).outcome.output.pid;

  it("are used again while they are healthy, but never for one that has to be alone", async () => {
    const suspects = pool();
    const first = pidOf(await suspects.visit(heldSuspect("1", "where"), ports));
    expect(pidOf(await suspects.visit(heldSuspect("2", "where"), ports))).toBe(first);
    const alone = pidOf(await suspects.visit(heldSuspect("3", "where", 1), ports));
    expect(alone).not.toBe(first);
    expect(pidOf(await suspects.visit(heldSuspect("4", "where", 1), ports))).not.toBe(alone);
    expect(pidOf(await suspects.visit(heldSuspect("5", "where"), ports))).toBe(first);
  });

  it("have ended only when what came of their calls is written down", async () => {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const call: VisitPorts["call"] = async (_held, _service, work) => {
      const result = await work(undefined);
      reached.resolve();
      await gate.promise;
      return result;
    };
    const suspects = pool();
    let isOver = false;
    const first = suspects.visit(heldSuspect("1", "call"), { ...ports, call }).finally(() => {
      isOver = true;
    });
    await reached.promise;
    // Its messages come after those of the first, from the same child.
    const second = pidOf(await suspects.visit(heldSuspect("2", "where"), ports));
    expect(isOver).toBe(false);
    gate.resolve();
    expect(pidOf(await first)).toBe(second);
  });

  it("say nothing about a service in whose calls they were told to stop", async () => {
    const suspects = pool();
    const services = servicesOf("1");
    const inCall = Promise.withResolvers<void>();
    let calls = 0;
    const call: VisitPorts["call"] = async (held, service, work, signal) => {
      const counted = (client: unknown) => {
        calls += 1;
        if (calls === 8) inCall.resolve();
        return work(client);
      };
      return await services.call(service, held.row.id, counted, { signal });
    };
    const held = Array.from({ length: 8 }, (_, n) => heldSuspect(String(n), "hang"));
    const visits = held.map((one) => suspects.visit(one, { ...ports, call }));
    await inCall.promise;
    for (const one of held) one.abort.abort(taken("no longer ours"));
    for (const result of await Promise.all(visits)) expect(result).toMatchObject({ fault: { code: "TAKEN" } });
    await services.stop();
    const [counter] = await engine.rows("select is_open, recent from sluice.service where name = 'counter'");
    expect(counter).toEqual({ is_open: false, recent: [] });
  });

  it("end after a while without work", async () => {
    const suspects = pool({ limits: { idleMs: 50 } });
    const pid = pidOf(await suspects.visit(heldSuspect("1", "where"), ports));
    await until(async () => existsSync(`/proc/${pid}`)).toBe(false);
  });

  it("make room: more of either kind than there are places all come to their end", async () => {
    const suspects = pool({ children: 2 });
    const all = Array.from({ length: 12 }, (_, n) =>
      suspects.visit(heldSuspect(String(n), "fine", n % 3 === 0 ? 1 : 0), ports),
    );
    for (const result of await Promise.all(all)) expect(result).toMatchObject({ outcome: { output: "fine" } });
  });

  it("are ended when a visit does not stop; those beside it begin again in another", async () => {
    const suspects = pool({ limits: { abortMs: 100 } });
    const stubborn = heldSuspect("1", "ignore");
    const gone = suspects.visit(stubborn, ports);
    const beside = suspects.visit(heldSuspect("2", "linger"), ports);
    // Its answer says that both have been delivered: one child takes them in order.
    await suspects.visit(heldSuspect("3", "where"), ports);
    stubborn.abort.abort(taken("no longer ours"));
    expect(await gone).toMatchObject({ fault: { code: "TAKEN" } });
    expect(await beside).toMatchObject({ outcome: { output: "fine" } });
  });

  it("that wait for a place let go of it when they are told to", async () => {
    const suspects = pool({ children: 1 });
    const first = suspects.visit(heldSuspect("1", "linger", 1), ports);
    const second = heldSuspect("2", "fine", 1);
    const waiting = suspects.visit(second, ports);
    second.abort.abort(taken("no longer ours"));
    expect(await waiting).toMatchObject({ fault: { code: "TAKEN" } });
    expect(await first).toMatchObject({ outcome: { output: "fine" } });
  });

  it("do not outlive a parent that was killed, even in an endless loop", async () => {
    const script = fileURLToPath(new URL("fixtures/orphaning-parent.ts", import.meta.url));
    const parent = spawn(process.execPath, [script], { stdio: ["ignore", "ignore", "pipe"] });
    const [said] = await once(parent.stderr, "data");
    expect(String(said)).toMatch(/^spinning \d+\n/);
    parent.kill("SIGKILL");
    // The child holds the other end as well: it ends when both are gone.
    await once(parent.stderr.resume(), "end");
  });
});

describe("a counted crash", () => {
  it("is refused to anyone but the holder", async () => {
    const [id = ""] = await suspectsOf(acting, ["fine"]);
    await engine.rows("update sluice.run set state = 1, epoch = 77, version = 5 where id = $1", [id]);
    const facts = { how: "it was ended by SIGABRT", tookMs: 12 };
    expect(await recordCrash(engine.db, { id, version: 4 }, "77", facts)).toBe(false);
    expect(await recordCrash(engine.db, { id, version: 5 }, "78", facts)).toBe(false);
    expect(await kinds(id)).toEqual([]);
    expect(await recordCrash(engine.db, { id, version: 5 }, "77", facts)).toBe(true);
    expect(await recordCrash(engine.db, { id, version: 5 }, "77", facts)).toBe(false);
    const [row] = await engine.rows("select state, epoch, version, crashes, suspicion from sluice.run where id = $1", [
      id,
    ]);
    expect(row).toEqual({ state: 0, epoch: null, version: 6, crashes: 1, suspicion: 1 });
    expect(await history(id)).toMatchObject([{ kind: crashed, code: "CRASHED", message: "it was ended by SIGABRT" }]);
  });
});
