// The commands as processes: on the database at hand, and on a server elsewhere.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ItemId, openSluice, type Sluice } from "../../src/engine/index.ts";
import { silentLogger } from "../../src/kit/index.ts";
import { readAudit } from "../../src/server/access/audit.sql.ts";
import { localApp } from "../../src/server/local.ts";
import { type Going, type Ran, runCli, startCli } from "../support/cli.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { slow } from "./fixtures/slow-pipelines.ts";

let database: TestServer;
let sluice: Sluice;
let items: readonly ItemId[];
let folder: string;
const local = () => ({ DATABASE_URL: database.url() });
const cli = (args: string, env: NodeJS.ProcessEnv = local(), input?: string): Promise<Ran> =>
  runCli(args.split(" "), env, folder, input);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-cli-"));
  database = await startServer();
  sluice = await openSluice({ pipelines: [slow], database: database.url(), worker: false });
  ({ items } = await sluice.submit(slow, [{ saves: false }, { saves: true }, { saves: false }], { key: "tmdb:603" }));
}, 60_000);
afterAll(async () => {
  await sluice.close();
  await database.stop();
  rmSync(folder, { recursive: true });
});

describe("on the database at hand", () => {
  it("ls is tab-separated for programs, JSON for those who ask, and a page at a time", async () => {
    const { code, stdout, stderr } = await cli("ls --limit 2");
    expect(code).toBe(0);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(rows.map(([id, state, where]) => [id, state, where])).toEqual([
      [items[2], "queued", "slow/think"],
      [items[1], "queued", "slow/think"],
    ]);
    expect(stderr).toContain(`sluice ls --after ${items[1]}`);
    const whole = JSON.parse((await cli("ls --json")).stdout);
    expect(whole.entries.map((one: { id: string }) => one.id)).toEqual([...items].reverse());
    expect(whole.next).toBeNull();
  });

  it("show and why tell of one, and what one can do", async () => {
    const shown = await cli(`show ${items[0]}`);
    expect(shown.stdout).toContain(items[0]);
    expect(shown.stdout).toContain('{"saves":false}');
    const why = await cli(`why ${items[0]}`);
    expect(why.stdout).toMatch(/is PENDING in think since/);
    expect(why.stdout).toMatch(/worker/);
    expect(why.stdout).toContain(`You can:  sluice cancel ${items[0]}`);
    expect(JSON.parse((await cli(`why ${items[0]} --json`)).stdout)).toMatchObject({
      code: "no_worker",
      item: items[0],
    });
    const request = await cli("show req_0000000000001");
    expect(request.stdout).toMatch(/items +3: 0 done, 0 failed, 0 cancelled/);
  });

  it("an action is tried first, done, and refused the second time", async () => {
    const dry = await cli(`cancel ${items[0]} --dry-run`);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("would change it") });
    expect((await sluice.item(items[0] as ItemId)).state).toBe("queued");
    expect(await cli(`cancel ${items[0]}`)).toMatchObject({ code: 0, stdout: `${items[0]}\tcancelled\n` });
    expect(await sluice.item(items[0] as ItemId)).toMatchObject({ state: "cancelled" });
    const again = await cli(`cancel ${items[0]}`);
    expect(again.code).toBe(5);
    expect(again.stderr).toMatch(/ended already[\s\S]*→ /);
  });

  it("of several, some may go wrong: that is partly; and several are not cancelled unasked", async () => {
    expect(await cli(`cancel ${items[0]} ${items[1]} --yes`)).toMatchObject({
      code: 7,
      stdout: `${items[1]}\tcancelled\n`,
    });
    const unasked = await cli(`cancel ${items[1]} ${items[2]}`);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
  });

  it("what is not there ends with 3, what is no id with 2", async () => {
    expect((await cli("show itm_0000000000099")).code).toBe(3);
    expect((await cli("why nonsense")).code).not.toBe(0);
  });

  it("to hand in, the pipeline's code is needed", async () => {
    const { code, stderr } = await cli("submit slow {}");
    expect(code).toBe(2);
    expect(stderr).toContain("--module");
  });

  it("who did it is noted under a name that no account can have", async () => {
    const events = (await sluice.history(items[1] as ItemId)).entries;
    expect(JSON.stringify(events)).toContain("cli:");
  });

  it("watch --jsonl tells of changes, and ends when it is interrupted", async () => {
    const watching = startCli(["watch", "--jsonl"], local(), folder);
    await watching.says(/"type":"hello".*\n/);
    await sluice.cancel(items[2] as ItemId);
    await watching.says(new RegExp(`"event":"item.cancelled"[^\n]*"jobId":"${items[2]}"[^\n]*\n`));
    expect(await watching.end("SIGINT")).toBe(130);
  });

  it("doctor and migrate work without a server", async () => {
    expect(await cli("doctor")).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing is wrong.") });
    expect(JSON.parse((await cli("doctor --json")).stdout)).toMatchObject({ isOk: true });
  });

  it("where there is none, looking makes none", async () => {
    const { code, stderr } = await cli("ls", {});
    expect(code).toBe(6);
    expect(stderr).toMatch(/there is no Sluice here[\s\S]*→ start one with: sluice up/);
    expect(stderr).not.toMatch(/SLUICE_URL is not set|neither/);
  });

  it("whoever has the database has no brake", async () => {
    const ports = { keyring: [], log: silentLogger, version: "1", user: "tester" };
    const app = await localApp({ sluice, ...ports });
    for (let n = 0; n < 1_100; n += 1)
      expect((await app.send(new Request("http://localhost/api/v1/nothing", { method: "POST" }))).status).toBe(404);
    app.close();
  });

  it("one that is away is told by the kind of trouble, with 6", async () => {
    const { code, stderr } = await cli("ls", { DATABASE_URL: "postgres://127.0.0.1:1/none" });
    expect(code).toBe(6);
    expect(stderr).toContain("nothing listens at its address");
  });
});

