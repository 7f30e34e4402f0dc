// Processes that are started and ended here, and never outlive who started them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ManagedProcess } from "../../sandbox/processes/managed.ts";

const module = join(import.meta.dirname, "fixtures/child.ts");
const made: ManagedProcess[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.kill();
});
function managed(how = "well", options: { readyMs?: number; hearMs?: number } = {}): ManagedProcess {
  const one = new ManagedProcess({ name: "thing", module, args: [how], ...options });
  made.push(one);
  return one;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed orphan stays a zombie until somebody collects it; it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // no such process
  }
}
const ownChild = (one: ManagedProcess) => Number(/child (\d+)/.exec(one.log.lines().join("\n"))?.[1]);
const isGone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);

describe("a managed process", () => {
  it("is up when it says so, and down again with all that it started", async () => {
    const one = managed();
    expect([one.state, one.downSince]).toEqual(["down", expect.any(Date)]);
    const starting = one.start();
    expect(one.state).toBe("starting");
    await starting;
    expect([one.state, one.downSince]).toEqual(["up", null]);
    const pids = [one.pid ?? 0, ownChild(one)];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await one.stop();
    expect(one.state).toBe("down");
    expect(one.log.lines()).toContain("ending in order");
    for (const pid of pids) await isGone(pid);
  });

  it("is killed without being asked", async () => {
    const one = managed();
    await one.start();
    const pids = [one.pid ?? 0, ownChild(one)];
    await one.kill();
    expect(one.log.lines()).not.toContain("ending in order");
    for (const pid of pids) await isGone(pid);
  });

  it("starts again after it was ended, by us or by itself, with the faults it has", async () => {
    const one = managed();
    await one.start();
    await one.tell(["slow"]);
    process.kill(one.pid ?? 0, "SIGKILL");
    await expect.poll(() => one.state).toBe("down");
    await isGone(ownChild(one));
    await one.start(["slow", "lie"]);
    expect(one.state).toBe("up");
    expect(one.log.lines().filter((line) => line.startsWith("faults"))).toEqual(["faults: slow", "faults: slow lie"]);
  });

  it("is not waited for when it does not listen, and can be ended all the same", async () => {
    const one = managed("well", { hearMs: 200 });
    await one.start();
    const pid = one.pid ?? 0;
    process.kill(pid, "SIGSTOP");
    await expect(one.tell(["slow"])).rejects.toThrow("thing was not told what is wrong with it: it does not listen");
    await one.kill();
    await isGone(pid);
  });

  it("that ends while it is told harms nobody", async () => {
    const one = managed();
    await one.start();
    process.kill(one.pid ?? 0, "SIGSTOP");
    const told = one.tell(["slow"]);
    process.kill(one.pid ?? 0, "SIGKILL");
    await expect(told).rejects.toThrow("it ended meanwhile");
  });

  it("says with its own last words why it does not start", async () => {
    const one = managed("fails");
    await expect(one.start()).rejects.toThrow(/^thing did not start: (.|\n)*the port is taken/);
    await isGone(ownChild(one));
  });

  it("is given up and ended when it never answers", async () => {
    const one = managed("silent", { readyMs: 3_000 });
    await expect(one.start()).rejects.toThrow("thing did not start: it took too long");
    expect(one.state).toBe("down");
    await isGone(ownChild(one));
  });
});

describe("a parent that is killed", () => {
  it("takes its children along, and theirs", async () => {
    const parent = spawn("node", [join(import.meta.dirname, "fixtures/parent.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(parent.stdout.setEncoding("utf8"), "data");
    const pids: number[] = JSON.parse(line);
    expect(pids.map(isAlive)).toEqual([true, true]);
    parent.kill("SIGKILL");
    for (const pid of pids) await isGone(pid);
  });
});
