// What can happen to an encode on a real machine: whoever started it is killed, its runner is, the disk is full, names mean something.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { getPriority } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ffmpegEncoder, videoProbe } from "../../src/connectors/index.ts";
import { Films, RealEncoderWorld, SECONDS } from "../support/real-encoder-world.ts";

const films = new Films();
let world: RealEncoderWorld;
beforeAll(async () => {
  await films.make();
  world = new RealEncoderWorld(films, { limits: { niceness: 3, memoryBytes: 900_000_000 } });
});
afterEach(() => world.clean());
afterAll(async () => {
  await world.stop();
  films.remove();
});

const folderOf = (key: string) => join(world.work, encodeURIComponent(key));
/** The order alone, changed a little: as if whoever gave it had died then. */
async function ordered(key: string, change: object, is?: "slow"): Promise<void> {
  await world.client.start(await world.order(key, is));
  const job = JSON.parse(readFileSync(join(folderOf(key), "job.json"), "utf8"));
  await world.client.cancel(key);
  mkdirSync(folderOf(key));
  writeFileSync(join(folderOf(key), "job.json"), JSON.stringify({ ...job, ...change }));
}
/** One that encodes, and will not come to its end by itself. */
async function held(ref: string): Promise<void> {
  await world.moving(ref);
  world.signal(ref, "SIGSTOP");
}
const fault = (kind: string, code: string) => ({ state: "failed", fault: { kind, code } });
const gone = (count: () => number) => expect.poll(count, { timeout: 20_000 }).toBe(0);

