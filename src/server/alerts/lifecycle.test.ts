import { describe, expect, test } from "vitest";
import type { Hold } from "./causes.ts";
import { type AlertState, type Past, type Seen, type Step, step } from "./lifecycle.ts";

const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1) + minutes * 60_000);
const NEVER: Past = { openings: 0, toldAt: null, snoozedUntil: null };
const SOON: Hold = { from: "seen", ms: 60_000 };
const there = (count = 1, since: Date | null = null): Seen => ({ now: "there", count, since });
const gone: Seen = { now: "gone", count: 0, since: null };

/** Plays one cause through rounds of a quarter of a minute: [until which minute, what is seen]. Tells what was told, and when. */
function play(rounds: readonly (readonly [number, Seen])[], hold: Hold = SOON): string[] {
  const told: string[] = [];
  let alert: AlertState | undefined;
  let past: Past = NEVER;
  let minute = 0;
  for (const [until, seen] of rounds) {
    for (; minute < until; minute += 0.25) {
      const next: Step | null = step(alert, seen, past, hold, at(minute));
      if (next === null) continue;
      const tell = "tell" in next ? next.tell : null;
      if (tell !== null) told.push(`${tell} ${minute}`);
      if (tell !== null) past = { ...past, openings: past.openings + (tell === "opened" ? 1 : 0), toldAt: at(minute) };
      alert = next.to === "pending" || next.to === "open" ? next.alert : undefined;
    }
  }
  return told;
}

describe("a cause", () => {
  test("is told of when it has held, and once more when it is over", () => {
    expect(
      play([
        [24, there()],
        [30, gone],
      ]),
    ).toEqual(["opened 1", "resolved 25"]);
  });

  test("that does not hold is never told of", () => {
    expect(
      play([
        [0.75, there()],
        [10, gone],
      ]),
    ).toEqual([]);
  });

  test("holds since when the facts say, where they do", () => {
    const hold: Hold = { from: "since", ms: 120_000 };
    expect(play([[5, there(1, at(-1.5))]], hold)).toEqual(["opened 0.5"]);
    expect(play([[5, there(1, at(-60))]], hold)).toEqual(["opened 0"]);
  });

  test("that is away for less than a minute was never away", () => {
    expect(
      play([
        [10, there()],
        [10.75, gone],
        [20, there()],
        [30, gone],
      ]),
    ).toEqual(["opened 1", "resolved 21"]);
  });

  test("that comes and goes is told of less and less often", () => {
    const flapping = Array.from(
      { length: 120 },
      (_, turn) => [(turn + 1) * 3, turn % 2 === 0 ? there() : gone] as const,
    );
    const told = play(flapping);
    expect(told.filter((line) => line.startsWith("opened")).length).toBe(6);
    // Always in pairs, but for the last one, which is still open or not.
    expect(told.map((line) => line.split(" ")[0]).slice(0, 6)).toEqual(Array(3).fill(["opened", "resolved"]).flat());
  });

  test("that stays is recalled after 1 h, 6 h, 24 h, and every day", () => {
    const day = 24 * 60;
    expect(play([[4 * day + 10, there()]])).toEqual([
      "opened 1",
      ...["reminder 61", "reminder 361", `reminder ${day + 1}`],
      ...[`reminder ${2 * day + 1}`, `reminder ${3 * day + 1}`, `reminder ${4 * day + 1}`],
    ]);
  });

  test("is recalled once for all that were missed while nobody looked", () => {
    const open = (step(undefined, there(), NEVER, { from: "seen", ms: 0 }, at(0)) as { alert: AlertState }).alert;
    const late = step(open, there(), NEVER, SOON, at(4_000));
    expect(late).toMatchObject({ tell: "reminder", alert: { reminders: 4 } });
    expect(step((late as { alert: AlertState }).alert, there(), NEVER, SOON, at(4_001))).toMatchObject({ tell: null });
  });

  test("whose count changes says so every five minutes at most", () => {
    const rounds = Array.from({ length: 40 }, (_, turn) => [(turn + 1) / 2, there(turn)] as const);
    expect(play(rounds)).toEqual(["opened 1", "updated 6", "updated 11", "updated 16"]);
  });

  test("whose rule is switched off ends without a word", () => {
    expect(
      play([
        [5, there()],
        [9, { now: "off", count: 0, since: null }],
      ]),
    ).toEqual(["opened 1"]);
  });
});

describe("folded into another cause", () => {
  const folded: Seen = { now: "folded", count: 5, since: null };

  test("it is never told of by itself", () => {
    expect(
      play([
        [30, folded],
        [40, gone],
      ]),
    ).toEqual([]);
    expect(
      play([
        [0.5, there()],
        [30, folded],
        [40, gone],
      ]),
    ).toEqual([]);
  });

  test("after it was told of, it is neither over nor recalled while that lasts", () => {
    expect(
      play([
        [5, there()],
        [120, folded],
        [130, gone],
      ]),
    ).toEqual(["opened 1", "resolved 121"]);
  });
});

describe("snoozed", () => {
  const open = (step(undefined, there(), NEVER, { from: "seen", ms: 0 }, at(0)) as { alert: AlertState }).alert;
  const alert = { ...open, snoozedUntil: at(100) };

  test("nothing is repeated until then, and its end is told all the same", () => {
    expect(step(alert, there(9), NEVER, SOON, at(99))).toMatchObject({ tell: null });
    expect(step(alert, there(9), NEVER, SOON, at(100))).toMatchObject({ tell: "reminder" });
    expect(step({ ...alert, absentSince: at(50) }, gone, NEVER, SOON, at(51))).toMatchObject({
      to: "resolved",
      tell: "resolved",
    });
  });

  test("it does not open again until then either", () => {
    const past: Past = { openings: 1, toldAt: at(-100), snoozedUntil: at(100) };
    const hold: Hold = { from: "seen", ms: 0 };
    expect(step(undefined, there(), past, hold, at(99))).toMatchObject({ to: "pending" });
    expect(step(undefined, there(), past, hold, at(100))).toMatchObject({ to: "open" });
  });
});
