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

/** Answers each claim with the next of these, and remembers from where it was asked to look. */
function claimerOf(all: readonly Place[], answers: unknown[][], fraction = 0) {
  const asked: { readonly lanes: number[]; readonly floors: number[]; readonly from: string[] }[] = [];
  const query = async (_: unknown, values: readonly unknown[]) => {
    asked.push({ lanes: values[0] as number[], floors: values[2] as number[], from: values[5] as string[] });
    return answers.shift() ?? [];
  };
  const claimer = new Claimer({
    // Claims with one statement, and asks for nothing else.
    db: { query } as never,
    clock: systemClock,
    random: { fraction: () => fraction } as never,
    epoch: () => "1",
    isClosed: () => false,
    registry: { lanes: () => all },
    services: { has: () => false },
  });
  return { claimer, asked };
}

describe("the floor from which a lane is looked at", () => {
  const row = (id: string, ready: number) => ({ id, lane: 11, priority: 3, ready });
  const film = places("films", 1).filter(({ lane }) => lane === 11);
  const floorOf = ({ floors, from }: { floors: number[]; from: string[] }) => [floors[2], from[2]];

  it("is what was claimed last, also among those that became ready in the same moment", async () => {
    // All of a submission did, and while an old snapshot holds vacuum back each claim would walk past what those before it took.
    const { claimer, asked } = claimerOf(film, [[row("9", 5), row("10", 5)], [row("11", 5), row("3", 7)], [], []]);
    for (let times = 0; times < 4; times += 1) await claimer.claim(2);
    expect(asked.map(floorOf)).toEqual([
      [0, "0"],
      [5, "10"],
      [7, "3"],
      // Fewer than asked for: everything is looked at the next time.
      [0, "0"],
    ]);
  });
});

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
      const { claimer, asked } = claimerOf(all, [], fraction);
      await claimer.claim(1);
      return asked[0]?.lanes[0];
    };
    const firsts = [0, 0.2, 0.4].map(firstAsked);
    expect(new Set(await Promise.all(firsts))).toEqual(new Set([11, 21, 31]));
  });
});
