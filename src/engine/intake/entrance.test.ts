import { describe, expect, it } from "vitest";
import { SlowDatabase, turn } from "../../../test/support/slow-database.ts";
import { seededRandom } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import type { Reception } from "../workers/reception.ts";
import type { Place } from "../workers/registry.ts";
import { Entrance } from "./entrance.ts";
import type { Submission } from "./submission.ts";

const first = { pipelineId: 1, lane: 1, pipeline: {} } as Place; // nothing else of it is stored

function submission(...inputs: string[]): Submission {
  return {
    first,
    inputs: inputs.map((input) => JSON.stringify(input)),
    key: null,
    scope: { name: "live", windowMs: null },
    onConflict: "join",
    owner: null,
    priority: 3,
    delayMs: 0,
    fairness: null,
    deadlineMs: null,
    trace: null,
    into: null,
  };
}

/** How others heard of it: "here" alone where the statement told them. */
function open(isEdge = false, given?: Pick<Reception, "keep">) {
  const database = new SlowDatabase();
  const heard: string[] = [];
  const wakeUp = {
    takeEdge: () => isEdge,
    moved: () => void heard.push("everywhere"),
    movedHere: () => void heard.push("here"),
    movedSoon: () => void heard.push("soon"),
  };
  const reception = () => given;
  // The one thing it is asked for.
  const db = database as unknown as Database;
  return { entrance: new Entrance({ db, random: seededRandom(1), wakeUp, reception }), database, heard };
}

const sqlError = (code: string) => Object.assign(new Error("refused"), { code });

