import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../engine/index.ts";
import { manualClock } from "../../kit/index.ts";
import { type ProcessOptions, type RunningProcess, startProcess } from "./child-process.ts";
import { reap } from "./process-group.ts";
import { findProcess, findSurvivors, parseStat, processState } from "./process-identity.ts";

const started: RunningProcess[] = [];
const strangers: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.stop()));
  for (const child of strangers.splice(0)) child.kill("SIGKILL");
});

async function node(script: string, options: Partial<ProcessOptions> = {}): Promise<RunningProcess> {
  const child = await startProcess({
    program: process.execPath,
    args: ["-e", script],
    wallMs: 30_000,
    graceMs: 2_000,
    ...options,
  });
  started.push(child);
  return child;
}

/** Starts it, and waits until it has printed a line. */
async function nodeAfterLine(script: string, options: Partial<ProcessOptions> = {}) {
  let say: ((line: string) => void) | undefined;
  const said = new Promise<string>((resolve) => {
    say = resolve;
  });
  const child = await node(script, { onLine: (line) => say?.(line), ...options });
  return { child, line: await said };
}

const forever = "console.log(process.pid); setInterval(() => {}, 1000);";
const deaf = `process.on("SIGTERM", () => {}); ${forever}`;
/** A program that starts another, which does not listen. The other one's life is a connection to this process. */
async function nodeWithGrandchild(then: string, options: Partial<ProcessOptions> = {}) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // on a port, not on a pipe
  const other = `process.on("SIGTERM", () => {});
    require("node:net").connect(${port}, "127.0.0.1", () => process.send("up")).resume();`;
  const child = await node(
    `const stdio = ["ignore", "inherit", "inherit", "ipc"];
     const other = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(other)}], { stdio });
     other.once("message", () => { ${then} });
     process.on("SIGTERM", () => process.exit());`,
    options,
  );
  const [socket]: Socket[] = await once(server, "connection");
  socket?.on("error", () => undefined);
  server.close();
  return { child, grandchildGone: once(socket ?? server, "close") };
}

