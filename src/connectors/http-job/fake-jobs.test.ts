import { describe, expect, test } from "vitest";
import { manualClock } from "../../kit/index.ts";
import { fakeJobs } from "./fake-jobs.ts";
import { httpJobContract } from "./http-job.contract.ts";

describe("the fake keeps the contract", () => {
  test.each(httpJobContract)("$name", async ({ run }) => {
    const fake = fakeJobs();
    const { client, world, down } = fake;
    await run({ client, world, down, loseNextStart: () => fake.trouble("start", "timeout-but-done") });
  });
});

describe("the fake", () => {
  const work = { key: "a", input: 1 };

  test("counts what a service that forgets keys does twice", async () => {
    const { client, world } = fakeJobs({ isIdempotent: false });
    await client.start(work);
    await client.start(work);
    world.tick(4);
    expect(world.truth().duplicates).toEqual(["a"]);
  });

  test("says done before it is, when told to", async () => {
    const { client, world } = fakeJobs();
    world.lie("a", "done-too-early");
    const ref = await client.start(work);
    world.tick(3);
    expect((await client.look([ref]))[0]?.state).toBe("done");
    expect(world.truth()).toMatchObject({ alive: ["a"], effects: new Map() });
    world.tick();
    expect(world.truth()).toMatchObject({ alive: [], effects: new Map([["a", 1]]) });
  });

  test("stalls: runs, and nothing moves", async () => {
    const { client, world } = fakeJobs();
    world.lie("a", "stalls");
    const ref = await client.start(work);
    world.tick(2);
    const before = await client.look([ref]);
    world.tick(50);
    expect(await client.look([ref])).toEqual(before);
    expect(before[0]?.state).toBe("running");
  });

  test("is slow by its clock, and has acted all the same", async () => {
    const clock = manualClock();
    const fake = fakeJobs({ clock });
    fake.trouble("start", { slowMs: 1_000 });
    let ref: string | undefined;
    const started = fake.client.start(work).then((value) => {
      ref = value;
    });
    await clock.advance(999);
    expect([ref, fake.world.truth().made.get("a")]).toEqual([undefined, 1]);
    await clock.advance(1);
    await started;
    expect(ref).toBe("job-1");
  });

  test("has one trouble per call, in order, and counts the calls", async () => {
    const fake = fakeJobs();
    fake.trouble("start", "timeout", "rate-limited");
    await expect(fake.client.start(work)).rejects.toMatchObject({ code: "TIMEOUT", breaker: "failure" });
    await expect(fake.client.start(work)).rejects.toMatchObject({ retryAfterMs: 60_000, breaker: "none" });
    expect(fake.world.truth().starts.size).toBe(0);
    await fake.client.start(work);
    expect(fake.calls).toEqual({ start: 3, adopt: 0, look: 0, cancel: 0, list: 0 });
  });

  test("is the same again from the same seed", async () => {
    const marks = async (seed: number) => {
      const { client, world } = fakeJobs({ seed });
      const ref = await client.start(work);
      world.tick(3);
      return (await client.look([ref]))[0]?.marks;
    };
    expect(await marks(7)).toEqual(await marks(7));
    expect(await marks(7)).not.toEqual(await marks(8));
  });
});
