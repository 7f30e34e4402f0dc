import { describe, expect, it } from "vitest";
import { silentLogger } from "../../kit/index.ts";
import type { Queryable } from "../db/database.ts";
import { keepCheckpoint } from "./checkpoint.ts";

const clock = { monotonic: () => 0, sleep: async () => {} };
const lost = new Error("Connection terminated unexpectedly");
const unstorable = Object.assign(new Error("value out of range"), { code: "22003" });

/** Answers one statement after the other: with rows, or by throwing. */
function database(answers: (Error | unknown[])[]): Queryable {
  return {
    async query<Row>(): Promise<Row[]> {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer as Row[];
    },
  };
}

function keep(answers: (Error | unknown[])[], isOurs = () => true): Promise<boolean> {
  const ports = { db: database(answers), clock, log: silentLogger, epoch: () => "1" };
  return keepCheckpoint({ id: "1", version: 1 }, "{}", ports, isOurs);
}

describe("a checkpoint", () => {
  it("is saved again until the database answers: its outage is not the item's fault", async () => {
    expect(await keep([lost, lost, [{}]])).toBe(true);
  });

  it("is refused when somebody else owns the item", async () => {
    expect(await keep([lost, []])).toBe(false);
  });

  it("is given up when the item is out of our hands", async () => {
    const looks = [true, true, false];
    expect(await keep([lost, lost, lost, [{}]], () => looks.shift() ?? false)).toBe(false);
  });

  it("that can never be stored is an error of the stage", async () => {
    await expect(keep([unstorable])).rejects.toBe(unstorable);
  });
});
