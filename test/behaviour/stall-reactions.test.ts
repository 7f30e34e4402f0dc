// What happens to an outside job that stops moving, as its users meet it.

import { afterEach, describe, expect, it } from "vitest";
import { back, done, type Outcome } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { type Definition, download, input, opened } from "../support/downloads.ts";

let open: TestSluice | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function begun(change: Partial<Definition>, client: Scripted) {
  const world = await opened(change, client);
  open = world.t;
  return world;
}

describe("a stall", () => {
  it("restarts the job and removes the old one", async () => {
    const client = scripted().stallsAt(40, 1);
    const { t, item } = await begun({ stall: { never: "10m", stopped: "30m" } }, client);
    await t.advance("29m");
    expect(await t.trace(item)).toEqual(["download accepted", "download started"]);
    await t.advance("5m");
    expect(await t.trace(item)).toEqual([
      "download accepted",
      "download started",
      "download seen STALLED",
      "download fault STALLED",
      "download started",
      "download seen DONE",
      "download done",
      "deliver done",
    ]);
    expect(client.cancelled).toEqual(["job-1"]);
  });

  it("of a job that never began has a limit of its own", async () => {
    const client = scripted().stallsAt(0, 1);
    const { t, item } = await begun({ stall: { never: "10m", stopped: "30m" } }, client);
    await t.advance("11m");
    expect(await t.trace(item)).toContain("download seen STALLED");
  });

  it("is not hidden by progress that swings", async () => {
    const client = scripted().tells(({ looks }) => ({ state: "running", progress: looks % 2 === 0 ? 40 : 60 }));
    const { t, item } = await begun({ stall: { stopped: "30m" } }, client);
    await t.advance("31m");
    expect(await t.trace(item)).toContain("download seen STALLED");
  });

  it("does not come while the owner has paused it, nor while the service is down", async () => {
    let state: "paused" | "running" = "paused";
    const client = scripted().tells(() => ({ state, progress: 20 }));
    const { t, item } = await begun({ stall: { never: "10m", stopped: "10m" } }, client);
    await t.advance("1h");
    expect(await t.trace(item)).not.toContain("download seen STALLED");
    state = "running";
    await t.advance("5m");
    client.goesDown();
    await t.advance("1h");
    client.recovers();
    await t.advance("12m");
    expect(await t.trace(item)).not.toContain("download seen STALLED");
    await t.advance("10m");
    expect(await t.trace(item)).toContain("download seen STALLED");
  });

  it("needs the second opinion where there is one", async () => {
    const client = scripted().stallsAt(40);
    let agrees = false;
    const { t, item } = await begun({ stall: { stopped: "10m", confirm: async () => agrees } }, client);
    await t.advance("15m");
    expect(await t.trace(item)).not.toContain("download seen STALLED");
    agrees = true;
    await t.advance("15m");
    expect(await t.trace(item)).toContain("download seen STALLED");
  });

  it("fails the item where that is the reaction", async () => {
    const { t, item } = await begun({ stall: { stopped: "10m", react: "fail" } }, scripted().stallsAt(40));
    await t.advance("15m");
    expect((await t.sluice.explain(item)).state).toBe("failed");
  });

  it("goes elsewhere, and not to where it stalled", async () => {
    const [slow, fast] = [scripted().stallsAt(20), scripted()];
    const encoders = service.each<Scripted>("encoder");
    const pipeline = definePipeline("encode", { version: 1, input }).stage("encode", {
      ...download,
      outside: encoders,
      on: (_visit, excluded) => ["slow", "fast"].find((name) => !excluded.includes(name)) ?? "slow",
      stall: { stopped: "10m", react: "elsewhere" },
    });
    open = await testSluice({
      pipelines: [pipeline],
      services: { encoder: (instance: string) => (instance === "slow" ? slow : fast) },
    });
    const { items } = await open.submit(pipeline, [{ title: "Alien" }]);
    await open.advance("20m");
    expect(await open.trace(items[0] as (typeof items)[0])).toEqual([
      "encode accepted",
      "encode chosen",
      "encode started",
      "encode seen STALLED",
      "encode fault STALLED",
      "encode chosen",
      "encode started",
      "encode seen DONE",
      "encode done",
    ]);
    expect(slow.cancelled).toEqual(["job-1"]);
    expect(fast.starts.size).toBe(1);
  });

  it("steps back a stage where its author says so", async () => {
    const client = scripted().stallsAt(40, 1);
    const seen: unknown[] = [];
    const pipeline = definePipeline("films", { version: 1, input })
      .stage("search", {
        run: ({ because }): Outcome<{ release: number }> => {
          seen.push(because.note);
          return done({ release: seen.length });
        },
      })
      .stage("download", {
        ...download,
        stall: { stopped: "10m", react: ({ out }) => back("search", { block: out.search.release }) },
      });
    open = await testSluice({ pipelines: [pipeline], services: { torrents: client } });
    const { items } = await open.submit(pipeline, [{ title: "Alien" }]);
    await open.advance("20m");
    expect((await open.sluice.explain(items[0] as (typeof items)[0])).state).toBe("done");
    expect(seen).toEqual([undefined, { block: 1 }]);
    expect(client.cancelled).toEqual(["job-1"]);
  });
});
