// Parts, as their users meet them: the real engine on a virtual clock.

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ItemId } from "../../kit/index.ts";
import { permanent, transient, unavailable } from "../pipeline/fault.ts";
import { done } from "../pipeline/outcome.ts";
import { definePipeline } from "../pipeline/pipeline.ts";
import { service } from "../pipeline/service.ts";
import { type TestSluice, testSluice } from "../testing/test-sluice.ts";

const input = z.object({ title: z.string(), targets: z.array(z.string()) });

/** Servers that remember what they were given, and fail as told. */
class Servers {
  readonly calls: string[] = [];
  readonly copies = new Map<string, string>();
  readonly faults = new Map<string, () => unknown>();

  failing(name: string, fault: () => unknown): this {
    this.faults.set(name, fault);
    return this;
  }

  async store(name: string, title: string): Promise<string> {
    this.calls.push(name);
    const fault = this.faults.get(name)?.();
    if (fault !== undefined) throw fault;
    this.copies.set(name, title);
    return `/${name}/${title}`;
  }

  async remove(name: string): Promise<void> {
    this.calls.push(`remove ${name}`);
    const fault = this.faults.get(`remove ${name}`)?.();
    if (fault !== undefined) throw fault;
    this.copies.delete(name);
  }
}

const servers = service.each<Servers>("server");
type Policy = "best-effort" | "all-or-nothing";

const films = (policy: Policy = "best-effort") =>
  definePipeline("films", { version: 1, input })
    .stage("encode", { run: ({ input: film }) => done({ file: `${film.title}.mkv` }) })
    .stage("deliver", {
      parts: ({ input: film }) => film.targets,
      policy,
      uses: servers,
      attempts: 3,
      backoff: { base: "1m", cap: "1m" },
      run: async ({ part, out, call }) =>
        done({ at: await call(servers(part), (s) => s.store(part, out.encode.file)) }),
      undo: async ({ part }, client) => client.remove(part),
    })
    .stage("tell", { run: ({ out }) => done({ delivered: out.deliver.delivered.length }) });

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function opened(client: Servers, targets: readonly string[], policy: Policy = "best-effort") {
  const pipeline = films(policy);
  open = await testSluice({ pipelines: [pipeline], services: { server: () => client } });
  const request = await open.submit(pipeline, [{ title: "Alien", targets: [...targets] }]);
  const [item] = request.items;
  if (item === undefined) throw new Error("nothing was submitted");
  return { t: open, item, request: request.request };
}

