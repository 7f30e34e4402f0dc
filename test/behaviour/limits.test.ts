// What bounds each stage, and who is inside, under a clock that the test moves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { done } from "../../src/engine/pipeline/outcome.ts";
import { definePipeline } from "../../src/engine/pipeline/pipeline.ts";
import { service } from "../../src/engine/pipeline/service.ts";
import { readLimits } from "../../src/engine/read/limits.ts";
import { type Scripted, scripted } from "../../src/engine/testing/scripted.ts";
import { type TestSluice, testSluice } from "../../src/engine/testing/test-sluice.ts";
import { download, input } from "../support/downloads.ts";

const torrents = service<Scripted>("torrents", { capacity: 2, limit: "30/min" });
const films = definePipeline("films", { version: 1, input, fair: true, deadline: "2d" })
  .stage("download", { ...download, outside: torrents, stall: { never: "5m", stopped: "20m" } })
  .stage("pack", { concurrency: 4, perKey: 3, timeout: "90s", run: () => done() });
const songs = definePipeline("songs", { version: 7, input }).stage("download", { ...download, outside: torrents });

let t: TestSluice;
beforeAll(async () => {
  t = await testSluice({ pipelines: [films, songs], services: { torrents: scripted().stallsAt(40, 99) } });
  await t.submit(films, [{ title: "Alien" }]);
  await t.submit(songs, [{ title: "Help!" }, { title: "Yesterday" }]);
  await t.drain();
});
afterAll(() => t.close());

const limitsOf = async (pipeline: string, stage: string) =>
  (await t.sluice.limits()).find((one) => one.pipeline === pipeline && one.stage === stage);

describe("limits", () => {
  it("of work outside: who is inside, of the stage and of everybody's that goes through its service", async () => {
    const limits = await limitsOf("films", "download");
    expect(limits).toMatchObject({ version: 1 });
    expect(limits?.lanes).toEqual([
      { inside: 0, cap: null, perKey: null, service: null },
      {
        ...{ inside: 1, cap: null, perKey: null },
        service: { name: "torrents", inside: 2, capacity: 2, limit: { count: 30, perMs: 60_000 } },
      },
    ]);
  });

  it("of work here: how many at a time, and of one key", async () => {
    expect((await limitsOf("films", "pack"))?.lanes).toEqual([{ inside: 0, cap: 4, perKey: 3, service: null }]);
  });

  it("of tries and time are what the code says", async () => {
    expect((await limitsOf("films", "download"))?.code).toEqual({
      ...{ attempts: 3, timeoutMs: 300_000, deadlineMs: 172_800_000 },
      stall: { neverMs: 300_000, stoppedMs: 1_200_000 },
    });
    expect((await limitsOf("films", "pack"))?.code).toMatchObject({ timeoutMs: 90_000, stall: null });
    expect((await limitsOf("songs", "download"))?.code).toMatchObject({ deadlineMs: null });
  });

  it("of tries and time are not known where the code is not", async () => {
    const limits = await readLimits(t.db, () => undefined);
    expect(limits.map(({ code }) => code)).toEqual(limits.map(() => null));
    expect(limits.length).toBeGreaterThan(0);
  });
});
