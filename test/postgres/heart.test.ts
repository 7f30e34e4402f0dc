// The beat as a real process has it: from a thread, over a connection of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Heart } from "../../src/engine/workers/heart.ts";
import { type ThreadHeartOptions, threadHeart } from "../../src/engine/workers/os/thread-heart.ts";
import { aliveWorkers, enterWorker, markDead } from "../../src/engine/workers/worker-row.sql.ts";
import type { Logger } from "../../src/kit/index.ts";
import { type EngineDatabase, engineDatabase } from "./fixtures/engine-database.ts";

let engine: EngineDatabase;
const hearts: Heart[] = [];
let lines: string[] = [];
const note = (event: string) => void lines.push(event);
const log: Logger = { info: note, warn: note, error: note };

beforeAll(async () => {
  engine = await engineDatabase();
});
afterAll(() => engine.stop());
afterEach(async () => {
  await Promise.all(hearts.splice(0).map((heart) => heart.stop()));
  lines = [];
});

let epochs = 1000;
async function enter(): Promise<string> {
  epochs += 1;
  const epoch = String(epochs);
  await enterWorker(engine.db, { name: "w", host: "h", pid: 1, pidStarted: "1" }, epoch, []);
  return epoch;
}

/** A signal that can be waited for more than once. */
function counter() {
  let count = 0;
  let waiting: { wanted: number; resolve: () => void }[] = [];
  return {
    rise() {
      count += 1;
      for (const one of waiting) if (count >= one.wanted) one.resolve();
      waiting = waiting.filter((one) => count < one.wanted);
    },
    /** From now on, this many more. */
    more: (n: number) => new Promise<void>((resolve) => waiting.push({ wanted: count + n, resolve })),
  };
}

function heart(listener: Partial<ThreadHeartOptions["listener"]> = {}, options: Partial<ThreadHeartOptions> = {}) {
  const beaten = counter();
  const dead = counter();
  const made = threadHeart(engine.url, {
    log,
    everyMs: 200,
    listener: {
      beaten(generation) {
        beaten.rise();
        listener.beaten?.(generation);
      },
      foundDead() {
        dead.rise();
        listener.foundDead?.();
      },
      ...(listener.invitation === undefined ? {} : { invitation: listener.invitation }),
    },
    ...options,
  });
  hearts.push(made);
  return { heart: made, beaten, dead };
}

async function worker(epoch: string) {
  return (await aliveWorkers(engine.db)).find((row) => row.epoch === epoch);
}

