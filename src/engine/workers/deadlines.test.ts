import { expect, it } from "vitest";
import { manualClock } from "../../kit/index.ts";
import { Deadlines } from "./deadlines.ts";

it("come due in their order, unless they were met", async () => {
  const clock = manualClock();
  const deadlines = new Deadlines(clock);
  const due: string[] = [];
  const set = (name: string) => deadlines.within(100, () => due.push(name));
  const [, middle] = [set("first"), set("middle"), set("last")];
  middle.meet();
  middle.meet();
  await clock.advance(50);
  set("later");
  await clock.advance(50);
  expect(due).toEqual(["first", "last"]);
  await clock.advance(50);
  expect(due).toEqual(["first", "last", "later"]);
  deadlines.stop();
});

it("of no time at all come due, and so do others when one meets its neighbour", async () => {
  const clock = manualClock();
  const deadlines = new Deadlines(clock);
  const due: string[] = [];
  deadlines.within(0, () => due.push("at once"));
  const one = deadlines.within(10, () => due.push("one"));
  const two = deadlines.within(10, () => {
    due.push("two");
    one.meet();
  });
  deadlines.within(10, () => due.push("three"));
  two.meet();
  await clock.advance(1);
  await clock.advance(10);
  expect(due).toEqual(["at once", "one", "three"]);
  deadlines.stop();
});
