import { expect, test } from "vitest";
import { Counts } from "./counts.ts";
import { afterOwnWait, submitOne } from "./exhaustive.ts";
import { type Decision, givenPlan, randomPlan } from "./faults.ts";
import { faultsText, parseFaults } from "./report.ts";
import { runSeed } from "./run-seed.ts";
import { runAtLeisure } from "./special-runs.ts";
import { runStarving } from "./starvation.ts";

/** Far ahead, where events land in no week's partition; then everybody has to start anew. */
const WEEKS_AHEAD: Decision[] = [
  { step: 60, kind: "clockJump", detail: 0.89999 },
  ...[100, 110, 120, 130].map((step): Decision => ({ step, kind: "crashBefore", detail: 0.5 })),
];

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

test.each(["ask", "askWithFallback", "doneWithSpawn", "back", "spawn"] as const)(
  "a wait that ended by time is forgotten by what follows: %s",
  async (second) => {
    const world = { workers: 2, script: afterOwnWait(second), begin: submitOne };
    const { violation } = await runSeed(1, { decisions: [], steps: 700, world });
    expect(violation).toBeUndefined();
  },
);

test("a clock that jumps weeks ahead keeps nobody from starting", async () => {
  const { violation } = await runSeed(1, {
    decisions: WEEKS_AHEAD,
    world: { workers: 2, script: () => "done", begin: submitOne },
  });
  expect(violation).toBeUndefined();
});

test("what is old is entered, although what is better never ends", async () => {
  const { violation, counts } = await runStarving(50);
  expect(violation).toBeUndefined();
  expect(new Map(counts).get("checked: starvation")).toBeGreaterThan(0);
});

test("what one worker is handed by another process is begun once, whatever happens", async () => {
  const counts = new Counts();
  for (let seed = 1; seed <= 12; seed += 1) {
    const run = await runAtLeisure(seed);
    expect(run.violation, `seed ${seed}`).toBeUndefined();
    for (const [name, times] of run.counts) counts.add(name, times);
  }
  expect(counts.of("handed over afar")).toBeGreaterThan(10);
  expect(counts.of("fault: lost letter")).toBeGreaterThan(0);
});

test("a plan drawn and a plan given answer alike", () => {
  const drawn = randomPlan(5);
  const answers = Array.from({ length: 400 }, (_, step) => drawn.at(step));
  const given = givenPlan(drawn.taken);
  expect(answers.map((_, step) => given.at(step))).toEqual(answers);
});
