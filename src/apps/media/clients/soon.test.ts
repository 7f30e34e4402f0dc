import { expect, it } from "vitest";
import { manualClock } from "../../../kit/index.ts";
import { soon } from "./soon.ts";

it("what is there is told at once, what comes is waited for, and what does not come is not waited for any longer", async () => {
  const clock = manualClock();
  expect(await soon(async () => "here", 0, clock)).toBe("here");
  expect(await soon(async () => undefined, 0, clock)).toBeUndefined();
  let there: string | undefined;
  const coming = soon(async () => there, 10_000, clock);
  await clock.advance(3_000);
  there = "late";
  await clock.advance(250);
  expect(await coming).toBe("late");
  const never = soon(async () => undefined, 1_000, clock);
  await clock.advance(1_000);
  expect(await never).toBeUndefined();
});
