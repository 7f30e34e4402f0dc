// The command line, as a process, on a real server.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSluice } from "../../src/engine/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { echo } from "./fixtures/cli-pipelines.ts";

const root = path.resolve(import.meta.dirname, "../..");
const cli = path.join(root, "src/main/cli.ts");
const module = path.join(root, "test/postgres/fixtures/cli-pipelines.ts");
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const environment = () => ({ ...process.env, DATABASE_URL: server.url() });

async function sluice(args: string[], env: NodeJS.ProcessEnv = environment()) {
  try {
    const { stdout, stderr } = await promisify(execFile)("node", [cli, ...args], { env, timeout: 30_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

function said(child: ChildProcess, text: string): Promise<void> {
  let heard = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      heard += String(chunk);
      if (heard.includes(text)) resolve();
    });
    child.once("exit", () => reject(new Error(`never said ${JSON.stringify(text)}, but: ${heard}`)));
  });
}

describe("sluice", () => {
  it("tells its version and its commands", async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    expect(await sluice(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await sluice(["--help"])).stdout).toMatch(
      /sluice up[\s\S]*worker \[module\][\s\S]*migrate[\s\S]*DATABASE_URL/,
    );
    expect((await sluice([])).stdout).toMatch(/sluice up/);
  });

  it.each([
    { args: ["dance"], says: "unknown command 'dance'" },
    { args: ["--colour"], says: "unknown option '--colour'" },
    { args: ["worker"], says: "sluice worker needs something to work on" },
    { args: ["up", "one", "two"], says: "too many arguments for 'up'" },
    { args: ["up", "/nowhere.ts"], says: "cannot load /nowhere.ts" },
    { args: ["up", path.join(root, "src/kit/text.ts")], says: "exports no pipeline" },
    { args: ["migrate", "--database", "mysql://x"], says: "database is postgres://… or a folder" },
    { args: ["lss"], says: "Did you mean ls?" },
    { args: ["ls", "--limit", "many"], says: "--limit is a whole number" },
  ])("answers $args with what would work, and with code 2", async ({ args, says }) => {
    const { code, stdout, stderr } = await sluice(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(stderr).toContain("\n  → ");
  });

  it("worker without a database says so", async () => {
    const { code, stderr } = await sluice(["worker", module], { ...process.env, DATABASE_URL: "" });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "sluice: sluice worker needs DATABASE_URL or --database\n  → sluice up keeps a database of its own\n",
    });
  });

  it("a server that is not there is told in a sentence", async () => {
    const { code, stderr } = await sluice(["migrate", "--database", "postgres://127.0.0.1:1/none"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/ECONNREFUSED/);
  });

  it("migrate brings the schema up to date, and again does nothing", async () => {
    expect(await sluice(["migrate"])).toMatchObject({ code: 0, stdout: "the schema is up to date\n" });
    expect(await sluice(["migrate"])).toMatchObject({ code: 0, stdout: "the schema is up to date\n" });
  });

  it("worker works on a module's pipelines, and SIGTERM ends it", async () => {
    const worker = spawn("node", [cli, "worker", module], { env: environment(), stdio: ["ignore", "pipe", "ignore"] });
    try {
      await said(worker, "working on echo@1");
      const client = await openSluice({ pipelines: [echo], database: server.url(), worker: false });
      const request = await client.submit(echo, [{ word: "ahoy" }]);
      expect((await request.result()).items[0]?.output).toEqual({ said: "ahoy" });
      await client.close();
    } finally {
      worker.kill("SIGTERM");
    }
    const [code] = await once(worker, "exit");
    expect(code).toBe(0);
  });
});
