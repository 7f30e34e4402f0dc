import { expect, test } from "vitest";
import { givenPlan, randomPlan } from "./faults.ts";
import { parseFaults, faultsText } from "./report.ts";
import { runSeed } from "./run-seed.ts";

test("ten seeds hold", async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const { violation } = await runSeed(seed);
    expect(violation, `seed ${seed}`).toBeUndefined();
  }
});

test("the same seed is the same run, whatever ran before", async () => {
  const once = await runSeed(11);
  await runSeed(12);
  const again = await runSeed(11);
  expect(again.fingerprint).toBe(once.fingerprint);
  expect(again.steps).toBe(once.steps);
  expect((await runSeed(13)).fingerprint).not.toBe(once.fingerprint);
});

test("a run can be repeated from the faults it took", async () => {
  const once = await runSeed(14);
  const again = await runSeed(14, { decisions: parseFaults(faultsText(once.decisions)) });
  expect(again.fingerprint).toBe(once.fingerprint);
});

test("a plan drawn and a plan given answer alike", () => {
  const drawn = randomPlan(5);
  const answers = Array.from({ length: 400 }, (_, step) => drawn.at(step));
  const given = givenPlan(drawn.taken);
  expect(answers.map((_, step) => given.at(step))).toEqual(answers);
});
