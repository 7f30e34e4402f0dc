// Parts whose work happens elsewhere: a job for each.

import { afterEach, describe, expect, it } from "vitest";
import { permanent } from "../../src/engine/pipeline/fault.ts";
import { done } from "../../src/engine/pipeline/outcome.ts";
import type { PartsPolicy } from "../../src/engine/pipeline/parts.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { film } from "../support/films.ts";

const encoders = service.each<Scripted>("encoder");
const uploads = service<Scripted>("uploads");
const undone: string[] = [];

const films = (outside: typeof encoders | typeof uploads, policy: PartsPolicy = "best-effort") =>
  definePipeline("films", { version: 1, input: film })
    .stage("cut", { run: () => done({ cut: "final" }) })
    .stage("encode", {
      parts: ({ input }) => input.targets,
      policy,
      outside,
      start: ({ part, key, out }, client) => client.start(key, { part, cut: out.cut.cut }),
      adopt: ({ key }, client) => client.adopt(key),
      look: (refs, client) => client.look(refs),
      cancel: (ref, client) => client.cancel(ref),
      finish: ({ part }, { output }) => done({ part, output }),
      undo: async ({ part, key }) => void undone.push(`${part} ${key.startsWith("slu-")}`),
      backoff: { base: "1m", cap: "1m" },
    });

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
  undone.length = 0;
});

async function opened(pipeline: ReturnType<typeof films>, services: Readonly<Record<string, unknown>>) {
  open = await testSluice({ pipelines: [pipeline], services });
  const { items, request } = await open.submit(pipeline, [{ title: "Alien", targets: ["east", "west"] }]);
  const [item] = items;
  if (item === undefined) throw new Error("nothing was submitted");
  return { t: open, item, request };
}

describe("parts of outside work", () => {
  it("are started at the service of their own name, watched and finished there", async () => {
    const clients = { east: scripted(), west: scripted() };
    const { t, item } = await opened(films(encoders), { encoder: (name: "east" | "west") => clients[name] });
    await t.advance("2m");
    const view = await t.sluice.item(item);
    expect(view.outputs.encode).toMatchObject({ delivered: ["east", "west"], failed: [] });
    expect(view.outputs.encode).toHaveProperty("outputs.east.output.input", { part: "east", cut: "final" });
    for (const client of Object.values(clients)) expect([...client.starts.values()]).toEqual([1]);
    expect(await t.owed()).toEqual([]);
  });

  it("are jobs of one service where there is only one, each under its own key", async () => {
    const client = scripted();
    const { t, item } = await opened(films(uploads), { uploads: client });
    await t.advance("2m");
    expect((await t.sluice.item(item)).state).toBe("done");
    expect([...client.starts.values()]).toEqual([1, 1]);
  });

  it("begin anew at their own service after a failed job", async () => {
    const clients = { east: scripted().failsAt(40), west: scripted() };
    const { t, item } = await opened(films(encoders), { encoder: (name: "east" | "west") => clients[name] });
    await t.advance("10m");
    expect((await t.sluice.item(item)).outputs.encode).toMatchObject({ delivered: ["east", "west"] });
    expect(clients.east.starts.size).toBe(2);
    expect(clients.west.starts.size).toBe(1);
  });

  it("are tried again alone, once their item has completed without them", async () => {
    const clients = { east: scripted().failsAt(40, 1, permanent("BROKEN", "it broke")), west: scripted() };
    const { t, item, request } = await opened(films(encoders), { encoder: (name: "east" | "west") => clients[name] });
    await t.advance("2m");
    expect((await t.sluice.request(request)).status).toBe("PARTIAL");
    expect(await t.sluice.retryParts(item)).toEqual({ ok: true });
    await t.advance("2m");
    expect((await t.sluice.request(request)).status).toBe("COMPLETED");
    expect(clients.west.starts.size).toBe(1);
    expect(await t.owed()).toEqual([]);
  });

  it("all or nothing: what runs is removed, what is done is undone", async () => {
    const clients = { east: scripted(), west: scripted().failsAt(60, 1, permanent("BROKEN", "it broke")) };
    const pipeline = films(encoders, "all-or-nothing");
    const { t, item } = await opened(pipeline, { encoder: (name: "east" | "west") => clients[name] });
    await t.advance("10m");
    expect(await t.sluice.item(item)).toMatchObject({ state: "failed", code: "PARTS_FAILED" });
    expect(clients.east.cancelled.length + undone.length).toBe(1);
    expect(await t.owed()).toEqual([]);
  });

  it("that are cancelled with their item owe the removal of what runs", async () => {
    const clients = { east: scripted().stallsAt(40), west: scripted().stallsAt(40) };
    const { t, item } = await opened(films(encoders), { encoder: (name: "east" | "west") => clients[name] });
    await t.advance("1m");
    await t.cancel(item);
    await t.advance("1m");
    expect([...clients.east.jobs, ...clients.west.jobs]).toEqual([]);
  });
});
