// A scripted service as a process of its own, asked by the real connector: the job API, its faults, and what it remembers.

import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { clientsFor, type Maker } from "../../sandbox/clients.ts";
import { freePort } from "../../sandbox/processes/free-port.ts";
import { ManagedProcess } from "../../sandbox/processes/managed.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-services-"));
const module = join(import.meta.dirname, "../../sandbox/services/main.ts");
let port: number;
let service: ManagedProcess;
let client: Maker;

beforeAll(async () => {
  port = await freePort();
  service = new ManagedProcess({ name: "library", module, args: ["library", String(port), folder] });
  await service.start();
  client = clientsFor({ source: port, converter: port, "publisher:library": port }).publisher("library");
});
afterEach(() => service.tell([]));
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** So long that it goes on for the whole test, or so short that it is done at once. */
const start = (key: string, megabytes = 100_000) => client.start({ key, input: { name: "Faust-1926", megabytes } });
/** It works on its jobs ten times a second. */
const becomes = (ref: string, state: string) => expect.poll(() => stateOf(ref)).toBe(state);
const stateOf = async (ref: string) => (await client.look([ref]))[0]?.state;

describe("a scripted service", () => {
  it("begins one job for a key, finds it by that, and forgets it when it is cancelled", async () => {
    const ref = await start("one");
    expect(await start("one")).toBe(ref);
    expect([await client.adopt("one"), await client.adopt("other")]).toEqual([ref, null]);
    await becomes(ref, "running");
    await client.cancel(ref);
    await client.cancel(ref);
    expect(await stateOf(ref)).toBe("missing");
  });

  it("says that its port is taken, where it is", async () => {
    const args = ["library", String(port), join(folder, "other")];
    await expect(new ManagedProcess({ name: "other", module, args }).start()).rejects.toThrow("EADDRINUSE");
  });

  it("lists by prefix, over several pages", async () => {
    const refs = await Promise.all(Array.from({ length: 130 }, (_, n) => start(`many-${n}`)));
    await start("few-1");
    const listed = await client.list("many-");
    expect(new Set(listed.map(({ ref }) => ref))).toEqual(new Set(refs));
    await Promise.all((await client.list("")).map(({ ref }) => client.cancel(ref)));
    expect(await client.list("")).toEqual([]);
  });

  it("has what it says is done", async () => {
    const ref = await start("short", 1);
    await becomes(ref, "done");
    const [seen] = await client.look([ref]);
    const { file, bytes } = (seen?.output ?? {}) as { file: string; bytes: number };
    expect([file, bytes]).toEqual([expect.stringMatching(/^job-\d+-Faust-1926\.mp4$/), 4_096]);
    expect(await client.has(file)).toBe(true);
    expect(await client.has("another.mp4")).toBe(false);
  });

  it.each(["../../x", "a/b", "", ".hidden", "x".repeat(101), "film\n"])(
    "makes no file that is called %j",
    async (name) => {
      const job = client.start({ key: "named", input: { name, megabytes: 1 } });
      await expect(job).rejects.toMatchObject({ code: "HTTP_400" });
    },
  );

  it("outlives a folder that it cannot write into, and puts there what is missing when it can", async () => {
    // Nothing is done before the folder is away.
    await service.tell(["stall"]);
    const ref = await start("unlucky", 1);
    renameSync(join(folder, "files"), join(folder, "away"));
    await service.tell([]);
    await expect.poll(() => service.log.lines().join("\n")).toContain("ENOENT");
    expect(await stateOf(ref)).toBe("done");
    renameSync(join(folder, "away"), join(folder, "files"));
    await expect.poll(() => client.has(`${ref}-Faust-1926.mp4`)).toBe(true);
  });

  it("goes on with what it was doing after a stop, also after kill -9", async () => {
    const ref = await start("long");
    for (const end of ["stop", "kill"] as const) {
      await service[end]();
      await expect(client.look([ref])).rejects.toMatchObject({ kind: "unavailable", code: "NOT_REACHED" });
      await service.start();
      expect(await client.adopt("long")).toBe(ref);
    }
    await client.cancel(ref);
  });

  it.each([
    ["hang", { kind: "transient", code: "TIMEOUT" }],
    ["error", { kind: "transient", code: "HTTP_500" }],
    ["corrupt", { kind: "transient", code: "BAD_ANSWER" }],
  ])("with %s answers as that says, until it is mended", async (fault, expected) => {
    await service.tell([fault]);
    await expect(client.look(["job-1"])).rejects.toMatchObject(expected);
    await service.tell([]);
    expect(await client.look(["nobody"])).toEqual([{ ref: "nobody", state: "missing" }]);
  });

  it("with a full folder begins nothing more, and goes on when there is room", async () => {
    await service.tell(["fill"]);
    await expect(start("late", 1)).rejects.toMatchObject({
      kind: "unavailable",
      code: "DISK_FULL",
      retryAfterMs: 5_000,
    });
    await service.tell([]);
    await expect.poll(() => start("late", 1).catch(() => "full")).toMatch(/^job-/);
  });

  it("loses what has begun, and says done too early, where it is told to", async () => {
    const ref = await start("lied", 1_200); // three seconds
    const progress = async () => (await client.look([ref]))[0]?.progress;
    await expect.poll(progress).toBeGreaterThan(40);
    // Slow from here on, so that the other half lasts for longer than anybody needs to look.
    await service.tell(["slow", "lie"]);
    await becomes(ref, "done");
    await service.tell(["slow"]);
    expect(await stateOf(ref)).toBe("running");
    await service.tell(["lose"]);
    await becomes(ref, "missing");
  });
});
