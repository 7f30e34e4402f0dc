import { describe, expect, it } from "vitest";
import { firstLines, firstPipeline, isFresh } from "./first.ts";

type Standing = Parameters<typeof isFresh>[0][number];

const idle: Standing = {
  ...{ pipeline: "films", queued: 0, running: 0, waiting: 0, needsYou: 0, isMore: false },
  ...{ failed: 0, done: 0, took: null },
};
const none = {
  week: { done: 0, failed: 0, failureRate: null, took: null, stalls: 0, breakerOpenings: 0, checkpointResumes: 0 },
};

const had = (...apps: string[]) => ({ hasSandbox: false, apps });

describe("an installation", () => {
  it("is fresh without pipelines, and with pipelines that have had nothing to do", () => {
    expect(isFresh([], none)).toBe(true);
    expect(isFresh([idle], none)).toBe(true);
  });

  it.each([
    ["stands in line", { queued: 1 }],
    ["waits", { waiting: 1 }],
    ["was done today", { done: 1 }],
    ["was done at some time", { took: { p50Ms: 1, p90Ms: 2, samples: 1 } }],
  ])("is not fresh once something %s", (_, more) => {
    expect(isFresh([idle, { ...idle, ...more }], none)).toBe(false);
  });

  it("is not fresh in a week in which something failed", () => {
    expect(isFresh([idle], { week: { ...none.week, failed: 1 } })).toBe(false);
  });
});

it("the first lines are whole commands", () => {
  const { cli, api } = firstLines("http://nas:7470", "films");
  expect(cli).toBe(`SLUICE_URL=http://nas:7470 SLUICE_API_KEY=slk_… sluice submit films '{"title":"My first"}'`);
  expect(api).toContain("curl http://nas:7470/api/v1/requests ");
  expect(JSON.parse(api.split("-d ")[1]?.slice(1, -1) ?? "")).toEqual({
    pipeline: "films",
    inputs: [{ title: "My first" }],
  });
});

it("a pipeline of one's own comes first where there is one; those of media are for its page", () => {
  expect(firstPipeline(["cleanup", "media", "media-series", "shop"], had("media"))).toBe("shop");
  expect(firstPipeline(["cleanup", "media", "media-series"], had("media"))).toBeUndefined();
  expect(firstPipeline(["cleanup", "media"], had())).toBe("media");
  expect(firstPipeline(["documents", "documents-upkeep", "media"], had("documents"))).toBe("media");
});