/** A process somebody else started, in a group of its own. */
async function stranger() {
  const child = spawn(process.execPath, ["-e", deaf], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  strangers.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error("no process");
  const state = processState(pid);
  if (state === undefined) throw new Error("not in the table");
  await once(child.stdout, "data");
  return { child, identity: { pid, started: state.started } };
}

describe("a program", () => {
  test("that ends well tells its lines and the last of its output", async () => {
    const lines: string[] = [];
    const script = `console.log("one"); console.error("hm"); console.log("two"); process.stdout.write("three");`;
    const child = await node(script, { onLine: (line) => lines.push(line), tailBytes: 8 });
    const end = await child.ended;
    expect(end).toMatchObject({ code: 0, signal: null, fault: undefined, output: "wo\nthree", complaints: "hm\n" });
    expect(lines).toEqual(["one", "two", "three"]);
    expect(findProcess(child.identity)).toBe("gone");
  });

  test("that ends badly tells why", async () => {
    const { ended } = await node(`console.error("no such codec"); process.exit(3)`, { service: "encoder:local" });
    const { fault } = await ended;
    expect(fault).toMatchObject({ kind: "transient", code: "EXIT_3", service: "encoder:local" });
    expect(fault?.message).toMatch(/no such codec$/);
  });

  test("that is not installed is unavailable", async () => {
    await expect(startProcess({ program: "no-such-program", args: [], wallMs: 1_000 })).rejects.toMatchObject({
      kind: "unavailable",
      code: "PROGRAM_MISSING",
    });
  });

  test("whose folder is missing says so, and does not blame the program", async () => {
    await expect(node("", { cwd: "/no/such/folder" })).rejects.toMatchObject({ kind: "permanent", code: "NO_FOLDER" });
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("is not run within %s ms", async (wallMs) => {
    await expect(node("", { wallMs })).rejects.toMatchObject({ field: "wallMs" });
  });

  test("is given no shell", async () => {
    const args = ["-e", "console.log(process.argv[1])", "$(echo hi); echo"];
    expect((await (await node("", { args })).ended).output).toBe("$(echo hi); echo\n");
  });

  test("sees of the environment what is named, and nothing else", async () => {
    process.env.SLUICE_TEST_SECRET = "secret";
    process.env.SLUICE_TEST_NAMED = "named";
    const script = "console.log(JSON.stringify(process.env))";
    const child = await node(script, { env: { ONE: "1" }, inherit: ["SLUICE_TEST_NAMED"] });
    expect(JSON.parse((await child.ended).output)).toEqual({ ONE: "1", SLUICE_TEST_NAMED: "named" });
    const usual = JSON.parse((await (await node(script)).ended).output);
    expect(usual).toHaveProperty("PATH");
    expect(usual).not.toHaveProperty("SLUICE_TEST_SECRET");
    delete process.env.SLUICE_TEST_SECRET;
    delete process.env.SLUICE_TEST_NAMED;
  });
});

describe("a program is ended", () => {
  test("when it runs too long", async () => {
    const clock = manualClock();
    const { child } = await nodeAfterLine(forever, { wallMs: 50, clock });
    await clock.advance(49);
    expect(findProcess(child.identity)).toBe("alive");
    await clock.advance(1);
    expect(await child.ended).toMatchObject({ signal: "SIGTERM", fault: { kind: "transient", code: "TIMEOUT" } });
  });

  test("when it falls silent, and not while it speaks", async () => {
    const clock = manualClock();
    const spoken = new EventEmitter();
    const script = `process.on("SIGUSR2", () => console.log("still here")); ${forever}`;
    const first = once(spoken, "line");
    const child = await node(script, { onLine: (line) => spoken.emit("line", line), idleMs: 1_000, clock });
    await first;
    await clock.advance(999);
    const second = once(spoken, "line");
    process.kill(child.identity.pid, "SIGUSR2");
    await second;
    await clock.advance(999);
    expect(findProcess(child.identity)).toBe("alive");
    await clock.advance(1);
    expect((await child.ended).fault).toMatchObject({ kind: "transient", code: "STALLED" });
  });

  test("by force when it does not listen", async () => {
    const { child } = await nodeAfterLine(deaf, { graceMs: 30 });
    expect(await child.stop()).toMatchObject({ signal: "SIGKILL", fault: { code: "ABORTED", breaker: "none" } });
  });

  test("with the fault of the visit's signal", async () => {
    const abort = new AbortController();
    const { child } = await nodeAfterLine(forever, { signal: abort.signal });
    const reason = new Fault("transient", "STOPPING", "the worker is stopping");
    abort.abort(reason);
    expect((await child.ended).fault).toBe(reason);
    await expect(node("", { signal: abort.signal })).rejects.toBe(reason);
  });

  test("when whoever listens to its lines cannot go on", async () => {
    const fault = new Fault("permanent", "BAD_LINE", "bad line");
    const child = await node(forever, {
      onLine: () => {
        throw fault;
      },
    });
    expect((await child.ended).fault).toBe(fault);
  });

  test("together with all it started", async () => {
    const { child, grandchildGone } = await nodeWithGrandchild("", { graceMs: 30 });
    await child.stop();
    await grandchildGone;
  });

  test("and what it leaves behind at its own end goes too, though it holds the output open", async () => {
    const { child, grandchildGone } = await nodeWithGrandchild("process.exit()");
    expect((await child.ended).code).toBe(0);
    await grandchildGone;
  });
});

describe("an identity", () => {
  test("is known at once, and tells its process from another with the same pid", async () => {
    const child = await node("setInterval(() => {}, 1000)");
    expect(findProcess(child.identity)).toBe("alive");
    expect(findProcess({ ...child.identity, started: "1@other" })).toBe("gone");
    await child.stop();
    expect(findProcess(child.identity)).toBe("gone");
  });

  test("is read behind a program's name with brackets and spaces", () => {
    const fields = ["S", ...Array.from({ length: 18 }, (_, i) => String(i)), "777", "rest"];
    expect(parseStat(`12 (a) b (c) ${fields.join(" ")}`)).toEqual({ started: "777", isZombie: false });
    expect(parseStat(`12 (x) Z ${fields.slice(1).join(" ")}`)).toEqual({ started: "777", isZombie: true });
    expect(parseStat("12 (x) S 1")).toBeUndefined();
  });

  test("sorts what an earlier life wrote down into alive and gone", async () => {
    const { identity } = await stranger();
    const recorded = [
      { ...identity, item: "a" },
      { ...identity, started: "earlier", item: "b" },
      { pid: 2 ** 30, started: "1", item: "c" },
    ];
    const { alive, gone } = findSurvivors(recorded);
    expect([alive.map(({ item }) => item), gone.map(({ item }) => item)]).toEqual([["a"], ["b", "c"]]);
  });
});

describe("reap", () => {
  test("ends a process of an earlier life, by force if need be", async () => {
    const { child, identity } = await stranger();
    const exit = once(child, "exit");
    expect(await reap(identity, { graceMs: 20 })).toBe("reaped");
    expect(await exit).toEqual([null, "SIGKILL"]);
    expect(await reap(identity)).toBe("gone");
  });

  test("spares whoever has got its pid since", async () => {
    const { identity } = await stranger();
    expect(await reap({ ...identity, started: "earlier" })).toBe("gone");
    expect(findProcess(identity)).toBe("alive");
  });
});
