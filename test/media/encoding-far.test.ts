// Encoders that see nothing of the server's disk, over a line that breaks; one whose ffmpeg stands still; and the server's own.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Line } from "../../sandbox/media/line.ts";
import { deskSpeaker, EncodingAgent, httpSpeaker, type Speaker } from "../../src/apps/media/index.ts";
import { ffmpegEncoder } from "../../src/connectors/index.ts";
import { type ItemId, transient } from "../../src/engine/index.ts";
import { silentLogger, systemClock, systemRandom } from "../../src/kit/index.ts";
import { processesWith } from "../support/real-encoder-world.ts";
import { until } from "../support/until.ts";
import { EncodingWorld, SECONDS } from "./encoding-world.ts";

const world = new EncodingWorld({ limits: { encodeStopped: "15s" } });
const agents: EncodingAgent[] = [];
beforeAll(() => world.start());
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
  await world.clean();
});
afterAll(() => world.stop());

const PIECE_BYTES = 100_000;
const small = { name: "small", codec: "hevc", preset: "ultrafast", crf: 40 } as const;
const large = { name: "large", codec: "h264", preset: "ultrafast", crf: 5, keepLarger: true, maxHeight: 178 } as const;

/** One that speaks over HTTP and finds none of the paths it is told. */
async function blind(name: string, url = world.url, change: (speaker: Speaker) => Speaker = (same) => same) {
  const http = httpSpeaker({ server: url, token: await world.tokenOf(name), name, limits: { connectMs: 2_000 } });
  const speaker: Speaker = {
    ...http,
    async say(word, signal) {
      const told = await http.say(word, signal);
      const begin = told.begin.map(({ source, output, ...task }) => ({
        ...{ ...task, source: { ...source, path: `/nowhere${source.path}` } },
        output: { ...output, path: `/nowhere${output.path}`, markerPath: `/nowhere${output.markerPath}` },
      }));
      return { ...told, begin };
    },
  };
  const work = world.workOf(name);
  const encoder = ffmpegEncoder({ work: join(work, "jobs"), limits: { threads: 1 } });
  const agent = new EncodingAgent({
    ...{ speaker: change(speaker), encoder, about: () => encoder.about(), work, slots: 2, version: "0" },
    ...{ pieceBytes: PIECE_BYTES, clock: systemClock, random: systemRandom, log: silentLogger },
  });
  agents.push(agent);
  await agent.start();
}

