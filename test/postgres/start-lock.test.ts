// The start lock under processes that are killed while they hold it, wait for it, or take it from a dead one.
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatIdentity, ownIdentity, parseIdentity } from "../../src/engine/db/embedded/process-identity.ts";
import { withLock } from "../../src/engine/db/embedded/start-lock.ts";
import { sleep } from "../../src/engine/db/embedded/wait.ts";

const script = fileURLToPath(new URL("fixtures/lock-process.ts", import.meta.url));
const children = new Set<ChildProcess>();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-lock-"));
  await writeFile(join(folder, "inside"), "");
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([...children].map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
  children.clear();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test("never two inside, and never stuck, over 60 kills of the very process that holds it", {
  timeout: 120_000,
}, async () => {
  const seen: string[] = [];
  let kills = 0;
  await new Promise<void>((resolve, reject) => {
    const start = () => {
      const child = fork(script, [folder], { execArgv: [] });
      children.add(child);
      let left = 1 + (kills % 7);
      child.on("error", reject);
      child.on("message", (message) => {
        seen.push(String(message));
        left -= 1;
        // Its message says it is inside, or was a moment ago: killed there, the next finds a dead holder.
        if (left === 0) child.kill("SIGKILL");
      });
      child.on("exit", () => {
        children.delete(child);
        kills += 1;
        if (kills >= 60) resolve();
        else if (kills + children.size < 60) start();
      });
    };
    for (let n = 0; n < 5; n += 1) start();
  });
  expect(seen).not.toContain("two inside");
  expect(seen.length).toBeGreaterThanOrEqual(60);
  await withLock(join(folder, "start.lock"), sleep, async () => undefined);
});

test("one who looked when the holder was dead, and was slow, does not rob the next holder", async () => {
  const lock = join(folder, "start.lock");
  const pipe = join(folder, "pipe");
  // Reading a pipe waits for its writer: the slow one stands between looking and acting for as long as we like.
  await promisify(execFile)("mkfifo", [lock]);
  const order: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const noticed = (ms: number) => {
    waiting.resolve();
    return sleep(ms);
  };
  const slow = withLock(lock, noticed, async () => order.push("slow"));
  const writer = await open(lock, "w");
  await rename(lock, pipe);
  await withLock(lock, sleep, async () => {
    order.push("next enters");
    await writer.writeFile("1 1 another-boot\n");
    await writer.close();
    // It has acted on what it read once it is waiting, or, wrongly, inside.
    await Promise.race([waiting.promise, slow]);
    order.push("next leaves");
  });
  await slow;
  expect(order).toEqual(["next enters", "next leaves", "slow"]);
});

test("a lock whose content was lost in a power cut is nobody's", async () => {
  await writeFile(join(folder, "start.lock"), "");
  await expect(withLock(join(folder, "start.lock"), sleep, async () => "mine")).resolves.toBe("mine");
});

test("a lock from before the last boot is nobody's, even though its pid lives", async () => {
  const own = await ownIdentity();
  await writeFile(join(folder, "start.lock"), formatIdentity({ ...own, boot: "another-boot" }));
  await expect(withLock(join(folder, "start.lock"), sleep, async () => "mine")).resolves.toBe("mine");
});

test("a living holder is never robbed, however old its lock, and named when the wait is over", async () => {
  const lock = join(folder, "start.lock");
  let slept = 0;
  const patient = async (ms: number) => {
    slept += ms;
  };
  await withLock(lock, sleep, async () => {
    await utimes(lock, 0, 0);
    const second = withLock(lock, patient, async () => "stolen", 20_000);
    await expect(second).rejects.toMatchObject({ code: "LOCKED", message: expect.stringContaining(`${process.pid}`) });
  });
  expect(slept).toBeGreaterThanOrEqual(20_000);
});

test("a name of a process that is not whole is no name", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.uuid(), fc.nat(), (pid, started, boot, cut) => {
      const whole = `${pid} ${started} ${boot}\n`;
      expect(parseIdentity(whole)).toEqual({ pid, started: String(started), boot });
      expect(parseIdentity(whole.slice(0, cut % whole.length))).toBeUndefined();
    }),
  );
});
