import { describe, expect, it } from "vitest";
import type { Queryable } from "../db/database.ts";
import { Valves } from "./valves.ts";

/** Answers each question when it is told to. */
class SlowDatabase {
  readonly answers: ((row: object) => void)[] = [];

  async query(): Promise<unknown[]> {
    return [await new Promise<object>((resolve) => this.answers.push(resolve))];
  }
}

const closed = (generation: string, ...lanes: number[]) => ({ generation, lanes, stopped: lanes, broken: [] });

describe("the valves as a process knows them", () => {
  it("are never those of an answer that was overtaken by a later one", async () => {
    const db = new SlowDatabase();
    const valves = new Valves();
    const both = [1, 2].map(() => valves.refresh(db as unknown as Queryable));
    db.answers[1]?.(closed("8", 1));
    await both[1];
    db.answers[0]?.(closed("7"));
    await both[0];
    expect([valves.generation, valves.isClosed(1)]).toEqual(["8", true]);
  });

  it("are those of the last answer, also where the database is an older one, restored", async () => {
    const db = new SlowDatabase();
    const valves = new Valves();
    for (const [at, answer] of [closed("8", 1), closed("3")].entries()) {
      const refreshed = valves.refresh(db as unknown as Queryable);
      db.answers[at]?.(answer);
      await refreshed;
    }
    expect([valves.generation, valves.isClosed(1)]).toEqual(["3", false]);
  });
});