describe("accounts and keys", () => {
  it("are made where the database is, without anybody to ask", async () => {
    const password = "correct horse battery\n";
    expect(await cli("user add ann --role admin --password-stdin", local(), password)).toMatchObject({
      code: 0,
      stdout: "ann may sign in as admin\n",
    });
    expect(await cli("user add vic --role viewer --password-stdin", local(), password)).toMatchObject({ code: 0 });
    expect((await cli("user add ann --password-stdin", local(), password)).code).toBe(5);
    expect((await cli("user add bob --password-stdin", local(), "short\n")).stderr).toContain("at least 12 characters");
    expect((await cli("user add bob")).stderr).toContain("--password-stdin");
    expect((await cli("user list")).stdout).toMatch(/^ann\tadmin\t\t/);
    expect((await cli("user disable ann")).stderr).toContain("the last admin");
  });

  it("a key is shown once, and no more than its owner", async () => {
    const made = await cli("key create backup --for vic --scopes read");
    expect(made.stdout).toMatch(/^slk_\S+\n$/);
    expect((await cli("key list")).stdout).not.toContain("slk_");
    expect((await cli("key create more --for vic --scopes admin")).code).toBe(4);
    expect((await cli("key create more --for nobody")).code).toBe(3);
  });

  it("what is done here is noted as done by whoever sits here, not by whom it is for", async () => {
    const [{ id }] = JSON.parse((await cli("key list --json")).stdout).entries;
    expect((await cli(`key revoke ${id}`)).code).toBe(0);
    expect((await cli("config set log.level warn")).code).toBe(0);
    expect((await cli("config unset log.level")).code).toBe(0);
    const noted = (await readAudit(sluice.tables, { limit: 4 })).reverse();
    expect(noted.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ["key.make", "backup", { scopes: ["read"], account: "vic" }],
      ["key.revoke", id, null],
      ["settings.set", "log.level", { value: "warn" }],
      ["settings.unset", "log.level", null],
    ]);
    expect(new Set(noted.map(({ actor }) => actor))).toEqual(new Set([`cli:${userInfo().username}`]));
  });
});

describe("on a server elsewhere", () => {
  let server: Going;
  let remote: NodeJS.ProcessEnv;
  beforeAll(async () => {
    server = startCli(["server"], { ...local(), SERVER_PORT: "0" }, folder);
    const [, url = ""] = await server.says(/listening on (\S+)/);
    const { stdout } = await cli("key create remote --for vic --scopes read");
    remote = { SLUICE_URL: url, SLUICE_API_KEY: stdout.trim() };
  }, 60_000);
  afterAll(() => server.end("SIGKILL"));

  it("the same commands answer the same", async () => {
    expect((await cli("ls", remote)).stdout).toBe((await cli("ls")).stdout);
    expect((await cli(`show ${items[0]} --json`, remote)).code).toBe(0);
  });

  it("a key that may only look is told so, with 4; none at all likewise", async () => {
    const refused = await cli(`retry ${items[0]}`, remote);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(/the right to operate[\s\S]*→ set SLUICE_API_KEY/);
    expect((await cli("ls", { SLUICE_URL: remote.SLUICE_URL })).code).toBe(4);
  });

  it("a profile names it, too", async () => {
    const home = mkdtempSync(path.join(folder, "home-"));
    const file = path.join(home, "sluice", "config.json");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(path.dirname(file));
    writeFileSync(
      file,
      JSON.stringify({ default: "nas", profiles: { nas: { url: remote.SLUICE_URL, key: remote.SLUICE_API_KEY } } }),
    );
    expect((await cli("ls", { XDG_CONFIG_HOME: home })).code).toBe(0);
    expect((await cli("ls --profile nowhere", { XDG_CONFIG_HOME: home })).stderr).toContain("known: nas");
  });

  it("what is done on the database itself is refused, unless that is named", async () => {
    for (const command of ["user list", "key list", "config unset log.level"]) {
      const { code, stderr } = await cli(command, { ...local(), ...remote });
      expect(code).toBe(2);
      expect(stderr).toMatch(/is a server elsewhere\n {2}→ .*--database/);
    }
    expect((await cli(`user list --database ${database.url()}`, remote)).stdout).toContain("vic");
  });

  it("one that is not there ends with 6", async () => {
    const { code, stderr } = await cli("ls", { SLUICE_URL: "http://127.0.0.1:1" });
    expect(code).toBe(6);
    expect(stderr).toMatch(/cannot be reached[\s\S]*→ is it running/);
  });
});

