import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { countSteps, type Output } from "./run-steps.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-steps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const quiet: Output = { say: () => {}, steps: "ignore" };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed orphan stays a zombie until somebody collects it; it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // no such process
  }
}

describe("a run of steps", () => {
  it("counts each step as one, and goes on after a failure", async () => {
    const total = await countSteps(
      [
        { name: "bad", command: ["false"], limitSeconds: 5 },
        { name: "good", command: ["true"], limitSeconds: 5 },
      ],
      quiet,
    );
    expect(total).toMatchObject({ passed: 1, failed: 1, wrong: ["bad: ended with 1"] });
  });

  it("fails a step whose file or program does not exist", async () => {
    const total = await countSteps(
      [
        { name: "no file", command: ["node", "test/nowhere/cli.ts"], limitSeconds: 5 },
        { name: "no program", command: ["there-is-no-such-program"], limitSeconds: 5 },
      ],
      quiet,
    );
    expect(total).toMatchObject({ passed: 0, failed: 2 });
  });

  it("ends a step that takes too long, with its children", async () => {
    const pids = join(folder, "slow");
    const command = ["bash", "-c", `sleep 300 & echo $! > ${pids}; sleep 300`] as const;
    expect(await countSteps([{ name: "slow", command, limitSeconds: 0.5 }], quiet)).toMatchObject({
      passed: 0,
      failed: 1,
    });
    await expect.poll(() => isAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
  });

  it("ends what a finished step left running", async () => {
    const pids = join(folder, "left");
    const command = ["bash", "-c", `sleep 300 & echo $! > ${pids}`] as const;
    expect(await countSteps([{ name: "leaves a child", command, limitSeconds: 5 }], quiet)).toMatchObject({
      passed: 1,
      failed: 0,
    });
    await expect.poll(() => isAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
  });
});
