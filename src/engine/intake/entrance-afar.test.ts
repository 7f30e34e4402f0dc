import { describe, expect, it } from "vitest";
import { seededRandom } from "../../kit/index.ts";
import type { Database, Statement } from "../db/database.ts";
import type { Kept } from "../workers/reception.ts";
import type { Place } from "../workers/registry.ts";
import { Entrance } from "./entrance.ts";
import type { Submission } from "./submission.ts";

const plain = { pipelineId: 1, lane: 1, service: "", stage: {}, pipeline: {} } as Place; // as far as it is looked at
const given: Submission = {
  ...{ first: plain, inputs: ['"a"'], key: null, scope: { name: "live", windowMs: null }, onConflict: "join" },
  ...{ owner: null, priority: 3, delayMs: 0, fairness: null, deadlineMs: null, trace: null, into: null },
};

/** By which statements it enters, and who is woken. */
async function enter(change: Partial<Submission>, isEdge = true, kept?: Kept) {
  const names: string[] = [];
  const woken: string[] = [];
  const query = async ({ name }: Statement) => {
    names.push(name);
    return (change.inputs ?? given.inputs).map((_one, index) => ({ id: String(index), request_id: "1" }));
  };
  const wakeUp = {
    takeEdge: () => isEdge,
    moved: () => void woken.push("everywhere"),
    movedHere: () => void woken.push("here"),
    movedSoon: () => void woken.push("soon"),
  };
  // The one thing it is asked for.
  const db = { query } as unknown as Database;
  const reception = () => (kept === undefined ? undefined : { keep: () => kept });
  const entrance = new Entrance({ db, random: seededRandom(1), wakeUp, reception });
  await entrance.store({ ...given, ...change });
  return [...names, ...woken];
}

describe("what may go to another process that invites", () => {
  it("is what others are told of anyway, and what it would claim at once", async () => {
    expect(await enter({})).toEqual(["submit-one-afar", "here"]);
    expect(await enter({}, false)).toEqual(["submit-one", "everywhere"]);
    const fair = { ...plain, pipeline: { fair: true } } as Place;
    const counted = { ...plain, stage: { concurrency: 1 } } as Place;
    const served = { ...plain, service: "api" };
    const long = JSON.stringify("x".repeat(8_000));
    for (const first of [fair, counted, served]) expect(await enter({ first })).toEqual(["submit-one", "here"]);
    for (const change of [{ delayMs: 1 }, { inputs: [long] }]) expect((await enter(change))[0]).toBe("submit-one");
  });

  it("is nothing of what is handed over here", async () => {
    const kept = { epoch: "7", servedLanes: [1], valves: "0", chosen: new Set([0]), answered: async () => undefined };
    expect((await enter({ inputs: ['"a"', '"b"'] }, true, kept))[0]).toBe("submit-few-at-hand");
  });
});
