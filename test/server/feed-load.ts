// Many listeners, a steady stream of transitions, connections that break: whether everybody has everything, and how late. The
// server and the listeners are processes of their own; so is the database.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSluice, type Sluice } from "../../src/engine/index.ts";
import { Access } from "../../src/server/access/access.ts";
import type { Role } from "../../src/server/access/principal.ts";
import { freePort, startServer, type TestServer } from "../support/server.ts";
import type { Expected, Found, ListenersWanted } from "./feed-load-clients.ts";
import { long, steps, TRANSITIONS } from "./feed-load-pipelines.ts";

const PER_PROCESS = 250;
const PER_ACCOUNT = 50;
/** Every fifth account sees only its own. */
const MEMBERS = 5;

export interface Report {
  readonly listeners: number;
  readonly complete: number;
  readonly problems: readonly string[];
  readonly events: number;
  readonly received: number;
  readonly connects: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** A running server with listeners to it. */
class LoadWorld {
  readonly database: TestServer;
  readonly sluice: Sluice;
  readonly members: readonly string[];
  readonly #port: number;
  readonly #after: string;
  readonly #clients: ChildProcess[];
  #server: ChildProcess;

  private constructor(parts: {
    database: TestServer;
    sluice: Sluice;
    members: readonly string[];
    port: number;
    after: string;
    clients: ChildProcess[];
    server: ChildProcess;
  }) {
    this.database = parts.database;
    this.sluice = parts.sluice;
    this.members = parts.members;
    this.#port = parts.port;
    this.#after = parts.after;
    this.#clients = parts.clients;
    this.#server = parts.server;
  }

  static async open(count: number, hangUpMs: number): Promise<LoadWorld> {
    const database = await startServer();
    try {
      return await LoadWorld.#openOn(database, count, hangUpMs);
    } catch (error) {
      await database.stop();
      throw error;
    }
  }

  static async #openOn(database: TestServer, count: number, hangUpMs: number): Promise<LoadWorld> {
    const port = await freePort();
    const { server, url } = await startProcess(database, port);
    const sluice = await openSluice({ database: database.url(), pipelines: [steps, long], worker: false });
    const { listeners, members } = await makeListeners(sluice, count);
    const after = await sluice.feedEnd();
    const clients = Array.from({ length: Math.ceil(count / PER_PROCESS) }, (_, index) => {
      const child = forked("feed-load-clients.ts", []);
      const some = listeners.slice(index * PER_PROCESS, (index + 1) * PER_PROCESS);
      child.send({ listen: { url, listeners: some, after, hangUpMs } satisfies ListenersWanted });
      return child;
    });
    const world = new LoadWorld({ database, sluice, members, port, after, clients, server });
    await world.allConnected(count);
    return world;
  }