describe("whoever started it", () => {
  it("is killed with -9, and the film is made all the same, once; the next one adopts it", async () => {
    const order = await world.order("a:1", "slow");
    const options = { work: world.work, ffmpeg: join(world.root, "ffmpeg"), progressMs: 100 };
    const script = join(import.meta.dirname, "../support/encoder-parent.ts");
    const parent = spawn(process.execPath, [script, JSON.stringify({ options, order })], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(parent.stdout, "data");
    await world.moving("a:1");
    const [program] = world.ffmpegs("a:1");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(await world.client.recover()).toEqual({ alive: ["a:1"], lost: [], forgotten: [] });
    expect(await world.client.adopt("a:1")).toBe("a:1");
    expect(world.ffmpegs("a:1")).toEqual([program]);
    expect(await world.ended("a:1")).toMatchObject({ state: "done", output: { kind: "made" } });
  });

  it("died after the order and before there was a runner: whoever adopts it has it done", async () => {
    await ordered("a:1", {});
    expect(await world.client.look(["a:1"])).toEqual([{ ref: "a:1", state: "queued" }]);
    expect(await world.client.adopt("a:1")).toBe("a:1");
    expect(await world.ended("a:1")).toMatchObject({ state: "done" });
  });
});

describe("its runner", () => {
  it("is killed: ffmpeg ends with it, nothing stays, and the job is lost, which may be tried again", async () => {
    const order = await world.order("a:1", "slow");
    await held(await world.client.start(order));
    for (const { pid } of world.runners()) process.kill(pid, "SIGKILL");
    await gone(() => world.programs("a:1"));
    expect(await world.ended("a:1")).toMatchObject(fault("transient", "LOST"));
    expect([world.has(order.output), world.parts()]).toEqual([false, []]);
  });

  it("is killed where ffmpeg cannot be tied to it: the survivor is reaped at the next start", async () => {
    await ordered("a:2", { confined: [] }, "slow");
    await held((await world.client.adopt("a:2")) ?? "");
    for (const { pid } of world.runners()) process.kill(pid, "SIGKILL");
    await gone(() => world.runners().length);
    expect(world.programs("a:2")).toBe(1);
    await expect.poll(() => world.client.recover()).toMatchObject({ lost: ["a:2"] });
    await gone(() => world.programs("a:2"));
    expect(world.parts()).toEqual([]);
    expect(await world.ended("a:2")).toMatchObject(fault("transient", "LOST"));
  });

  it("is told to stop, as a machine that shuts down does: that is nobody's fault", async () => {
    await held(await world.client.start(await world.order("a:1", "slow")));
    for (const { pid } of world.runners()) process.kill(pid, "SIGTERM");
    expect(await world.ended("a:1")).toMatchObject({
      fault: { kind: "unavailable", code: "INTERRUPTED", breaker: "none" },
    });
    expect([world.programs("a:1"), world.parts()]).toEqual([0, []]);
  });

  it("ends by itself where its job is unknown: the folder is gone", async () => {
    await held(await world.client.start(await world.order("a:1", "slow")));
    rmSync(folderOf("a:1"), { recursive: true });
    await gone(() => world.runners().length + world.programs("a:1") + world.parts().length);
    expect(await world.client.look(["a:1"])).toEqual([{ ref: "a:1", state: "missing" }]);
  });
});

describe("ffmpeg", () => {
  it("stands back for others, has so much memory, and no network where the machine allows it", async () => {
    await world.moving(await world.client.start(await world.order("a:1", "slow")));
    const [program] = world.ffmpegs("a:1");
    expect(getPriority(program?.pid)).toBe(3);
    expect(readFileSync(`/proc/${program?.pid}/limits`, "utf8")).toMatch(/Max data size +900000000 /);
    const network = (pid: number | string | undefined) => readlinkSync(`/proc/${pid}/ns/net`);
    expect(network(program?.pid) !== network("self")).toBe((await world.client.about()).hasNoNetwork);
  });

  it("is not there, or cannot do what is asked for", async () => {
    const order = await world.order("a:1");
    const missing = ffmpegEncoder({ work: world.work, ffmpeg: "/nowhere/ffmpeg" });
    await expect(missing.start(order)).rejects.toMatchObject({ kind: "unavailable", code: "PROGRAM_MISSING" });
    const narrow = ffmpegEncoder({ work: world.work, limits: { memoryBytes: 1_000_000 } });
    await expect(narrow.start(order)).rejects.toThrow(
      /cannot be kept to 1000000 bytes of memory here: they are too few/,
    );
    const lacking = join(world.root, "lacking");
    writeFileSync(lacking, '#!/bin/sh\ncase "$*" in *libx264*) exit 1 ;; esac\nexec ffmpeg "$@"\n', { mode: 0o755 });
    const other = ffmpegEncoder({ work: world.work, ffmpeg: lacking });
    expect((await other.about()).codecs).not.toContain("h264");
    await expect(other.start(order)).rejects.toMatchObject({ kind: "permanent", code: "UNSUPPORTED_CODEC" });
  });

  it("is tried out again where it was not let come to its end", async () => {
    const [hasty, calm] = [join(world.root, "hasty"), join(world.root, "calm")];
    const script = `#!/bin/sh\ncase "$*" in *libx264*) [ -e ${calm} ] || kill -TERM $$ ;; esac\nexec ffmpeg "$@"\n`;
    writeFileSync(hasty, script, { mode: 0o755 });
    const encoder = ffmpegEncoder({ work: world.work, ffmpeg: hasty });
    const order = await world.order("a:1");
    await expect(encoder.start(order)).rejects.toMatchObject({ kind: "unavailable", code: "NOT_TRIED" });
    writeFileSync(calm, "");
    expect((await encoder.about()).codecs).toContain("h264");
  });

  it("may take so much time, and write so much", async () => {
    const strict = new RealEncoderWorld(films, { limits: { wallMs: 1_500, outputBytes: 10_000 } });
    const [slow, large] = [await strict.order("a:1", "slow"), await strict.order("a:2", undefined, { crf: 1 })];
    for (const order of [slow, large]) await strict.client.start(order);
    expect(await strict.ended("a:1")).toMatchObject(fault("transient", "TIMEOUT"));
    expect(await strict.ended("a:2")).toMatchObject(fault("permanent", "OUTPUT_TOO_LARGE"));
    expect(strict.parts()).toEqual([]);
    await strict.stop();
  });
});

describe("the disk", () => {
  it("is full: it waits, nothing half written stays, and it can be tried again", async () => {
    const order = await world.order("a:1", undefined, { crf: 1, keepLarger: true });
    const small = join(world.root, "encoded", "small");
    mkdirSync(small);
    const isSmall = mounted(small);
    // Who may not mount anything has an ffmpeg that leaves as newer ones do on a full disk.
    const full = isSmall ? world.client : ffmpegEncoder({ work: world.work, ffmpeg: leavingWith(228) });
    try {
      await full.start({ ...order, output: join(small, "film.mkv") });
      expect(await world.ended("a:1")).toMatchObject({
        fault: { kind: "unavailable", code: "DISK_FULL", breaker: "none" },
      });
      expect(readdirSync(small)).toEqual([]);
    } finally {
      if (isSmall) execFileSync("umount", [small]);
    }
  });
});

function mounted(folder: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=300k", "tmpfs", folder]).status === 0;
}

function leavingWith(code: number): string {
  const file = join(world.root, "leaving");
  const leave = `case "$*" in *-progress*) exit ${code} ;; esac`;
  writeFileSync(file, `#!/bin/sh\n${leave}\nexec ffmpeg "$@"\n`, { mode: 0o755 });
  return file;
}

describe("what is made", () => {
  it("has its final name only when it is whole, and never changes after", async () => {
    const order = await world.order("a:1");
    const sizes: number[] = [];
    const watcher = watch(dirname(order.output), (_, name) => {
      if (name !== null && order.output.endsWith(`/${name}`)) sizes.push(statSync(order.output).size);
    });
    const { output } = await world.ended(await world.client.start(order));
    watcher.close();
    expect(output?.bytes).toBe(statSync(order.output).size);
    expect(new Set(sizes)).toEqual(new Set([output?.bytes]));
  });

  it("is dropped where it is larger than its source, with a reason, and kept where that is asked for", async () => {
    const order = await world.order("a:1", undefined, { crf: 1 });
    const { state, output } = await world.ended(await world.client.start(order));
    expect([state, output]).toMatchObject([
      "done",
      { kind: "larger", reason: expect.stringContaining("larger than before") },
    ]);
    expect([world.has(order.output), world.parts()]).toEqual([false, []]);
    const kept = { ...order, key: "a:2", profile: { ...order.profile, keepLarger: true } };
    expect(await world.ended(await world.client.start(kept))).toMatchObject({
      output: { kind: "made", isLarger: true },
    });
    expect(world.has(order.output)).toBe(true);
  });

  it("is in each codec and container what was asked for, stream by stream", async () => {
    const asked = [
      [{ codec: "h264", container: "mp4", audio: { codec: "opus" } }, "h264 opus opus mov_text"],
      [{ codec: "hevc", audio: { codec: "aac", keep: ["de"] } }, "hevc aac subrip"],
      [{ codec: "av1", preset: 13, subtitles: "none" }, "av1 ac3 ac3"],
    ] as const;
    for (const [at, [more]] of asked.entries()) {
      const order = await world.order(`a:${at}`, undefined, { crf: 45, maxHeight: 144, keepLarger: true, ...more });
      makeRich(order.input);
      await world.client.start(order);
    }
    for (const [at, [, streams]] of asked.entries()) {
      const { output, fault: why } = await world.ended(`a:${at}`);
      expect(why).toBeUndefined();
      expect(output).toMatchObject({ kind: "made", height: 144 });
      const facts = await videoProbe().facts(output?.kind === "made" ? output.file : "");
      expect(facts.streams.map(({ codec }) => codec).join(" ")).toBe(streams);
    }
  });
});

describe("a source", () => {
  it("with forty subtitles and six languages of sound keeps every one of them", async () => {
    const order = await world.order("a:1", undefined, { keepLarger: true });
    // Each has one word to say, at the beginning.
    const text = join(dirname(order.input), "text.srt");
    writeFileSync(text, "1\n00:00:00,100 --> 00:00:01,000\nHello\n");
    const input = join(dirname(order.input), "many.mkv");
    const maps = ["0:v", ...Array<string>(6).fill("0:a"), ...Array<string>(40).fill("1")];
    const all = maps.flatMap((one) => ["-map", one]);
    ffmpeg("-i", order.input, "-i", text, ...all, "-c", "copy", "-c:s", "srt", input);
    const { output, fault: why } = await world.ended(await world.client.start({ ...order, input }));
    expect(why).toBeUndefined();
    const { streams } = await videoProbe().facts(output?.kind === "made" ? output.file : "");
    const kinds = Map.groupBy(streams, ({ kind }) => kind);
    expect([...kinds].map(([kind, of]) => `${kind} ${of.length}`)).toEqual(["video 1", "audio 6", "subtitle 40"]);
  });

  it("is only a file, whatever it is called", async () => {
    const names = [
      "-i.mkv",
      "%03d.mkv",
      "concat:a|b.mkv",
      "two\nlines & $(more) 'quotes' \"too\".mkv",
      `${"long".repeat(62)}.mkv`,
    ];
    const order = await world.order("a:1");
    for (const [at, name] of names.entries()) {
      const [input, output] = [join(dirname(order.input), name), join(dirname(order.output), name)];
      cpSync(order.input, input);
      await world.client.start({ ...order, key: `a:${at}`, input, output });
    }
    for (const at of names.keys())
      expect(await world.ended(`a:${at}`)).toMatchObject({ state: "done", output: { kind: "made" } });
    expect(readdirSync(dirname(order.output)).toSorted()).toEqual(names.toSorted());
  });

  it("that is a list of others opens none of them", async () => {
    const order = await world.order("a:1");
    const lists = {
      playlist: `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${order.input}\n#EXT-X-ENDLIST\n`,
      files: `ffconcat version 1.0\nfile '${order.input}'\n`,
      address: "#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1:9/film.ts\n",
    };
    for (const [key, text] of Object.entries(lists)) {
      const input = join(dirname(order.input), `${key}.mkv`);
      writeFileSync(input, text);
      await world.client.start({ ...order, key, input });
    }
    for (const key of Object.keys(lists)) {
      const seen = await world.ended(key);
      expect(seen).toMatchObject(fault("permanent", "INVALID_FORMAT"));
      expect(seen.fault?.message).toMatch(/^it cannot be read as film: .{1,700}$/);
    }
  });

  it("that does not begin at nothing, as what was broadcast, is as long as it is", async () => {
    const order = await world.order("a:1", undefined, { keepLarger: true });
    const input = join(dirname(order.input), "broadcast.ts");
    ffmpeg("-i", order.input, "-c", "copy", "-output_ts_offset", "3600", input);
    const { output } = await world.ended(await world.client.start({ ...order, input }));
    expect(output?.kind === "made" && Math.round(output.durationMs / 1_000)).toBe(SECONDS);
  });

  it("is not encoded over itself, by whatever name", async () => {
    const order = await world.order("a:1");
    const linked = join(dirname(order.output), "linked.mkv");
    execFileSync("ln", [order.input, linked]);
    const seen = await world.ended(await world.client.start({ ...order, output: linked }));
    expect(seen).toMatchObject(fault("permanent", "SAME_FILE"));
  });
});

function ffmpeg(...args: string[]): void {
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args]);
}

/** Two languages of sound, subtitles, a cover, and an odd width. */
function makeRich(file: string): void {
  const text = join(dirname(file), "text.srt");
  writeFileSync(text, "1\n00:00:00,100 --> 00:00:01,000\nHello\n");
  const sources = ["testsrc2=size=321x180:rate=12:duration=2", "sine=duration=2", "sine=frequency=300:duration=2"];
  const cover = join(dirname(file), "cover.jpg");
  ffmpeg("-f", "lavfi", "-i", "color=red:size=64x64:duration=1", "-frames:v", "1", cover);
  ffmpeg(
    ...sources.flatMap((one) => ["-f", "lavfi", "-i", one]),
    ...["-i", text, "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-pix_fmt", "yuv444p"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "ac3", "-c:s", "srt"],
    ...["-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng"],
    ...["-attach", cover, "-metadata:s:t", "mimetype=image/jpeg", file],
  );
}