describe("parts", () => {
  it("are each done, and the item goes on with what came of them", async () => {
    const client = new Servers();
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.advance("1m");
    expect(await t.trace(item)).toEqual([
      "encode accepted",
      "encode done",
      "deliver spawn parts",
      "deliver joined",
      "deliver done",
      "tell done",
    ]);
    const view = await t.sluice.item(item);
    expect(view.outputs.deliver).toEqual({
      delivered: ["nas-1", "nas-2"],
      failed: [],
      cancelled: [],
      outputs: { "nas-1": { at: "/nas-1/Alien.mkv" }, "nas-2": { at: "/nas-2/Alien.mkv" } },
    });
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
    expect([...client.calls].sort()).toEqual(["nas-1", "nas-2"]);
  });

  it("have their own attempts, and one that fails for good leaves the request partly done", async () => {
    const client = new Servers().failing("nas-2", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("10m");
    expect(client.calls.filter((name) => name === "nas-2")).toHaveLength(3);
    expect(client.calls.filter((name) => name !== "nas-2").sort()).toEqual(["nas-1", "nas-3"]);
    const view = await t.sluice.item(item);
    expect(view).toMatchObject({
      state: "done",
      outputs: { deliver: { delivered: ["nas-1", "nas-3"], failed: [{ part: "nas-2", code: "EIO" }] } },
      parts: [
        { name: "nas-1", stage: "deliver", state: "done", attempts: 1 },
        { name: "nas-2", stage: "deliver", state: "failed", attempts: 3, code: "EIO", message: "bad sector" },
        { name: "nas-3", stage: "deliver", state: "done", attempts: 1 },
      ],
    });
    expect(await t.sluice.request(request)).toMatchObject({
      status: "PARTIAL",
      counts: { total: 1, completed: 1, partly: 1, failed: 0, cancelled: 0 },
    });
    const { sentence, actions } = await t.sluice.explain(item);
    expect(sentence).toMatch(/^Done at .* Done for 2 of 3; failed for nas-2 \(EIO, bad sector\)\.$/);
    expect(actions).toEqual(["retry-parts"]);
  });

  it("none of which could be done fail the item", async () => {
    const client = new Servers()
      .failing("nas-1", () => permanent("EPERM", "permission denied"))
      .failing("nas-2", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.advance("1m");
    expect(await t.sluice.item(item)).toMatchObject({
      state: "failed",
      stage: "deliver",
      code: "PARTS_FAILED",
      message: "failed: nas-1 (EPERM, permission denied), nas-2 (EPERM, permission denied)",
    });
    expect((await t.sluice.request(request)).status).toBe("FAILED");
  });

  it("that are none at all let the stage be skipped", async () => {
    const { t, item } = await opened(new Servers(), []);
    await t.advance("1m");
    expect(await t.trace(item)).toEqual(["encode accepted", "encode done", "deliver skip", "tell done"]);
    expect((await t.sluice.item(item)).outputs.tell).toEqual({ delivered: 0 });
  });

  it("go on while one of them waits behind an open breaker, and their item says for whom it waits", async () => {
    const down = () => unavailable("AUTH", "wrong password");
    const client = new Servers().failing("nas-2", down);
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("1m");
    expect([...client.copies.keys()].sort()).toEqual(["nas-1", "nas-3"]);
    const explanation = await t.sluice.explain(item);
    expect(explanation).toMatchObject({ state: "waiting", reason: "parts" });
    expect(explanation.sentence).toMatch(
      /^Done for 2 of 3\. nas-2: Waiting for server:nas-2.*No attempt used \(0 of 3 used\)\.$/,
    );
    expect((await t.sluice.request(request)).status).toBe("PROCESSING");
    client.faults.clear();
    await t.advance("10m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
  });

  it("that are cancelled with their item do no more", async () => {
    const client = new Servers().failing("nas-2", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.drain();
    expect(await t.cancel(item)).toEqual({ ok: true });
    await t.advance("10m");
    expect(client.calls.filter((name) => name === "nas-2")).toHaveLength(1);
    expect((await t.sluice.item(item)).parts.map(({ name, state }) => [name, state])).toEqual([
      ["nas-1", "done"],
      ["nas-2", "cancelled"],
    ]);
    expect((await t.sluice.request(request)).status).toBe("CANCELLED");
  });

  it("of which one is cancelled are fewer, and the item goes on without it", async () => {
    const client = new Servers().failing("nas-2", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2"]);
    await t.drain();
    await t.cancel(await partOf(t, item, "nas-2"));
    await t.advance("1m");
    expect((await t.sluice.item(item)).outputs.deliver).toMatchObject({ delivered: ["nas-1"], cancelled: ["nas-2"] });
    expect((await t.sluice.request(request)).status).toBe("PARTIAL");
  });

  it("have their own checkpoint, key and outputs of the stages before", async () => {
    const seen: unknown[] = [];
    const pipeline = definePipeline("films", { version: 1, input })
      .stage("encode", { run: () => done({ file: "a.mkv" }) })
      .stage("deliver", {
        parts: ({ input: film, out }) => film.targets.map((name) => ({ name, from: out.encode.file })),
        backoff: { base: "1m", cap: "1m" },
        run: async ({ part, checkpoint, attempt, key, input: film, out }) => {
          seen.push({
            name: part.name,
            from: part.from,
            file: out.encode.file,
            title: film.title,
            saved: checkpoint.value,
          });
          keys.push(`${part.name} ${key}`);
          if (attempt > 1) return done();
          await checkpoint.save(`half of ${part.name}`);
          throw transient("EIO", "bad sector");
        },
      });
    const keys: string[] = [];
    open = await testSluice({ pipelines: [pipeline] });
    await open.submit(pipeline, [{ title: "Alien", targets: ["a", "b"] }]);
    await open.advance("5m");
    const told = { from: "a.mkv", file: "a.mkv", title: "Alien" };
    expect(seen).toHaveLength(4);
    for (const name of ["a", "b"]) {
      expect(seen).toContainEqual({ name, ...told, saved: undefined });
      expect(seen).toContainEqual({ name, ...told, saved: `half of ${name}` });
    }
    expect(new Set(keys).size).toBe(2);
  });

  it("see only their own element, and an item's gates and commit only the whole", async () => {
    const met: string[] = [];
    const pipeline = definePipeline("films", { version: 1, input }).stage("deliver", {
      parts: ({ input: film }) => film.targets,
      run: ({ part }) => done(part),
      enter: [() => void met.push("enter")],
      leave: [({ out }) => void met.push(`leave ${JSON.stringify(out.deliver)}`)],
      commit: async (_tx, items) =>
        void met.push(`commit ${items.map((one) => one.output.delivered.join("+")).join()}`),
    });
    open = await testSluice({ pipelines: [pipeline] });
    await open.submit(pipeline, [{ title: "Alien", targets: ["a", "b"] }]);
    await open.advance("1m");
    expect(met).toEqual([
      "enter",
      `leave ${JSON.stringify({ delivered: ["a", "b"], failed: [], cancelled: [], outputs: { a: "a", b: "b" } })}`,
      "commit a+b",
    ]);
  });
});

describe("a retry of parts", () => {
  it("does the failed ones again and nothing else, and mends the request", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("nas-3", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("1m");
    expect((await t.sluice.request(request)).counts.partly).toBe(1);
    client.calls.length = 0;
    client.faults.delete("nas-2");
    expect(await t.retry(await partOf(t, item, "nas-2"))).toEqual({ ok: true });
    await t.advance("1m");
    expect(client.calls).toEqual(["nas-2"]);
    // One is still missing.
    expect(await t.sluice.request(request)).toMatchObject({ status: "PARTIAL", counts: { completed: 1, partly: 1 } });
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    await t.advance("1m");
    expect((await t.sluice.request(request)).counts.partly).toBe(1);
    client.faults.clear();
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    await t.advance("1m");
    expect(client.calls).toEqual(["nas-2", "nas-3", "nas-3"]);
    expect(await t.sluice.request(request)).toMatchObject({ status: "COMPLETED", counts: { completed: 1, partly: 0 } });
    expect(await t.sluice.retryParts(item)).toEqual({ ok: false, reason: "no part of it has failed" });
    expect((await t.trace(item)).filter((line) => line.startsWith("tell"))).toHaveLength(1);
  });

  it("of two at once is counted once, when both are done", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("nas-3", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"]);
    await t.advance("1m");
    client.faults.clear();
    await t.sluice.retryParts(item);
    await t.advance("1m");
    expect((await t.sluice.request(request)).counts).toMatchObject({ completed: 1, partly: 0 });
    expect([...client.copies.keys()].sort()).toEqual(["nas-1", "nas-2", "nas-3"]);
  });

  it("lets an item that failed with them wait for them once more", async () => {
    const client = new Servers().failing("nas-1", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1"]);
    await t.advance("1m");
    expect((await t.sluice.request(request)).status).toBe("FAILED");
    client.faults.clear();
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    expect((await t.sluice.item(item)).reason).toBe("parts");
    await t.advance("1m");
    expect(await t.sluice.request(request)).toMatchObject({ status: "COMPLETED", counts: { completed: 1, failed: 0 } });
    expect(client.calls).toEqual(["nas-1", "nas-1"]);
  });

  it("makes new parts where the whole item is retried", async () => {
    const client = new Servers().failing("nas-1", () => permanent("EPERM", "permission denied"));
    const { t, item, request } = await opened(client, ["nas-1"]);
    await t.advance("1m");
    const old = await partOf(t, item, "nas-1");
    client.faults.clear();
    expect(await t.retry(item)).toEqual({ ok: true });
    await t.advance("1m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
    expect(await partOf(t, item, "nas-1")).not.toBe(old);
    expect(await t.retry(old)).toEqual({ ok: false, reason: "its item has made new parts since" });
  });

  it("is refused for what did not fail, and for a part of what succeeds as a whole", async () => {
    const client = new Servers().failing("nas-2", () => permanent("EPERM", "permission denied"));
    const { t, item } = await opened(client, ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    expect(await t.retry(await partOf(t, item, "nas-1"))).toEqual({
      ok: false,
      reason: "only a failed part can be retried",
    });
    expect(await t.retry(await partOf(t, item, "nas-2"))).toEqual({
      ok: false,
      reason: "its parts succeed all or not at all; retry the item",
    });
  });
});

describe("all or nothing", () => {
  it("cancels the rest and undoes what was done as soon as one part fails for good", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("nas-3", () => transient("EIO", "bad sector"));
    const { t, item, request } = await opened(client, ["nas-1", "nas-2", "nas-3"], "all-or-nothing");
    await t.advance("1m");
    expect(client.calls.filter((call) => call.startsWith("remove"))).toEqual(["remove nas-1"]);
    expect(client.calls.filter((call) => call === "nas-3")).toHaveLength(1);
    expect([...client.copies.keys()]).toEqual([]);
    expect(await t.sluice.item(item)).toMatchObject({
      state: "failed",
      code: "PARTS_FAILED",
      message: "failed: nas-2 (EPERM, permission denied); cancelled: nas-3; undone: nas-1",
    });
    expect((await t.sluice.request(request)).status).toBe("FAILED");
  });

  it("undoes until it is confirmed, without spending an attempt", async () => {
    let refusals = 8;
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("remove nas-1", () => (refusals-- > 0 ? transient("EIO", "bad sector") : undefined));
    const { t, item } = await opened(client, ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    const explanation = await t.sluice.explain(item);
    expect(explanation).toMatchObject({ state: "waiting", reason: "withdrawing" });
    expect(explanation.sentence).toMatch(
      /^Failed for nas-2 \(EPERM, permission denied\); what the others did is being undone\. Tried again at /,
    );
    await t.advance("2h");
    expect([...client.copies.keys()]).toEqual([]);
    expect((await t.sluice.item(item)).message).toBe("failed: nas-2 (EPERM, permission denied); undone: nas-1");
  });

  it("says what could not be undone", async () => {
    const client = new Servers()
      .failing("nas-2", () => permanent("EPERM", "permission denied"))
      .failing("remove nas-1", () => permanent("READ_ONLY", "the disk is read-only"));
    const { t, item } = await opened(client, ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    expect((await t.sluice.item(item)).message).toBe(
      "failed: nas-2 (EPERM, permission denied); could not be undone: nas-1 (the disk is read-only)",
    );
  });

  it("is done when all are", async () => {
    const { t, request } = await opened(new Servers(), ["nas-1", "nas-2"], "all-or-nothing");
    await t.advance("1m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
  });
});

async function partOf(t: TestSluice, item: ItemId, name: string): Promise<ItemId> {
  const found = (await t.sluice.item(item)).parts.find((part) => part.name === name);
  if (found === undefined) throw new Error(`no part ${name}`);
  return found.id;
}
