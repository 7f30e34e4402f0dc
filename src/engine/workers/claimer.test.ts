import { describe, expect, it } from "vitest";
import { systemClock } from "../../kit/index.ts";
import { definePipeline, done } from "../index.ts";
import { Claimer, inTurn } from "./claimer.ts";
import type { Place } from "./registry.ts";

const input = { "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) } };

function places(name: string, pipelineId: number): Place[] {
  const pipeline = definePipeline(name, { version: 1, input })
    .stage("early", { run: () => done() })
    .stage("late", { run: () => done() });
  const all = pipeline.stages.map((stage, index) => ({
    lane: pipelineId * 10 + index,
    service: "",
    pipeline,
    pipelineId,
    index,
    stage,
  }));
  // The order looks at nothing but names and numbers.
  return all.reverse() as unknown as Place[];
}

describe("the order in which lanes are asked", () => {
  const all = [...places("films", 1), ...places("songs", 2), ...places("books", 3)];

  it("puts every pipeline first in its turn, so that a backlog of one does not starve the others", () => {
    const firsts = [1, 2, 3, 4].map((turn) => inTurn(all, turn)[0]?.pipeline.name);
    expect(firsts).toEqual(["songs", "books", "films", "songs"]);
  });

  it("asks for all lanes each time, the furthest stage of a pipeline first", () => {
    expect(inTurn(all, 2).map((place) => place.lane)).toEqual([31, 30, 11, 10, 21, 20]);
    expect(inTurn([], 5)).toEqual([]);
  });

  it("begins anywhere: processes that do not live for long must not all begin with the same", async () => {
    const firstAsked = async (fraction: number) => {
      const asked: unknown[] = [];
      const query = async (_: unknown, [lanes]: readonly unknown[]) => {
        asked.push(...(lanes as number[]));
        return [];
      };
      const ports = {
        // Claims with one statement, and asks for nothing else.
        db: { query } as never,
        clock: systemClock,
        random: { fraction: () => fraction } as never,
        epoch: () => "1",
        isClosed: () => false,
        registry: { lanes: () => all },
        services: { has: () => false },
      };
      await new Claimer(ports).claim(1);
      return asked[0];
    };
    const firsts = [0, 0.2, 0.4].map(firstAsked);
    expect(new Set(await Promise.all(firsts))).toEqual(new Set([11, 21, 31]));
  });
});
