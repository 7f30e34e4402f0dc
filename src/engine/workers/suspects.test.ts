import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChildLoad, chooseChild, crashFault, VISITS_MOST } from "./suspects.ts";

const shared = (visits: number, isClosing = false, lasting = 0): ChildLoad => ({
  ...{ visits, lasting, isAlone: false, isUp: true, isClosing },
});
const starting: ChildLoad = { visits: 0, lasting: 0, isAlone: false, isUp: false, isClosing: false };
const alone: ChildLoad = { visits: 1, lasting: 0, isAlone: true, isUp: true, isClosing: false };
const aloneStarting: ChildLoad = { ...alone, isUp: false };

describe("where a suspect goes", () => {
  it.each([
    { name: "the first starts a child", crashes: 0, children: [], choice: "start" },
    { name: "the next ones wait for it", crashes: 0, children: [starting], choice: "wait" },
    { name: "they share it when it is up", crashes: 0, children: [shared(7)], choice: { use: 0 } },
    { name: "eight are enough at first", crashes: 0, children: [shared(8)], choice: "wait" },
    { name: "as many more as have lasted", crashes: 0, children: [shared(15, false, 8)], choice: { use: 0 } },
    { name: "and not one more than that", crashes: 0, children: [shared(16, false, 8)], choice: "wait" },
    { name: "thirty-two are the most", crashes: 0, children: [shared(32, false, 32)], choice: "start" },
    { name: "one more for one that is full", crashes: 0, children: [shared(32), starting], choice: "wait" },
    { name: "no one joins a child that is closing", crashes: 0, children: [shared(1, true)], choice: "start" },
    { name: "no one joins who has to be alone", crashes: 0, children: [alone], choice: "start" },
    {
      name: "one place is left to those alone",
      crashes: 0,
      children: [shared(32), shared(32), shared(32)],
      choice: "wait",
    },
    { name: "a crash before means alone", crashes: 1, children: [shared(0)], choice: "start" },
    { name: "two start alone at a time", crashes: 1, children: [aloneStarting, aloneStarting], choice: "wait" },
    {
      name: "alone, with all places taken",
      crashes: 1,
      children: [shared(1), shared(8), shared(8), alone],
      choice: "wait",
    },
    {
      name: "an idle child makes room",
      crashes: 2,
      children: [shared(8), shared(0), shared(8), alone],
      choice: { replace: 1 },
    },
    { name: "one place is left to those who share", crashes: 1, children: [alone, alone, alone], choice: "wait" },
  ])("$name", ({ crashes, children, choice }) => {
    expect(chooseChild(crashes, children, { most: 4, isMoving: false, waiting: 1 })).toEqual(choice);
  });

  it("as many as are needed, while visits last", () => {
    const limits = { most: 16, isMoving: false, waiting: 24 + 65 };
    expect(chooseChild(0, [shared(8), starting, starting], limits)).toBe("start");
    expect(chooseChild(0, [shared(8), starting, starting, starting], limits)).toBe("wait");
    expect(chooseChild(0, [shared(8), starting], { ...limits, isMoving: true })).toBe("wait");
  });

  it("visits that end leave room: no other child is started for those who share", () => {
    const limits = { most: 4, isMoving: true, waiting: 1 };
    expect(chooseChild(0, [shared(32)], limits)).toBe("wait");
    expect(chooseChild(0, [shared(8, true)], limits)).toBe("start");
    expect(chooseChild(1, [shared(8)], limits)).toBe("start");
  });

  it("never more children than allowed, never too many in one, never a crashed one in a used one", () => {
    const load = fc.record({
      visits: fc.nat(40),
      lasting: fc.nat(40),
      isAlone: fc.boolean(),
      isUp: fc.boolean(),
      isClosing: fc.boolean(),
    });
    const cases = fc.record({
      crashes: fc.nat(2),
      children: fc.array(load, { maxLength: 6 }),
      limits: fc.record({ most: fc.integer({ min: 1, max: 6 }), isMoving: fc.boolean(), waiting: fc.nat(40) }),
    });
    fc.assert(
      fc.property(cases, ({ crashes, children, limits }) => {
        const choice = chooseChild(crashes, children, limits);
        if (choice === "start") expect(children.length).toBeLessThan(limits.most);
        if (typeof choice === "string") return;
        if ("use" in choice) {
          expect(crashes).toBe(0);
          expect(children[choice.use]).toMatchObject({ isAlone: false, isUp: true, isClosing: false });
          expect(children[choice.use]?.visits).toBeLessThan(VISITS_MOST);
        } else expect(children[choice.replace]).toMatchObject({ visits: 0, isClosing: false });
      }),
    );
  });

  it("nobody waits while there are no children", () => {
    for (const crashes of [0, 1, 2]) {
      for (const isMoving of [true, false])
        expect(chooseChild(crashes, [], { most: 1, isMoving, waiting: 1 })).toBe("start");
    }
  });
});

describe("a crash", () => {
  it("is forgiven twice; the third is the end", () => {
    expect(crashFault(0, "it was ended by SIGABRT")).toBeUndefined();
    expect(crashFault(1, "it was ended by SIGABRT")).toBeUndefined();
    const fault = crashFault(2, "it was ended by SIGABRT");
    expect(fault).toMatchObject({ kind: "permanent", code: "CRASH_LOOP", message: expect.stringContaining("SIGABRT") });
  });
});