describe("the entrance", () => {
  it("writes the first at once, and what comes meanwhile together", async () => {
    const { entrance, database } = open();
    const made = [entrance.store(submission("a"))];
    await turn();
    made.push(entrance.store(submission("b")));
    await turn();
    for (const name of ["c", "d", "e"]) made.push(entrance.store(submission(name, `${name}2`)));
    await turn();
    expect(database.sent).toEqual([["a"], ["b"]]);
    await database.answer();
    expect(database.sent[2]).toEqual(["c", "c2", "d", "d2", "e", "e2"]);
    await database.answer();
    const requests = await Promise.all(made);
    expect(new Set(requests.map((one) => one.request)).size).toBe(5);
    expect(requests.map((one) => one.items.length)).toEqual([1, 1, 2, 2, 2]);
  });

  it("sends no more together than a statement should carry", async () => {
    const { entrance, database } = open();
    const many = Array.from({ length: 700 }, (_, index) => String(index));
    const made = [submission("a"), submission(...many), submission(...many), submission("b")].map((one) =>
      entrance.store(one),
    );
    for (let answers = 0; answers < 4; answers += 1) {
      await turn();
      await database.answer();
    }
    await Promise.all(made);
    expect(database.sent.map((inputs) => inputs.length)).toEqual([701, 701]);
  });

  it("sends a third only while a whole statement waits", async () => {
    const { entrance, database } = open();
    const large = (name: string) => submission(...Array.from({ length: 1_000 }, () => name));
    const made = [large("a"), large("b"), large("c")].map((one) => entrance.store(one));
    await turn();
    expect(database.sent.map(([first]) => first)).toEqual(["a", "b", "c"]);
    await database.answer();
    made.push(...[large("d"), large("e"), submission("f")].map((one) => entrance.store(one)));
    await turn();
    expect(database.sent.slice(3).map(([first]) => first)).toEqual(["d", "e"]);
    for (let answers = 0; answers < 2; answers += 1) {
      await database.answer();
      await turn();
    }
    expect(database.sent.at(-1)).toEqual(["f"]);
    await Promise.all(made);
  });

  it("lets one that cannot be stored take no other with it", async () => {
    const { entrance, database } = open();
    database.refuse = (inputs) => (inputs.includes("bad") ? sqlError("22P05") : undefined);
    const ended = Promise.allSettled(["good", "bad", "fine"].map((name) => entrance.store(submission(name))));
    for (let answers = 0; answers < 6; answers += 1) {
      await turn();
      await database.answer();
    }
    const ends = await ended;
    expect(ends.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("tries again at once when somebody was in the way", async () => {
    const { entrance, database } = open();
    database.refuse = () => (database.sent.length < 3 ? sqlError("40P01") : undefined);
    const made = Promise.all(["a", "b"].map((name) => entrance.store(submission(name))));
    for (let answers = 0; answers < 3; answers += 1) {
      await turn();
      await database.answer();
    }
    expect((await made).map((one) => one.joined)).toEqual([false, false]);
    expect(database.sent).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("asks a database that cannot do it now once for all of them", async () => {
    const { entrance, database } = open();
    database.refuse = () => sqlError("53100");
    const ended = Promise.allSettled(["a", "b"].map((name) => entrance.store(submission(name))));
    await turn();
    await database.answer();
    expect((await ended).map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(database.sent).toHaveLength(1);
  });

  it("writes nothing again of which nobody knows whether it was stored", async () => {
    const { entrance, database } = open();
    database.refuse = () => new Error("connection reset");
    const ended = Promise.allSettled(["a", "b"].map((name) => entrance.store(submission(name))));
    await turn();
    await database.answer();
    const ends = await ended;
    expect(ends.map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(database.sent).toHaveLength(1);
  });

  it("has a few tell other processes with their commit, and nobody else", async () => {
    for (const [count, isEdge] of [
      [32, true],
      [33, true],
      [32, false],
    ] as const) {
      const { entrance, database, heard } = open(isEdge);
      const made = entrance.store(submission(...Array.from({ length: count }, String)));
      await turn();
      expect(heard).toEqual([]);
      await database.answer();
      await made;
      const tells = isEdge && count === 32;
      expect([database.told, heard]).toEqual([[tells], [tells ? "here" : "everywhere"]]);
    }
  });

  it("wakes nobody for what was not stored", async () => {
    const { entrance, database, heard } = open();
    database.refuse = () => sqlError("53100");
    const ended = Promise.allSettled([entrance.store(submission("a"))]);
    await turn();
    await database.answer();
    await ended;
    expect(heard).toEqual([]);
  });

  /** A receiver with places for these, by their place in the list, and what it was given. */
  function receiver(...chosen: number[]) {
    const given: unknown[] = [];
    const keep = () => ({
      epoch: "7",
      servedLanes: [1],
      valves: "0",
      chosen: new Set(chosen),
      answered: async (rows: readonly ClaimedRow[]) => void given.push(rows.map((row) => row.input)),
    });
    return { keep, given };
  }

  it("hands over what there is room for, and has others told of the rest at once, of that alone soon", async () => {
    for (const [chosen, closed, given, heard] of [
      [[0, 1], [], [["a", "b"]], ["soon"]],
      [[1], [], [["b"]], ["here"]],
      [[0, 1], ["a"], [["b"]], ["everywhere"]],
      [[0], ["a"], [[]], ["here"]],
    ] as const) {
      const reception = receiver(...chosen);
      const opened = open(true, reception);
      for (const one of closed) opened.database.closed.add(one);
      const made = opened.entrance.store(submission("a", "b"));
      await turn();
      await opened.database.answer();
      await made;
      expect([reception.given, opened.heard]).toEqual([given, heard]);
    }
  });

  it("gives the places back when nothing was stored, and keeps none for many", async () => {
    const reception = receiver(0);
    const { entrance, database } = open(true, reception);
    database.refuse = () => sqlError("53100");
    const ended = Promise.allSettled([entrance.store(submission("a"))]);
    await turn();
    await database.answer();
    await ended;
    expect(reception.given).toEqual([[]]);
    const many = entrance.store(submission(...Array.from({ length: 33 }, String)));
    database.refuse = () => undefined;
    await turn();
    await database.answer();
    await many;
    expect(reception.given).toHaveLength(1);
  });
});
