import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversions, type Convert } from "./conversions.ts";
import type { ConversionResult } from "./convert.ts";

let root: string;
let conversions: Conversions;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "conversions-"));
  conversions = new Conversions(root);
  await conversions.begin();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** One that ends when it is told to, or given up. */
function held() {
  const made: string[] = [];
  const stopped: string[] = [];
  const goOn = Promise.withResolvers<ConversionResult>();
  const convert: Convert = (folder, signal) => {
    made.push(folder);
    signal.addEventListener("abort", () => {
      stopped.push(folder);
      goOn.reject(signal.reason);
    });
    return goOn.promise;
  };
  return { made, stopped, convert, done: () => goOn.resolve({ file: "out.xml", pages: 3 }), fail: goOn.reject };
}

async function ask(id: string, convert: Convert, signal = new AbortController().signal) {
  const folder = await conversions.folder();
  return { folder, result: conversions.share({ id, folder, signal }, convert, async ({ pages }) => pages) };
}

it("the same that is asked for twice is converted once, and is there until both have it", async () => {
  const { made, convert, done } = held();
  const [first, second] = [await ask("a", convert), await ask("a", convert)];
  await expect.poll(() => existsSync(second.folder)).toBe(false);
  expect(made).toEqual([first.folder]);
  expect(existsSync(first.folder)).toBe(true);
  done();
  expect(await Promise.all([first.result, second.result])).toEqual([3, 3]);
  expect(readdirSync(root)).toEqual([]);
});

it("who leaves ends nothing that another waits for, and the last one ends it", async () => {
  const { convert, stopped } = held();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = await ask("a", convert, one.signal);
  const second = await ask("a", convert, two.signal);
  const [left, gone] = [new Error("first"), new Error("second")];
  const ended = [expect(first.result).rejects.toBe(left), expect(second.result).rejects.toBe(gone)];
  await expect.poll(() => existsSync(second.folder)).toBe(false);
  one.abort(left);
  await ended[0];
  expect(stopped).toEqual([]);
  two.abort(gone);
  await ended[1];
  expect(stopped).toEqual([first.folder]);
  expect(readdirSync(root)).toEqual([]);
});

it("who joins is counted at once: the one before may leave while what was sent twice is still being dropped", async () => {
  const { made, convert, done } = held();
  const one = new AbortController();
  const first = await ask("a", convert, one.signal);
  const left = expect(first.result).rejects.toThrow("left");
  const second = await ask("a", convert);
  // In the same breath: nothing of the second one's folder is gone yet.
  one.abort(new Error("left"));
  await left;
  const third = await ask("a", convert);
  done();
  expect(await Promise.all([second.result, third.result])).toEqual([3, 3]);
  expect(made).toEqual([first.folder]);
  expect(readdirSync(root)).toEqual([]);
});

it("what failed is told to all, and begun anew for whoever asks later", async () => {
  const bad = held();
  const [first, second] = [await ask("a", bad.convert), await ask("a", bad.convert)];
  const why = new Error("damaged");
  bad.fail(why);
  await Promise.all([first, second].map(({ result }) => expect(result).rejects.toBe(why)));
  const good = held();
  good.done();
  expect(await (await ask("a", good.convert)).result).toBe(3);
  expect(readdirSync(root)).toEqual([]);
});

it("begins with nothing of what was left", async () => {
  await conversions.folder();
  await new Conversions(root).begin();
  expect(readdirSync(root)).toEqual([]);
});

it("who leaves while what was sent twice is being dropped is told so, and nobody else is", async () => {
  const { convert, done } = held();
  const first = await ask("a", convert);
  const two = new AbortController();
  const second = await ask("a", convert, two.signal);
  // In the same breath: it has not begun to wait for the conversion.
  two.abort(new Error("left"));
  await expect(second.result).rejects.toThrow("left");
  done();
  expect(await first.result).toBe(3);
  expect(readdirSync(root)).toEqual([]);
});