describe("a server that is away for a moment", () => {
  const asked: string[] = [];
  let answers: (number | "cut")[] = [];
  const away = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = request.method === "POST" ? 201 : (answers.shift() ?? 503);
    if (answer === "cut") return void request.socket.destroy();
    const seen = {
      ...{ id: "req_0000000000001", status: answer === 200 ? "COMPLETED" : "PROCESSING", key: null, owners: [] },
      ...{ progress: 100, createdAt: "2030-01-01T12:00:00Z" },
      counts: { total: 1, completed: 1, partly: 0, failed: 0, cancelled: 0 },
    };
    const body = request.method === "POST" ? { request: seen.id, joined: false, would: null } : seen;
    response.writeHead(answer === 202 ? 200 : answer, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    await new Promise<void>((resolve) => away.listen(0, "127.0.0.1", resolve));
    env = { SLUICE_URL: `http://127.0.0.1:${(away.address() as AddressInfo).port}` };
  });
  afterAll(() => away.close());

  it("is waited for, and said to be away once", async () => {
    answers = [202, "cut", 503, 200];
    const { code, stdout, stderr } = await cli("submit slow {} --wait --timeout 30s", env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/status +COMPLETED/);
    expect(stderr.match(/looked at again/g)).toHaveLength(1);
  });

  it("is not waited for beyond the time; and not by whoever is interrupted", async () => {
    answers = [];
    expect((await cli("submit slow {} --wait --timeout 1s", env)).code).toBe(8);
    const waiting = startCli(["submit", "slow", "{}", "--wait"], env, folder);
    await waiting.says(/looked at again/);
    expect(await waiting.end("SIGINT")).toBe(130);
    expect(waiting.said()).toContain("it goes on all the same");
  });
});

describe("the configuration", () => {
  it("is checked whole, with the place of each problem", async () => {
    writeFileSync(path.join(folder, "sluice.yaml"), "server:\n  prot: 80\n");
    const { code, stdout } = await cli("config check", { WORKER_CONCURRENCY: "many" });
    rmSync(path.join(folder, "sluice.yaml"));
    expect(code).toBe(2);
    expect(stdout).toContain("sluice.yaml:2:3 server.prot is not known; did you mean server.port?");
    expect(stdout).toContain("WORKER_CONCURRENCY must be a whole number");
  });

  it("names each value's source, and no secret", async () => {
    expect((await cli("config set log.level warn")).code).toBe(0);
    const { stdout } = await cli("config print --json", {
      ...local(),
      SERVER_PORT: "8080",
      SERVER_ADMIN_PASSWORD: "hush hush hush",
    });
    const { entries } = JSON.parse(stdout);
    expect(entries).toContainEqual({ name: "server.port", value: "8080", source: "SERVER_PORT" });
    expect(entries).toContainEqual({ name: "log.level", value: "warn", source: "database" });
    expect(entries).toContainEqual({ name: "server.adminPassword", value: "••••", source: "SERVER_ADMIN_PASSWORD" });
    expect(stdout).not.toContain("hush");
    expect((await cli("config set log.levle warn")).stderr).toContain("did you mean log.level?");
    expect((await cli("config set worker.name x")).stderr).toContain("cannot be set in the database");
    expect((await cli("config unset log.level")).code).toBe(0);
  });

  it("is a schema for editors, and completion for shells", async () => {
    expect(JSON.parse((await cli("config schema")).stdout).properties.server.properties.port.maximum).toBe(65_535);
    for (const shell of ["bash", "zsh", "fish"])
      expect((await cli(`completion ${shell}`)).stdout).toContain("take-back");
    expect((await cli("completion tcsh")).code).toBe(2);
  });
});