  /** Looks until so many are connected at the same time, or nearly: some have just hung up. */
  async allConnected(count: number): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      const counts = await Promise.all(
        this.#clients.map((child) => asked<{ connected: number }>(child, { count: true })),
      );
      if (counts.reduce((sum, one) => sum + one.connected, 0) >= count * 0.7) return;
      await sleep(100);
    }
    throw new Error("the listeners did not come in");
  }

  /** As when the power of that one process fails. */
  async killServer(): Promise<void> {
    const gone = once(this.#server, "exit");
    this.#server.kill("SIGKILL");
    await gone;
  }

  async restartServer(): Promise<void> {
    ({ server: this.#server } = await startProcess(this.database, this.#port));
  }

  async report(): Promise<Report> {
    const expected = await this.#journal();
    const found = await Promise.all(
      this.#clients.map((child) => asked<{ found: Found }>(child, { compare: expected }).then((one) => one.found)),
    );
    return toReport(found, expected.cursors.length);
  }

  async close(): Promise<void> {
    for (const child of this.#clients) child.kill("SIGKILL");
    await this.sluice.close();
    this.#server.kill("SIGKILL");
    await this.database.stop();
  }

  async #journal(): Promise<Expected> {
    const [cursors, owners]: [string[], (string | null)[]] = [[], []];
    for (let after = this.#after, isEnd = false; !isEnd; ) {
      const page = await this.sluice.events({ after, limit: 1_000, outputs: false });
      for (const event of page.events) {
        cursors.push(event.cursor);
        owners.push(event.item === undefined ? null : event.owner);
      }
      ({ cursor: after, isEnd } = page);
    }
    return { cursors, owners };
  }
}

/** So many listeners for so long, at so many transitions a second. */
export async function loadFeed(options: {
  readonly clients: number;
  readonly rate: number;
  readonly seconds: number;
}): Promise<Report> {
  const { clients, rate, seconds } = options;
  const world = await LoadWorld.open(clients, 8_000);
  try {
    const handles = [];
    const began = performance.now();
    const items = Math.ceil((rate * seconds) / TRANSITIONS);
    for (let n = 0; n < items; n += 1) {
      const wait = began + (n * TRANSITIONS * 1_000) / rate - performance.now();
      if (wait > 0) await sleep(wait); // the pace is what is asked for
      // Some are nobody's who listens.
      const owner = world.members[n % (world.members.length + 1)] ?? "stranger";
      handles.push(await world.sluice.submit(steps, [{ n }], { owner }));
    }
    await Promise.all(handles.map((handle) => handle.result()));
    return await world.report();
  } finally {
    await world.close();
  }
}

/** Kills the server while so many items run; nothing may be lost, nor be missing for those who come back. */
export async function killFeed(options: {
  readonly clients: number;
  readonly items: number;
}): Promise<Report & { readonly completed: number }> {
  const { clients, items } = options;
  const world = await LoadWorld.open(clients, 0);
  try {
    const inputs = Array.from({ length: items }, (_, n) => ({ n }));
    const handle = await world.sluice.submit(long, inputs, { owner: world.members[0] ?? "nobody" });
    await untilRunning(world.sluice, items);
    await world.killServer();
    await world.restartServer();
    const { items: ended } = await handle.result();
    const completed = ended.filter(({ state }) => state === "done").length;
    return { ...(await world.report()), completed };
  } finally {
    await world.close();
  }
}

async function untilRunning(sluice: Sluice, items: number): Promise<void> {
  const running = {
    name: "running",
    text: "select count(*)::int as n from sluice.run where state = 1 and begun_at is not null",
  };
  for (let tries = 0; tries < 200; tries += 1) {
    const [row] = await sluice.tables.query<{ n: number }>(running, []);
    if ((row?.n ?? 0) >= items) return;
    await sleep(20);
  }
  throw new Error("they do not all run at once");
}

async function startProcess(database: TestServer, port: number): Promise<{ server: ChildProcess; url: string }> {
  const server = forked("feed-load-server.ts", [database.url(), String(port)]);
  const { url } = await asked<{ url: string }>(server);
  return { server, url };
}

function forked(file: string, args: readonly string[]): ChildProcess {
  return fork(path.join(import.meta.dirname, file), [...args], { execArgv: [] });
}

/** The next message of a process, which it may have to be asked for. */
function asked<Answer>(child: ChildProcess, question?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error("the process ended without an answer"));
    child.once("exit", gone);
    child.once("message", (answer) => {
      child.off("exit", gone);
      resolve(answer as Answer); // both ends are ours
    });
    if (question !== undefined) child.send(question);
  });
}

async function makeListeners(sluice: Sluice, count: number) {
  const access = new Access({ tables: sluice.tables, now: () => 0 });
  const listeners: { key: string; owner: string | null }[] = [];
  const members: string[] = [];
  const accounts = Math.max(MEMBERS, Math.ceil(count / PER_ACCOUNT));
  for (let n = 0; n < accounts; n += 1) {
    const user = `user${n}`;
    const role: Role = n % MEMBERS === 0 ? "member" : "viewer";
    if (role === "member") members.push(user);
    await access.addAccount("test", { name: user, role, password: `correct horse ${n}` }, null);
    const { key } = await access.makeKey(
      { user, role, via: "session", scopes: null },
      { name: "feed", scopes: ["read"] },
      null,
    );
    for (let place = n; place < count; place += accounts)
      listeners.push({ key, owner: role === "member" ? user : null });
  }
  return { listeners, members };
}

function toReport(found: readonly Found[], events: number): Report {
  const sum = (pick: (one: Found) => number) => found.reduce((all, one) => all + pick(one), 0);
  const delays = Array.from({ length: found[0]?.delays.length ?? 0 }, (_, ms) => sum((one) => one.delays[ms] ?? 0));
  const all = delays.reduce((one, other) => one + other, 0);
  const atShare = (share: number) => {
    let passed = 0;
    return delays.findIndex((many) => {
      passed += many;
      return passed >= all * share;
    });
  };
  return {
    listeners: sum((one) => one.listeners),
    complete: sum((one) => one.complete),
    problems: found.flatMap((one) => one.problems),
    events,
    received: sum((one) => one.received),
    connects: sum((one) => one.connects),
    p50: atShare(0.5),
    p99: atShare(0.99),
    slowest: delays.findLastIndex((many) => many > 0),
  };
}
