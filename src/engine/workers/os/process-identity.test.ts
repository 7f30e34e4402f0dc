import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { isGone, ownProcess } from "./process-identity.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

const self = ownProcess();
const own = { host: self.host, pid: self.pid, pid_started: self.pidStarted };

/** A shell that says when it runs and then waits for its input to end. */
async function shell(script: string): Promise<ChildProcess> {
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  started.push(child);
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

/** As the row of a worker in that process would have it. */
function rowOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [, ...fields] = stat.slice(stat.lastIndexOf(")")).split(" ");
  return { host: self.host, pid, pid_started: fields[19] ?? "" };
}

describe("a worker's process", () => {
  it("is not gone while it runs", async () => {
    const child = await shell("echo up; cat");
    expect(isGone(rowOf(child.pid as number), self)).toBe(false);
    expect(isGone(own, self)).toBe(false);
  });

  it("is not gone while it is stopped, for it may go on", async () => {
    const child = await shell("echo up; cat");
    child.kill("SIGSTOP");
    expect(isGone(rowOf(child.pid as number), self)).toBe(false);
  });

  it("is gone once it was killed", async () => {
    const child = await shell("echo up; cat");
    const row = rowOf(child.pid as number);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isGone(row, self)).toBe(true);
  });

  it("is gone when it is a zombie that nobody reaps", async () => {
    // The shell starts a child, tells its pid, and becomes `cat`, which never asks after its children.
    const parent = await shell("sleep 600 & echo $!; exec cat");
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("cat\n");
    const row = rowOf(Number(readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8")));
    expect(isGone(row, self)).toBe(false);
    process.kill(row.pid, "SIGKILL");
    await expect.poll(() => readFileSync(`/proc/${row.pid}/stat`, "utf8")).toContain(") Z ");
    expect(isGone(row, self)).toBe(true);
  });

  it("is gone when another process has its pid", () => {
    expect(isGone({ ...own, pid_started: "1" }, self)).toBe(true);
  });

  it("may live on another host, after another boot or in another container, for all we know", () => {
    const [name, boot, ...rest] = self.host.split(" ");
    const elsewhere = [`other ${boot} ${rest.join(" ")}`, `${name} other ${rest.join(" ")}`, `${name} ${boot} pid:[1]`];
    for (const host of elsewhere) expect(isGone({ ...own, host, pid_started: "1" }, self)).toBe(false);
  });

  it("may live where nobody could tell when it started", () => {
    expect(isGone({ ...own, pid: 2 ** 22 + 1, pid_started: "unknown" }, self)).toBe(false);
    expect(isGone({ ...own, pid_started: "1" }, { ...self, pidStarted: "unknown" })).toBe(false);
  });

  it("is named with host, boot and namespace", () => {
    expect(self.host).toMatch(/^\S+ [0-9a-f-]{36} pid:\[\d+\]/);
    expect(self.pidStarted).toMatch(/^\d+$/);
  });
});
