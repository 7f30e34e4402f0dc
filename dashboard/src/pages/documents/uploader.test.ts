import { expect, it, vi } from "vitest";
import type { Uploaded } from "../../../../src/server/contract/wire.ts";
import { Refusal } from "../../api/ask.ts";
import { Uploader, type UploaderPorts } from "./uploader.ts";
import type { Given, Upload } from "./uploads.ts";

const NOW = Date.parse("2026-11-18T12:00:00.000Z");
const limits = { fileBytes: 1_000, files: 2 };
const given = (...names: string[]): Given[] =>
  names.map((name) => ({ file: { name, size: 100 } as File, isFolder: false }));
const taken = (batch: readonly Upload[]): Uploaded => ({
  files: batch.map(({ name }) => ({
    ...{
      name,
      outcome: "taken",
      document: null,
      deduped_from: null,
      code: null,
      sentence: "It is queued.",
      advice: null,
    },
  })),
  would: null,
});

type Send = UploaderPorts["send"];

function open(send: Send) {
  const slept: number[] = [];
  const wake = Promise.withResolvers<void>();
  const answers = vi.fn();
  const uploader = new Uploader({
    send,
    now: () => NOW,
    sleep: (ms, signal) => {
      slept.push(ms);
      signal.addEventListener("abort", () => wake.resolve());
      return wake.promise;
    },
    onAnswer: answers,
  });
  const phases = () => uploader.uploads().all.map(({ phase }) => phase);
  return { uploader, slept, wake, answers, phases };
}

it("sends one lot after the other, and lists are looked at anew after each", async () => {
  const lots: string[][] = [];
  const { uploader, phases, answers } = open(async (batch) => {
    lots.push(batch.map(({ name }) => name));
    return taken(batch);
  });
  uploader.add(given("a", "b", "c"), "layout", limits);
  await expect.poll(phases).toEqual(["taken", "taken", "taken"]);
  expect(lots).toEqual([["a", "b"], ["c"]]);
  expect(answers).toHaveBeenCalledTimes(2);
  uploader.clear();
  expect(phases()).toEqual([]);
});

it("is held up where the server wants no more, says until when, and goes on by itself", async () => {
  let calls = 0;
  const { uploader, slept, wake, phases } = open(async (batch) => {
    calls += 1;
    if (calls === 1) throw new Refusal(429, { detail: "ada may upload 10 times a minute", retryAfter: 12 });
    return taken(batch);
  });
  uploader.add(given("a"), "layout", limits);
  await expect.poll(() => slept).toEqual([12_000]);
  expect(uploader.uploads().held).toEqual({
    until: "2026-11-18T12:00:12.000Z",
    sentence: "ada may upload 10 times a minute",
  });
  expect(phases()).toEqual(["waiting"]);
  wake.resolve();
  await expect.poll(phases).toEqual(["taken"]);
  expect(uploader.uploads().held).toBeNull();
});

it("what fails says why, holds up nothing else, and is sent again when somebody says so", async () => {
  let isBroken = true;
  const { uploader, phases } = open(async (batch) => {
    if (isBroken && batch.some(({ name }) => name === "a")) throw new Refusal(0, { detail: "The connection broke." });
    return taken(batch);
  });
  uploader.add(given("a", "b", "c"), "layout", limits);
  await expect.poll(phases).toEqual(["failed", "failed", "taken"]);
  expect(uploader.uploads().all[0]?.sentence).toBe("The connection broke.");
  isBroken = false;
  uploader.again();
  await expect.poll(phases).toEqual(["taken", "taken", "taken"]);
});

it("what the server refuses altogether is refused, not to be sent again", async () => {
  const { uploader, phases } = open(async () => {
    throw new Refusal(415, { code: "NOT_PDF", field: "file", detail: "a: This is not a PDF." });
  });
  uploader.add(given("a"), "layout", limits);
  await expect.poll(phases).toEqual(["refused"]);
  uploader.again();
  expect(phases()).toEqual(["refused"]);
});

it("stops what is on its way and what waits, and begins anew with what is added then", async () => {
  const aborted: boolean[] = [];
  const { uploader, phases } = open((batch, { signal }) => {
    if (batch.some(({ name }) => name === "late")) return Promise.resolve(taken(batch));
    const { promise, reject } = Promise.withResolvers<Uploaded>();
    signal.addEventListener("abort", () => {
      aborted.push(true);
      reject(signal.reason);
    });
    return promise;
  });
  uploader.add(given("a", "b", "c"), "layout", limits);
  expect(phases()).toEqual(["sending", "sending", "waiting"]);
  uploader.stop();
  expect(phases()).toEqual(["stopped", "stopped", "stopped"]);
  uploader.add(given("late"), "layout", limits);
  await expect.poll(phases).toEqual(["stopped", "stopped", "stopped", "taken"]);
  expect(aborted).toEqual([true]);
});

it("what waits can be left out; what is on its way cannot", async () => {
  const gate = Promise.withResolvers<void>();
  const { uploader, phases } = open(async (batch) => {
    await gate.promise;
    return taken(batch);
  });
  uploader.add(given("a", "b", "c"), "layout", limits);
  for (const { key } of uploader.uploads().all) uploader.remove(key);
  expect(phases()).toEqual(["sending", "sending"]);
  gate.resolve();
  await expect.poll(phases).toEqual(["taken", "taken"]);
});
