import { expect, it } from "vitest";
import { worldFor } from "./which-world.ts";

const problem = 'The demo needs ffmpeg: run "apt-get install ffmpeg" as root.';

it("is the whole one where everything is there", () => {
  expect(worldFor(undefined, undefined)).toEqual({ world: "media" });
  expect(worldFor("media", undefined)).toEqual({ world: "media" });
});

it("is the smaller one where ffmpeg is missing, and it is said why", () => {
  expect(worldFor(undefined, problem)).toEqual({ world: "films", told: expect.stringContaining(problem) });
});

it("is none where the whole one was asked for by name", () => {
  expect(() => worldFor("media", problem)).toThrow(problem);
});
