// The distribution's Prometheus with the configuration and the rules that we ship: it scrapes a server with a key, and a rule fires.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { definePipeline, done, openSluice, type Sluice } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { Access } from "../../src/server/access/access.ts";
import { type Served, serveSluice } from "../../src/server/serve.ts";
import { freePort, startServer, type TestServer } from "../support/server.ts";

const BINARY = "/usr/bin/prometheus";
const examples = path.resolve(import.meta.dirname, "../../docs/prometheus");
const film = definePipeline("film", { version: 1, input: z.object({ n: z.number() }) }).stage("download", {
  run: () => done(),
});

let database: TestServer;
let sluice: Sluice;
let served: Served;
let prometheus: ChildProcess;
let folder = "";
let api = "";
let said = "";

beforeAll(async () => {
  if (!existsSync(BINARY)) throw new Error("the tests need Prometheus: install the Debian package prometheus");
  database = await startServer();
  // Nobody works here, so what is handed in queues.
  sluice = await openSluice({ pipelines: [film], database: database.url(), worker: false });
  served = await serveSluice({ sluice, host: "127.0.0.1", port: 0, hosts: [], log: silentLogger, version: "1.2.3" });
  await sluice.submit(
    film,
    Array.from({ length: 60 }, (_, n) => ({ n })),
  );
  folder = mkdtempSync(path.join(tmpdir(), "sluice-prometheus-"));
  writeFileSync(path.join(folder, "sluice.key"), await makeKey(), { mode: 0o600 });
  writeFileSync(path.join(folder, "prometheus.yml"), configuration(new URL(served.url).host));
  writeFileSync(path.join(folder, "rules.yml"), withoutPatience("rules.yml"));
  const port = await freePort();
  api = `http://127.0.0.1:${port}/api/v1`;
  const options = [
    "--config.file=prometheus.yml",
    "--storage.tsdb.path=data",
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  prometheus = spawn(BINARY, options, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  prometheus.stderr?.on("data", (chunk) => {
    said = (said + String(chunk)).slice(-4_000);
  });
});
afterAll(async () => {
  if (prometheus?.exitCode === null) {
    const gone = once(prometheus, "exit");
    prometheus.kill("SIGTERM");
    await gone;
  }
  await served?.close();
  await sluice?.close();
  await database?.stop();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

async function makeKey(): Promise<string> {
  const access = new Access({ tables: sluice.tables, now: () => 0 });
  await access.setUp((await access.offerSetup()) ?? "", "ann", "correct horse battery", "here");
  const ann = { user: "ann", role: "admin", via: "session", scopes: null } as const;
  return (await access.makeKey(ann, { name: "prometheus", scopes: ["read"] }, "here")).key;
}

/** As we ship it, but looking every second, at this server, with this key. */
function configuration(target: string): string {
  return withoutPatience("prometheus.yml")
    .replace("127.0.0.1:7470", target)
    .replace("/etc/prometheus/sluice.key", path.join(folder, "sluice.key"));
}

function withoutPatience(file: string): string {
  const text = readFileSync(path.join(examples, file), "utf8");
  return text.replaceAll(/(_interval): 15s/g, "$1: 1s").replaceAll(/for: \d+m/g, "for: 0s");
}

const SOON = { timeout: 60_000, interval: 200 };

async function asked(at: string): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${api}${at}`, { signal: AbortSignal.timeout(5_000) });
  return JSON.parse(await answer.text()).data;
}

describe("Prometheus", () => {
  it("finds nothing wrong with what we ship", () => {
    execFileSync("/usr/bin/promtool", ["check", "rules", path.join(examples, "rules.yml")], { stdio: "pipe" });
    execFileSync("/usr/bin/promtool", ["check", "config", "--syntax-only", path.join(examples, "prometheus.yml")], {
      stdio: "pipe",
    });
  });

  it("scrapes with the key", async () => {
    await vi.waitFor(async () => {
      const { activeTargets } = await asked("/targets");
      expect(activeTargets, said).toMatchObject([{ health: "up", lastError: "" }]);
    }, SOON);
    const { result } = await asked(`/query?query=${encodeURIComponent('pipeline_queue_depth{stage="download"}')}`);
    expect(result).toMatchObject([
      { metric: { pipeline: "film", version: "1", job: "sluice" }, value: [expect.any(Number), "60"] },
    ]);
  });

  it("fires a rule of ours", async () => {
    await vi.waitFor(async () => {
      const { alerts } = await asked("/alerts");
      const fired = alerts.find(({ labels }: { labels: Record<string, string> }) => labels.alertname === ALERT);
      expect(fired).toMatchObject({
        state: "firing",
        labels: { pipeline: "film", stage: "download" },
        annotations: { summary: "60 items wait for download of film." },
      });
    }, SOON);
  });

  it("would not without a key", async () => {
    expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
  });
});

const ALERT = "SluiceQueueBackedUp";
