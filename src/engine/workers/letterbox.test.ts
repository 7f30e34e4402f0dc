import { describe, expect, it } from "vitest";
import { manualClock, silentLogger } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import type { ClaimedRow } from "../items/claim.sql.ts";
import { Letterbox, type LetterboxPorts } from "./letterbox.ts";
import { Places } from "./places.ts";
import type { Place } from "./registry.ts";

function open(most = 10) {
  const begun: string[] = [];
  const handedBack: string[] = [];
  const facts = { epoch: "7", heard: 0 as number | undefined, usedUp: 0, woken: 0, moved: 0, answers: true };
  let letBegin = () => {};
  const places = new Places(most, () => begun.length);
  const db = {
    query: async (_statement: unknown, [ids]: readonly unknown[]) => {
      handedBack.push(...(ids as string[]));
      return [];
    },
  } as unknown as Database; // the one thing it is asked for
  const ports: LetterboxPorts = {
    ...{ log: silentLogger, db, epoch: () => facts.epoch, servedLanes: () => [1, 2], heard: () => facts.heard },
    registry: { place: (lane) => (lane === 8 ? undefined : ({ lane } as Place)) },
    begin: async (rows: readonly ClaimedRow[]) => {
      if (!facts.answers) await new Promise<void>((resolve) => (letBegin = resolve));
      begun.push(...rows.map(({ id }) => id));
      return rows.length;
    },
    usedUp: () => (facts.usedUp += 1),
    wake: () => (facts.woken += 1),
    moved: () => (facts.moved += 1),
  };
  const box = new Letterbox(ports, places);
  const receive = (ids: readonly number[], epoch = "7", lane = 1) => {
    const rows = ids.map((id) => [String(id), "1", lane, 3, "1", null, null, null, null, 1, {}]);
    return box.receive(JSON.stringify([1, epoch, rows]));
  };
  return { box, begun, handedBack, facts, places, receive, letBegin: () => letBegin() };
}

describe("what a process says it may be handed", () => {
  it("is half of its room, and not much, from when it is open until it stops", () => {
    const { box } = open(7);
    expect(box.invitation()).toEqual({ items: 0, lanes: null });
    box.open();
    expect(box.invitation()).toEqual({ items: 3, lanes: [1, 2] });
    box.close();
    expect(box.invitation().items).toBe(0);
    box.open();
    box.stop();
    expect(box.invitation().items).toBe(0);
    const large = open(1_000).box;
    large.open();
    expect(large.invitation().items).toBe(16);
  });

  it("is nothing while it is full, or while no letter can come", () => {
    const { box, places, facts } = open(2);
    box.open();
    const giveBack = places.keep(2);
    expect(box.invitation().items).toBe(0);
    giveBack();
    facts.heard = undefined;
    expect(box.invitation().items).toBe(0);
  });

  it("is nothing after a letter that was lost, until something is heard again", () => {
    const { box, facts } = open();
    box.open();
    facts.heard = 3;
    expect(box.giveUp("5")).toBe(true);
    expect(box.invitation().items).toBe(0);
    facts.heard = 4;
    expect(box.invitation().items).toBe(5);
  });
});

describe("what is handed over with a letter", () => {
  it("is begun, and a new invitation is asked for when half of the last has come", async () => {
    const { box, begun, receive, facts, places } = open();
    box.open();
    box.invitation();
    expect([receive([1, 2]), facts.usedUp]).toEqual([true, 0]);
    receive([3]);
    await box.settled();
    expect([begun, facts.usedUp, places.freeForPromised, facts.woken]).toEqual([["1", "2", "3"], 1, 7, 0]);
  });

  it("goes back as far as there is no room for it, and where it is not known", async () => {
    const { box, begun, receive, handedBack, facts } = open(2);
    box.open();
    receive([1, 2, 3]);
    receive([4], "7", 8);
    await box.settled();
    expect([begun, handedBack, facts.moved]).toEqual([["1", "2"], ["3", "4"], 2]);
  });

  it("goes back once it stops", async () => {
    const { box, begun, receive, handedBack } = open();
    box.open();
    box.stop();
    receive([1]);
    await box.settled();
    expect([begun, handedBack]).toEqual([[], ["1"]]);
  });

  it("is left alone where it is another's, or of a life that is over", async () => {
    const { box, begun, receive, handedBack } = open();
    box.open();
    expect(receive([1], "8")).toBe(true);
    box.close();
    expect(receive([2])).toBe(true);
    expect(box.receive("nonsense")).toBe(false);
    await box.settled();
    expect([begun, handedBack]).toEqual([[], []]);
  });

  it("is not begun once it was given up, and not given up while it is being begun", async () => {
    const { box, begun, receive, facts, letBegin, places } = open();
    box.open();
    box.giveUp("1");
    receive([1]);
    facts.answers = false;
    receive([2]);
    await manualClock().settle();
    expect([box.giveUp("2"), places.free]).toEqual([false, 9]);
    letBegin();
    await box.settled();
    expect(begun).toEqual(["2"]);
    expect(box.giveUp("2")).toBe(true);
  });
});