describe("the heart", () => {
  it("beats on while the main thread is busy for three seconds", async () => {
    const epoch = await enter();
    const one = heart();
    const first = one.beaten.more(1);
    await one.heart.start(epoch);
    await first;
    const before = Number((await worker(epoch))?.beat);
    const until = performance.now() + 3_000;
    while (performance.now() < until);
    const after = Number((await worker(epoch))?.beat);
    // Fifteen beats fit; on a machine that is busy elsewhere some come late.
    expect(after - before).toBeGreaterThanOrEqual(8);
  });

  it("names the server process behind it, which others can see come and go", async () => {
    const epoch = await enter();
    const one = heart();
    const second = one.beaten.more(2);
    await one.heart.start(epoch);
    await second;
    expect(await worker(epoch)).toMatchObject({ connected: true, backend_pid: expect.any(Number) });
    await one.heart.stop();
    await expect.poll(async () => (await worker(epoch))?.connected).toBe(false);
  });

  it("names none behind a pooler", async () => {
    const epoch = await enter();
    const one = heart({}, { direct: false });
    const second = one.beaten.more(2);
    await one.heart.start(epoch);
    await second;
    expect(await worker(epoch)).toMatchObject({ connected: null, backend_pid: null });
  });

  it("returns over a new connection when the server cuts it off, sooner than its next turn", async () => {
    const epoch = await enter();
    const one = heart({}, { everyMs: 60_000 });
    const first = one.beaten.more(1);
    await one.heart.start(epoch);
    await first;
    const before = await worker(epoch);
    await engine.rows("select pg_terminate_backend($1)", [before?.backend_pid]);
    await expect
      .poll(async () => (await worker(epoch))?.backend_pid, { timeout: 10_000 })
      .not.toBe(before?.backend_pid);
    expect(await worker(epoch)).toMatchObject({ connected: true });
    expect(lines).toContain("beat.disconnected");
  });

  it("tells of the valves' generation and passes on which one is acted upon", async () => {
    const epoch = await enter();
    await engine.rows("update sluice.valve_clock set generation = 7");
    const heard: string[] = [];
    const one = heart({ beaten: (generation) => void heard.push(generation) });
    const first = one.beaten.more(1);
    await one.heart.start(epoch);
    await first;
    expect(heard[0]).toBe("7");
    one.heart.acknowledge("7");
    await one.beaten.more(2);
    const [row] = await engine.rows("select valve_generation from sluice.worker where epoch = $1", [epoch]);
    expect(row).toEqual({ valve_generation: "7" });
  });

  it("says what may be handed over, and takes it back while the main thread is too busy to be asked", async () => {
    const epoch = await enter();
    const invitation = () => ({ items: 5, lanes: [1, 2] });
    const one = heart({ invitation }, { everyMs: 60_000 });
    const invited = async () => await engine.rows("select invites, lanes from sluice.worker where epoch = $1", [epoch]);
    await engine.rows("create table public.said (n int generated always as identity, invites int)");
    await engine.rows(`create function public.says() returns trigger language plpgsql as
      'begin insert into public.said (invites) values (new.invites); return null; end'`);
    await engine.rows(`create trigger says after update on sluice.worker for each row when (new.epoch = ${epoch})
      execute function public.says()`);
    const said = async () =>
      (await engine.rows<{ invites: number }>("select invites from said order by n")).map((row) => row.invites);
    await one.heart.start(epoch);
    await expect.poll(invited).toEqual([{ invites: 5, lanes: [1, 2] }]);
    one.heart.hurry();
    const until = performance.now() + 1_000;
    while (performance.now() < until);
    // And again as soon as it answers, long before its next turn.
    await expect.poll(async () => (await said()).slice(-2)).toEqual([0, 5]);
    expect(await invited()).toEqual([{ invites: 5, lanes: [1, 2] }]);
    await engine.rows("drop trigger says on sluice.worker");
  });

  it("finds out that it was marked dead, once, and beats for the next life", async () => {
    const epoch = await enter();
    const one = heart();
    const first = one.beaten.more(1);
    await one.heart.start(epoch);
    await first;
    const died = one.dead.more(1);
    // A beat may come between the look and the mark; then it was alive, and the next look tries again.
    await expect.poll(async () => markDead(engine.db, epoch, (await worker(epoch))?.beat ?? "0")).toBe(true);
    await died;
    const next = await enter();
    const again = one.beaten.more(2);
    await one.heart.start(next);
    await again;
    expect(Number((await worker(next))?.beat)).toBeGreaterThan(0);
  });

  it("is started anew when its thread dies, for the same life", async () => {
    const epoch = await enter();
    const thread = new URL("fixtures/dying-heart-thread.ts", import.meta.url);
    const one = heart({}, { thread });
    const first = one.beaten.more(1);
    await one.heart.start(epoch);
    await first;
    await expect.poll(() => lines, { timeout: 20_000 }).toContain("heart.ended");
    expect(lines).toContain("heart.crashed");
    await one.beaten.more(1);
  });

  it("does not keep a process alive, stopped or not", async () => {
    for (const ending of ["await heart.stop();", ""]) {
      const script = `
        import { threadHeart } from "./src/engine/workers/os/thread-heart.ts";
        const log = { info() {}, warn() {}, error() {} };
        const heart = threadHeart("postgres://nobody@127.0.0.1:1/none", { log, listener: { beaten() {}, foundDead() {} } });
        await heart.start("1");
        ${ending}`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
      const limit = new AbortController();
      const late = sleep(20_000, "late", { signal: limit.signal }).catch(() => "");
      const [code] = await Promise.race([once(child, "exit"), late.then((word) => [word])]);
      limit.abort();
      child.kill("SIGKILL");
      expect(code).toBe(0);
    }
  });
});
