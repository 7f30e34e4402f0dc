import { describe, expect, it } from "vitest";
import { seededRandom } from "../../kit/index.ts";
import type { Database, Statement } from "../db/database.ts";
import { inRound, LongWaits } from "./long-waits.ts";
import type { Place } from "./registry.ts";

/** A database in which every lane has something old, and which notes who was asked; what is claimed is what `gives` says. */
function asking(gives: (statement: string, lanes: readonly number[]) => number) {
  const asked: { readonly statement: string; readonly lanes: readonly number[]; readonly priorities: unknown }[] = [];
  const answer = ({ name }: Statement, values: readonly unknown[]): unknown[] => {
    if (name === "due-lanes") return (values[0] as number[]).map((lane) => ({ lane, priorities: [1, 2, 3, 4, 5] }));
    if (name === "lock-lane") return [{ cap: null }];
    if (!name.startsWith("claim")) return [];
    const [lanes, priorities] = values as [number[], number[]];
    asked.push({ statement: name, lanes: [...new Set(lanes)], priorities });
    return Array.from({ length: gives(name, lanes) }, () => ({ lane: lanes[0], priority: 1, fair: null }));
  };
  const db: Database = {
    query: async <Row>(statement: Statement, values: readonly unknown[]) => answer(statement, values) as Row[],
    transaction: async (work) => await work(db),
    listen: () => Promise.reject(new Error("nobody listens")),
    close: async () => undefined,
  };
  return { asked, longWaits: new LongWaits({ db, random: seededRandom(1), epoch: () => "7" }) };
}

// Only what is looked at here.
const place = (lane: number, stage: object = {}) => ({ lane, service: "", stage }) as Place;
const capped = { concurrency: 3 };

describe("what has waited long", () => {
  it("is claimed from each lane with counted places, and from all others together, in turn", async () => {
    const { asked, longWaits } = asking(() => 1);
    const places = [place(1), place(2), place(5, capped), place(3, capped)];
    for (let time = 0; time < 6; time += 1) await longWaits.claim(1, places);
    expect(asked.map(({ lanes }) => lanes.join())).toEqual(["3", "5", "1,2", "3", "5", "1,2"]);
  });

  it("is looked for in the next where there is too little", async () => {
    const { asked, longWaits } = asking((_, lanes) => (lanes.includes(5) ? 1 : 0));
    const places = [place(1), place(5, capped), place(3, capped)];
    expect(await longWaits.claim(4, places)).toHaveLength(1);
    expect(asked.map(({ lanes }) => lanes.join())).toEqual(["3", "5", "1"]);
    asked.length = 0;
    await longWaits.claim(1, places);
    expect(asked.map(({ lanes }) => lanes.join())).toEqual(["1", "3", "5"]);
    expect(await longWaits.claim(0, places)).toEqual([]);
  });

  it("is taken by turns where keys are limited, and each priority is first in its turn", async () => {
    const { asked, longWaits } = asking((statement) => (statement === "claim-fair" ? 1 : 0));
    for (let time = 0; time < 6; time += 1) await longWaits.claim(1, [place(4, { perKey: 2 })]);
    expect(asked.filter(({ statement }) => statement === "claim-fair").map(({ priorities }) => priorities)).toEqual(
      [1, 2, 3, 4, 5, 1].map((first) => [first]),
    );
  });

  it("goes round", () => {
    expect(inRound([0, 9, 4], 4)).toEqual([9, 0, 4]);
    expect(inRound([0, 9, 4], 9)).toEqual([0, 4, 9]);
    expect(inRound([], 1)).toEqual([]);
  });
});
