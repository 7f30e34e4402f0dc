// Encoding for real: encoders and workers in processes of their own that are killed and stopped, on real films. Whatever is to happen amid
// an encode waits there for it. What takes longer is in encoding-waits and encoding-far.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ItemId } from "../../src/kit/index.ts";
import { until } from "../support/until.ts";
import { EncodingWorld, SECONDS } from "./encoding-world.ts";

const world = new EncodingWorld({ isIdle: true });
beforeAll(async () => {
  await world.start();
  await world.worker();
});
afterEach(() => world.clean());
afterAll(() => world.stop());

const small = { name: "small", codec: "hevc", preset: "ultrafast", crf: 40 } as const;
const plain = { name: "plain", codec: "h264", preset: "ultrafast", crf: 35, container: "mp4" } as const;
const nothingLeft = () =>
  until(
    () => world.leftovers().length === 0,
    () => world.leftovers().join("\n"),
  );

const told = async (id: ItemId) =>
  (await world.item(id)).gates.map(({ stage, gate, verdict }) => `${stage} ${gate} ${verdict}`);

describe("a film", () => {
  it("is encoded once for each profile, by whoever asks for work, and every gate is told", async () => {
    await world.encoder("one");
    await world.encoder("two");
    const { id } = await world.ask(small, plain);
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
    expect(await world.filmAt(outputs.plain)).toMatchObject({ codec: "h264", seconds: SECONDS });
    // Those into the next stage are told with what comes of it.
    await until(
      async () => (await told(id)).some((one) => one.startsWith("deliver") && !one.endsWith("null")),
      "the gates of the next stage",
    );
    expect(await told(id)).toEqual(
      expect.arrayContaining([
        "encode sourceExists passed",
        "encode encoderOnline passed",
        "deliver outputExists passed",
        "deliver outputWhole passed",
      ]),
    );
    await nothingLeft();
  });

  it("that is cancelled amid it leaves no process and no file", async () => {
    await world.encoder("one", { program: world.program("cancelled") });
    const { id } = await world.ask(small);
    await world.moves(id);
    await world.site.sluice.cancel(id, "ann");
    await nothingLeft();
    await until(async () => (await world.jobs(id)).length === 0, "a board without it");
  });
});

describe("an encoder", () => {
  it("that is killed loses its job to another; started again it lets go of what went on without it", async () => {
    await world.encoder("first", { program: world.program("killed") });
    const { id } = await world.ask(small);
    await world.moves(id, "first");
    await world.end("first", "SIGKILL");
    await world.encoder("second");
    const { outputs } = await world.done(id);
    expect(outputs.small).toMatchObject({ kind: "made", encoder: "second" });
    expect((await world.jobs(id)).map(({ turn }) => turn)).toEqual([2]);
    await world.encoder("first", { program: world.program("killed") });
    await nothingLeft();
  });

  it("that is killed and started again goes on with what its ffmpeg did meanwhile", async () => {
    const program = world.program("adopted");
    await world.encoder("first", { program });
    const { id } = await world.ask(small);
    await world.moves(id, "first");
    await world.end("first", "SIGKILL");
    await world.encoder("first", { program });
    world.letGo("adopted");
    expect((await world.done(id)).outputs.small).toMatchObject({ kind: "made", encoder: "first" });
    expect([(await world.jobs(id)).map(({ turn }) => turn), world.begun("adopted")]).toEqual([[1], 1]);
    await nothingLeft();
  });

  it("that is stopped (SIGSTOP) loses its job, and what it brings back later is not taken", async () => {
    const first = await world.encoder("first", { program: world.program("stopped") });
    const { id } = await world.ask(small);
    await world.moves(id, "first");
    first.child.kill("SIGSTOP");
    await world.encoder("second");
    const { outputs } = await world.done(id);
    expect(outputs.small).toMatchObject({ kind: "made", encoder: "second" });
    first.child.kill("SIGCONT");
    await nothingLeft();
    expect((await world.encoded(id)).outputs.small).toMatchObject({ encoder: "second" });
  });

  it("told to stop ends its ffmpeg, and others go on at once", async () => {
    await world.encoder("first", { program: world.program("leaving") });
    const { id } = await world.ask(small);
    await world.moves(id, "first");
    expect(await world.end("first", "SIGTERM")).toBe(0);
    expect(world.leftovers()).toEqual([]);
    await world.encoder("second");
    expect((await world.done(id)).outputs.small).toMatchObject({ encoder: "second" });
  });
});

describe("a worker", () => {
  it("that is killed while somebody encodes: another goes on, and the film is made once", async () => {
    await world.encoder("one", { program: world.program("once") });
    const { id } = await world.ask(small);
    await world.moves(id);
    await world.killWorkers();
    await world.worker();
    world.letGo("once");
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
    expect([world.begun("once"), (await world.jobs(id)).map(({ turn }) => turn)]).toEqual([1, [1]]);
    await nothingLeft();
  });
});
