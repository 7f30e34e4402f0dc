// An encoder that speaks every fifteen seconds, and has its work at once.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodingProfile, fakeEncoder } from "../../../connectors/index.ts";
import { SluiceError, transient } from "../../../engine/index.ts";
import { manualClock, silentLogger, systemRandom } from "../../../kit/index.ts";
import { EncodingAgent } from "./agent.ts";
import { layOut, proofOf } from "./board-files.ts";
import { type BoardWord, type EncoderWord, type EncodeTask, MARKER, type Speaker } from "./conversation.ts";

const BEAT_MS = 15_000;
const QUIET: BoardWord = { begin: [], drop: [], taken: [], trial: null, againMs: BEAT_MS };
let root: string;
let clock: ReturnType<typeof manualClock>;
let agent: EncodingAgent | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-agent-"));
  clock = manualClock();
});
afterEach(async () => {
  await agent?.stop();
  rmSync(root, { recursive: true, force: true });
});

async function job(): Promise<EncodeTask> {
  const [source, folder] = [join(root, "film.mkv"), join(root, "job")];
  writeFileSync(source, "a film");
  await layOut(folder, "abc");
  const output = { path: join(folder, "1.mkv"), markerPath: join(folder, MARKER), marker: "abc" };
  const profile = encodingProfile.parse({ name: "small", codec: "hevc" });
  return { key: "k", turn: 1, profile, source: await proofOf(source, 6, 0), output };
}

/** What it says, when, and with what it is answered; and somebody at the board who can call it. */
async function started(answers: (word: EncoderWord, count: number) => BoardWord = () => QUIET) {
  const { client, world } = fakeEncoder({ ticks: 2 });
  const said: { readonly at: number; readonly word: EncoderWord }[] = [];
  const refusals: SluiceError[] = [];
  let call = Promise.withResolvers<boolean>();
  let trouble: Error | undefined;
  const never = () => Promise.reject(new Error("nothing is sent here"));
  const speaker: Speaker = {
    ...{ read: never, hash: never, arrived: never, send: never, sent: never },
    say: async (word) => {
      said.push({ at: clock.monotonic(), word });
      return answers(word, said.length);
    },
    wait: async (_, signal) => {
      if (trouble !== undefined) throw trouble;
      signal?.addEventListener("abort", () => call.resolve(false));
      return await call.promise;
    },
  };
  agent = new EncodingAgent({
    ...{ speaker, encoder: client, about: () => client.about(), work: join(root, "work"), slots: 2, version: "0" },
    ...{ clock, random: systemRandom, log: silentLogger, refused: (why) => refusals.push(why) },
  });
  await agent.start();
  const pass = async (ms: number) => {
    // The disk keeps its own time.
    for (let passed = 0; passed < ms; passed += 250) {
      await clock.advance(250);
      // More often than an agent asks it at a time: others may be waiting for it, too.
      for (let asked = 0; asked < 8; asked += 1) await readdir(root);
    }
  };
  const callIt = () => {
    const before = call;
    call = Promise.withResolvers();
    before.resolve(true);
  };
  const cutOff = () => {
    trouble = transient("RESET", "cut off");
    callIt();
  };
  return { said, world, pass, callIt, refusals, cutOff };
}

describe("an encoder", () => {
  it("speaks every fifteen seconds where there is nothing for it", async () => {
    const { said, pass } = await started();
    await pass(61_000);
    expect(said.map(({ at }) => Math.round(at / BEAT_MS))).toEqual([0, 1, 2, 3, 4]);
  });

  it("that is called speaks at once, and tells of what it has ended within a second or two", async () => {
    const task = await job();
    const { said, pass, callIt, world } = await started((_, count) =>
      count === 2 ? { ...QUIET, begin: [task] } : QUIET,
    );
    world.put(task.source.path, { durationMs: 1_000, bytes: 6 } as never); // as much as the fake looks at
    await pass(2_000);
    callIt();
    await pass(1_000);
    // What it reads on the disk before it speaks may take longer than this clock knows of.
    await expect.poll(async () => (said.length > 1 ? 2 : pass(250).then(() => said.length))).toBeGreaterThan(1);
    expect(said[1]?.at).toBeLessThan(3_500);
    await expect.poll(async () => pass(250).then(() => world.keys())).toEqual(["k.1"]);
    const before = clock.monotonic();
    world.tick(20);
    await pass(2_500);
    const last = said.at(-1);
    expect(last?.word.jobs).toMatchObject([{ key: "k", turn: 1 }]);
    expect([last?.word.jobs[0]?.result, last?.word.jobs[0]?.failure].filter((one) => one !== null)).toHaveLength(1);
    expect((last?.at ?? 0) - before).toBeLessThan(2_500);
  });

  it("goes on with its beat where nobody lets it wait", async () => {
    const { said, pass, cutOff } = await started();
    cutOff();
    await pass(31_000);
    expect(said).toHaveLength(3);
  });

  it("whose name is another's is told so, and says no goodbye by it", async () => {
    const { said, pass, refusals } = await started((_, count) => {
      if (count > 1) throw new SluiceError("CONFLICT", "another encoder speaks as one");
      return QUIET;
    });
    await pass(16_000);
    expect(refusals).toMatchObject([{ code: "CONFLICT" }]);
    await agent?.stop();
    expect(said.some(({ word }) => word.isLast)).toBe(false);
  });
});
