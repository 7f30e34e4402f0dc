// Encoding for real: encoders in processes of their own that are killed, stopped and cut off, on real films.

import { once } from "node:events";
import { readdirSync, truncateSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Line } from "../../sandbox/media/line.ts";
import { until } from "../support/until.ts";
import { fileOf, layDown } from "./encoding-site.ts";
import { EncodingWorld, SECONDS } from "./encoding-world.ts";

const world = new EncodingWorld();
beforeAll(() => world.start());
afterEach(() => world.clean());
afterAll(() => world.stop());

const small = { name: "small", codec: "hevc", preset: "ultrafast", crf: 40 } as const;
const plain = { name: "plain", codec: "h264", preset: "ultrafast", crf: 35, container: "mp4" } as const;
const nothingLeft = () =>
  until(
    () => world.leftovers().length === 0,
    () => world.leftovers().join("\n"),
  );

describe("a film", () => {
  it("is encoded once for each profile, by whoever asks for work, and every gate is told", async () => {
    await world.encoder("one");
    await world.encoder("two");
    const { id } = await world.ask(small, plain);
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
    expect(await world.filmAt(outputs.plain)).toMatchObject({ codec: "h264", seconds: SECONDS });
    const { gates } = await world.item(id);
    const told = gates.map(({ stage, gate, verdict }) => `${stage} ${gate} ${verdict}`);
    expect(told).toEqual(
      expect.arrayContaining([
        "encode sourceExists passed",
        "encode encoderOnline passed",
        "deliver outputExists passed",
        "deliver outputWhole passed",
      ]),
    );
    await nothingLeft();
  });

  it("that is what is asked for is not encoded, and one that comes out larger is not kept", async () => {
    await world.encoder("one");
    const same = { name: "same", codec: "h264" } as const;
    const large = { name: "large", codec: "h264", crf: 1, preset: "ultrafast", maxHeight: 178 } as const;
    const { id } = await world.ask(same, large);
    const { outputs } = await world.done(id);
    expect(outputs.same).toMatchObject({ kind: "same", reason: expect.stringContaining("H.264 in mkv") });
    expect(outputs.large).toMatchObject({ kind: "larger", reason: expect.stringContaining("larger than before") });
    const kept = await world.ask({ ...large, keepLarger: true });
    expect((await world.done(kept.id)).outputs.large).toMatchObject({ kind: "made" });
  });

  it("waits without an attempt while nobody encodes, and goes on when somebody comes", async () => {
    const { id } = await world.ask(small);
    await until(async () => (await world.item(id)).wait.reason === "no_worker", "no_worker");
    expect((await world.item(id)).attempts.used).toBe(0);
    await world.encoder("late");
    expect((await world.done(id)).outputs.small).toMatchObject({ kind: "made", encoder: "late" });
  });

  it("whose source has lost its end meanwhile is downloaded again", async () => {
    const { id, film } = await world.ask(small);
    await until(async () => (await world.item(id)).wait.reason === "no_worker", "no_worker");
    truncateSync(fileOf(world.places, film), 100_000);
    await until(async () => (await world.item(id)).stage === "download", "the download");
    layDown(world.places, film, world.pattern);
    await world.encoder("one");
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
  });

  it("of which half came out is encoded again", async () => {
    const lie = `if [ ! -e ${world.root}/lied ]; then touch ${world.root}/lied; set -- "\${@:1:$#-1}" -t 1 "\${@: -1}"; fi`;
    await world.encoder("one", { program: world.program("liar", { isSlow: false, also: lie }) });
    const { id } = await world.ask(small);
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
    expect(world.begun("liar")).toBe(2);
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

  it("that is cut off loses its job, and lets go of it when the line is back", async () => {
    const line = new Line(() => Number(new URL(world.url).port));
    await line.up();
    await world.encoder("far", { program: world.program("far"), url: `http://127.0.0.1:${line.port}` });
    const { id } = await world.ask(small);
    await world.moves(id, "far");
    await line.down();
    await world.encoder("near");
    expect((await world.done(id)).outputs.small).toMatchObject({ kind: "made", encoder: "near" });
    await line.up();
    await nothingLeft();
    await world.end("far", "SIGTERM");
    await line.down();
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

  it("of a name that is taken, or with a key that is not good, says so and ends", async () => {
    const first = await world.encoder("one");
    await until(
      async () => (await world.site.app.encoders.list(world.site.sluice.tables)).length === 1,
      "one is heard",
    );
    await world.encoder("one");
    const [code] = await once(first.child, "exit");
    expect([code, first.said()]).toEqual([5, expect.stringContaining("give it another name")]);
    const { token } = world;
    world.token = "slk_wrong";
    const stranger = await world.encoder("stranger");
    world.token = token;
    const [refused] = await once(stranger.child, "exit");
    expect([refused, stranger.said()]).toEqual([4, expect.stringContaining("does not take this key")]);
    expect(readdirSync(world.places.encodes).length).toBeGreaterThan(0);
  });
});