describe("an encoder that does not see our disk", () => {
  it("fetches the source from where it was cut off, and sends the film from where it was cut off", async () => {
    const line = new Line(() => Number(new URL(world.url).port));
    await line.up();
    const reads: number[] = [];
    let sent = 0;
    await blind("far", `http://127.0.0.1:${line.port}`, (speaker) => ({
      ...speaker,
      async read(job, from, length, signal) {
        reads.push(from);
        if (reads.length === 4) throw transient("RESET", "cut off");
        return await speaker.read(job, from, length, signal);
      },
      async send(job, at, bytes, signal) {
        sent += bytes.byteLength;
        // In the middle of a piece.
        if (at === 3 * PIECE_BYTES && sent === at + bytes.byteLength) line.cutAfter(PIECE_BYTES / 2);
        return await speaker.send(job, at, bytes, signal);
      },
    }));
    const { id } = await world.ask(large);
    const { outputs } = await world.done(id);
    const made = await world.filmAt(outputs.large);
    expect(made).toMatchObject({ codec: "h264", seconds: SECONDS });
    // Each piece of the source once, but for the one that did not come.
    const whole = statSync(world.pattern).size;
    const offsets = Array.from({ length: Math.ceil(whole / PIECE_BYTES) }, (_, at) => at * PIECE_BYTES);
    expect(reads.toSorted((a, b) => a - b)).toEqual([...offsets, 3 * PIECE_BYTES].toSorted((a, b) => a - b));
    expect(made.bytes).toBeGreaterThan(4 * PIECE_BYTES);
    expect(sent).toBe(made.bytes + PIECE_BYTES);
    const [encoder] = await world.site.app.encoders.list(world.site.sluice.tables);
    expect(encoder).toMatchObject({ name: "far", reads: "sent", writes: "sent", place: "remote" });
    await until(() => readdirSync(join(world.workOf("far"), "in")).length === 0, "nothing kept of what was fetched");
    expect(readdirSync(join(world.workOf("far"), "out"))).toEqual([]);
    expect(world.leftovers()).toEqual([]);
    await agents.splice(0)[0]?.stop();
    await line.down();
  });

  it("whose film arrives with another content is not believed, and sends it again", async () => {
    let pieces = 0;
    await blind("far", world.url, (speaker) => ({
      ...speaker,
      async send(job, at, bytes, signal) {
        pieces += 1;
        return await speaker.send(job, at, pieces === 1 ? bytes.map((byte) => byte ^ 1) : bytes, signal);
      },
    }));
    const { id } = await world.ask(small);
    const { outputs } = await world.done(id);
    const made = await world.filmAt(outputs.small);
    expect(made).toMatchObject({ codec: "hevc", seconds: SECONDS });
    expect(pieces).toBe(2 * Math.ceil(made.bytes / PIECE_BYTES));
  });

  it("that sends more than its source had is refused, for good and in words", async () => {
    await blind("far", world.url, (speaker) => ({
      ...speaker,
      send: (job, at, _, signal) => speaker.send(job, at, new Uint8Array(statSync(world.pattern).size + 1), signal),
    }));
    const { id } = await world.ask(small);
    await until(async () => (await world.item(id)).state === "failed", "its end");
    const part = (await world.item(id)).parts.find(({ name }) => name === small.name);
    const { entries } = await world.site.sluice.history(part?.id as ItemId);
    expect(entries.map(({ code }) => code)).toContain("OUTPUT_TOO_LARGE");
    expect(world.leftovers()).toEqual([]);
  });
});

describe("an encode that stands still", () => {
  it("is given up after its time, which is an attempt, and another encoder does it", async () => {
    const [first, program] = ["still", world.program("still")];
    await world.encoder(first, { program });
    const { id } = await world.ask(small);
    await world.moves(id, first);
    const encoding = processesWith(world.workOf(first)).filter(({ command }) => command.includes(".part."));
    expect(encoding.length).toBeGreaterThan(0);
    for (const { pid } of encoding) process.kill(pid, "SIGSTOP");
    await world.encoder("other");
    expect((await world.done(id)).outputs.small).toMatchObject({ kind: "made", encoder: "other" });
    const part = (await world.item(id)).parts.find(({ name }) => name === small.name);
    expect(part).toMatchObject({ state: "done", attempts: 2 });
    await until(
      () => world.leftovers().length === 0,
      () => world.leftovers().join("\n"),
    );
  });
});

describe("the server's own encoder", () => {
  it("speaks to the board itself, and sees what is there", async () => {
    const { app, sluice } = world.site;
    const work = world.workOf("local");
    const encoder = ffmpegEncoder({ work: join(work, "jobs"), limits: { threads: 1 } });
    const agent = new EncodingAgent({
      ...{ speaker: deskSpeaker(app.desk, app.tables, "local"), encoder, about: () => encoder.about(), work, slots: 5 },
      ...{ version: "0", clock: systemClock, random: systemRandom, log: silentLogger },
    });
    agents.push(agent);
    await agent.start();
    const { id } = await world.ask(small);
    const { outputs } = await world.done(id);
    expect(await world.filmAt(outputs.small)).toMatchObject({ codec: "hevc", seconds: SECONDS });
    const [seen] = await app.encoders.list(sluice.tables);
    expect(seen).toMatchObject({ name: "local", place: "local", state: "online", reads: "seen", writes: "seen" });
    const row = await app.encoders.get(sluice.tables, "local");
    expect(await app.tests.encoder(row)).toMatchObject({ ok: true });
    await agents.splice(0)[0]?.stop();
    expect(await app.encoders.list(sluice.tables)).toMatchObject([{ state: "stopped" }]);
  });
});
