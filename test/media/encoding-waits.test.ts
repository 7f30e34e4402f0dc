// What keeps an encode waiting, on real films: no encoder, half a source, half a film, a line, room on the disk. Each takes a while.

import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { truncateSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Line } from "../../sandbox/media/line.ts";
import { until } from "../support/until.ts";
import { fileOf, layDown } from "./encoding-site.ts";
import { EncodingWorld, SECONDS } from "./encoding-world.ts";

const world = new EncodingWorld({ limits: { encodeAgain: "2s" } });
beforeAll(() => world.start());
afterEach(() => world.clean());
afterAll(() => world.stop());

const small = { name: "small", codec: "hevc", preset: "ultrafast", crf: 40 } as const;
const large = { name: "large", codec: "h264", crf: 1, preset: "ultrafast", maxHeight: 178 } as const;
const nothingLeft = () =>
  until(
    () => world.leftovers().length === 0,
    () => world.leftovers().join("\n"),
  );

describe("a film", () => {
  it("that is what is asked for is not encoded, and one that comes out larger is not kept", async () => {
    await world.encoder("one");
    const same = { name: "same", codec: "h264" } as const;
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
    await world.encoder("one", { program: world.program("liar", { isHeld: false, also: lie }) });
    const { id } = await world.ask(small);
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
    expect(world.begun("liar")).toBe(2);
  });

  it("for which there is no room waits without an attempt, leaves nothing half written, and goes on when there is", async () => {
    const { encodes } = world.places;
    const isSmall = spawnSync("mount", ["-t", "tmpfs", "-o", "size=300k", "tmpfs", encodes]).status === 0;
    // Who may not mount anything has an ffmpeg that leaves once as newer ones do on a full disk.
    const full = `if [ ! -e ${world.root}/left ]; then touch ${world.root}/left; exit 228; fi`;
    const program = world.program("full", { isHeld: false, also: isSmall ? "" : full });
    try {
      await world.encoder("one", { program });
      const { id } = await world.ask({ ...large, keepLarger: true });
      const waiting = async () => (await world.jobs(id)).map(({ reason }) => reason ?? "").join();
      await until(async () => /no space left/.test(await waiting()), "no room");
      expect(world.leftovers()).toEqual([]);
      if (isSmall) execFileSync("mount", ["-o", "remount,size=100m", encodes]);
      const { outputs } = await world.done(id);
      expect(await world.filmAt(outputs.large)).toMatchObject({ codec: "h264", seconds: SECONDS });
      const part = (await world.item(id)).parts.find(({ name }) => name === large.name);
      expect(part).toMatchObject({ state: "done", attempts: 1 });
    } finally {
      await world.end("one", "SIGTERM");
      if (isSmall) execFileSync("umount", ["--lazy", encodes]);
    }
  });
});

describe("an encoder", () => {
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

  it("of a name that is taken, or with a key that is not good or another's, says so and ends", async () => {
    const first = await world.encoder("one");
    await until(
      async () => (await world.site.app.encoders.list(world.site.sluice.tables)).length === 1,
      "one is heard",
    );
    await world.encoder("one");
    const [code] = await once(first.child, "exit");
    expect([code, first.said()]).toEqual([5, expect.stringContaining("give it another name")]);
    const stranger = await world.encoder("stranger", { token: "slk_wrong" });
    const [refused] = await once(stranger.child, "exit");
    expect([refused, stranger.said()]).toEqual([4, expect.stringContaining("does not take this key")]);
    const other = await world.encoder("other", { token: await world.tokenOf("one") });
    const [bound] = await once(other.child, "exit");
    expect([bound, other.said()]).toEqual([
      4,
      expect.stringContaining("this key is encoder one's; make one for other"),
    ]);
  });
});
