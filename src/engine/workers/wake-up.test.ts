import { describe, expect, it } from "vitest";
import { manualClock, silentLogger } from "../../kit/index.ts";
import type { Database } from "../db/database.ts";
import { WakeUp } from "./wake-up.ts";

function open(notify = true) {
  const clock = manualClock();
  const sentAt: number[] = [];
  const query = async () => {
    sentAt.push(clock.monotonic());
    return [];
  };
  // The one thing it is asked for here.
  const db = { query } as unknown as Database;
  return { clock, sentAt, wakeUp: new WakeUp({ db, clock, log: silentLogger, notify }) };
}

describe("telling other processes that something moved", () => {
  it("waits for nothing when little happens", async () => {
    const { clock, sentAt, wakeUp } = open();
    for (const at of [0, 20, 40]) {
      await clock.advance(at - clock.monotonic());
      wakeUp.moved();
      await clock.settle();
    }
    expect(sentAt).toEqual([0, 20, 40]);
  });

  it("becomes seldom while something always happens, and never forgets the last", async () => {
    const { clock, sentAt, wakeUp } = open();
    for (let ms = 0; ms < 300; ms += 1) {
      wakeUp.moved();
      await clock.advance(1);
    }
    await clock.advance(100);
    expect(sentAt).toEqual([0, 5, 15, 35, 75, 125, 175, 225, 275, 325]);
  });

  it("stays soon for who hands in one after the other", async () => {
    const { clock, sentAt, wakeUp } = open();
    for (let ms = 0; ms < 40; ms += 1) {
      if (ms % 4 === 0) wakeUp.moved();
      await clock.advance(1);
    }
    await clock.advance(100);
    expect(sentAt).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40]);
  });

  it("leaves the leading edge to a statement that tells it with its commit, and is quiet from then on", async () => {
    const { clock, sentAt, wakeUp } = open();
    expect([wakeUp.takeEdge(), wakeUp.takeEdge()]).toEqual([true, false]);
    wakeUp.moved();
    await clock.advance(5);
    expect(sentAt).toEqual([5]);
    await clock.advance(10);
    expect(wakeUp.takeEdge()).toBe(true);
    await clock.advance(20);
    expect(sentAt).toEqual([5]);
  });

  it("tells what is in good hands with what follows, or when it was quiet for a while", async () => {
    const { clock, sentAt, wakeUp } = open();
    wakeUp.movedSoon();
    wakeUp.moved();
    await clock.advance(4);
    expect(sentAt).toEqual([]);
    await clock.advance(100);
    expect(sentAt).toEqual([5]);
    const alone = open(false);
    let woken = 0;
    alone.wakeUp.add(() => {
      woken += 1;
    });
    alone.wakeUp.movedSoon();
    expect(woken).toBe(1);
  });

  it("has no statement tell anything where nobody listens, or any more", async () => {
    expect(open(false).wakeUp.takeEdge()).toBe(false);
    const { wakeUp } = open();
    await wakeUp.stop();
    expect(wakeUp.takeEdge()).toBe(false);
  });

  it("tells this process every time", () => {
    const { wakeUp, sentAt } = open(false);
    let woken = 0;
    const forget = wakeUp.add(() => {
      woken += 1;
    });
    wakeUp.moved();
    wakeUp.moved();
    forget();
    wakeUp.moved();
    expect([woken, sentAt.length]).toEqual([2, 0]);
  });
});
