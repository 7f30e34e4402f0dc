import { describe, expect, test } from "vitest";
import { fakeEncoderWorld } from "../../../test/support/fake-encoder-world.ts";
import { encoderContract } from "./encoder.contract.ts";
import type { EncodeLie } from "./encoder-world.ts";
import { fakeEncoder } from "./fake-encoder.ts";
import { encodingProfile } from "./profile.ts";

describe("the fake keeps the contract", () => {
  test.each(encoderContract)("$name", ({ run }) => run(fakeEncoderWorld(fakeEncoder({ ticks: 8 }))));
});

describe("the fake", () => {
  async function begun(lie?: EncodeLie, keepLarger = false) {
    const fake = fakeEncoder({ ticks: 4 });
    fake.world.put("/film.mkv", { bytes: 1_000, durationMs: 60_000 });
    if (lie !== undefined) fake.world.lie("a:1", lie);
    const profile = encodingProfile.parse({ name: "small", codec: "av1", keepLarger });
    const order = { key: "a:1", input: "/film.mkv", output: "/out.mkv", profile };
    const seen = async (ticks: number) => {
      fake.world.tick(ticks);
      return (await fake.client.look(["a:1"]))[0];
    };
    await fake.client.start(order);
    return { ...fake, order, seen };
  }

  test("comes to its end in so many ticks", async () => {
    const { seen, world } = await begun();
    expect(await seen(0)).toMatchObject({ state: "queued" });
    expect(await seen(3)).toMatchObject({ state: "running", progress: 50 });
    expect(await seen(2)).toMatchObject({ state: "done", output: { kind: "made", bytes: 500 } });
    expect(world.truth().films).toEqual(new Map([["/out.mkv", "a:1"]]));
  });

  test("runs and does not move", async () => {
    const { seen, world } = await begun("stalls");
    const before = await seen(2);
    expect(await seen(100)).toEqual(before);
    expect(world.truth().alive).toEqual(["a:1"]);
  });

  test("dies halfway, and says so", async () => {
    const { seen } = await begun("dies");
    expect(await seen(4)).toMatchObject({ state: "failed", fault: { kind: "transient", code: "KILLED" } });
  });

  test("tells frames and no time", async () => {
    const { seen } = await begun("no-time");
    expect(await seen(3)).toMatchObject({ details: { frame: 48, outTimeMs: 0 } });
  });

  test("makes what is larger, which is kept only if that is asked for", async () => {
    const dropped = await begun("grows");
    expect(await dropped.seen(9)).toMatchObject({ state: "done", output: { kind: "larger" } });
    expect(dropped.world.truth().films.size).toBe(0);
    const kept = await begun("grows", true);
    expect(await kept.seen(9)).toMatchObject({ output: { kind: "made", isLarger: true } });
  });

  test("has no space, until it has", async () => {
    const { seen, world } = await begun();
    world.isDiskFull = true;
    expect(await seen(2)).toMatchObject({ fault: { kind: "unavailable", code: "DISK_FULL", breaker: "none" } });
  });

  test("acts and says nothing; its work is adopted, and begun once", async () => {
    const { client, trouble, world, order, down } = await begun();
    trouble("start", "timeout-but-done");
    await expect(client.start({ ...order, key: "a:2" })).rejects.toMatchObject({ kind: "transient" });
    expect(await client.adopt("a:2")).toBe("a:2");
    down();
    await expect(client.look(["a:2"])).rejects.toMatchObject({ kind: "unavailable" });
    world.tick();
    expect(world.truth().programs.get("a:2")).toBe(1);
  });
});
